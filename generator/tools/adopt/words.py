# SPDX-License-Identifier: BSD-3-Clause
"""Words that may be counters: those of structs of statistics, known by a name, and variables that
are only added to."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .source import Member, Source, Struct
from .uses import Uses

WIDTHS = {
    "uint64_t": 64, "uint32_t": 32, "u64": 64, "u32": 32, "rte_atomic64_t": 64, "size_t": 64,
    "rte_atomic32_t": 32, "unsigned long": 64, "unsigned long long": 64, "unsigned": 32,
    "unsigned int": 32, "atomic_ullong": 64, "atomic_ulong": 64, "atomic_uint": 32,
    "long unsigned int": 64, "unsigned long int": 64, "unsigned long long int": 64,
    "atomic_uint64_t": 64, "atomic_uint32_t": 32, "atomic_size_t": 64,
}  # fmt: skip
"""Types of counters, and their bits."""

SIGNED = {"int": 32, "int32_t": 32, "int64_t": 64, "long": 64, "long int": 64, "long long": 64}
"""Types of counters only where these are seen to be added to."""

COUNTS = re.compile(r"stat(?!us|e|ic)|count|cnt|metric", re.IGNORECASE)
_NOTHING = re.compile(
    r"(?:struct|enum)\b|\w*lock_t |pthread|\w+ _*(?:pad|padding|reserved|rsvd)\w*$"
)
"""Members that count nothing, which no operator misses."""
_COMMAND = re.compile(r"cmdline_\w+_t")
"""Types of the members of structs that librte_cmdline fills in."""

_SUFFIX = re.compile(r"_?(?:stats?|statistics|counts?|counters?|cnt|metrics?)$")

LCORES = re.compile(
    r".*(?:MAX_LCORE|MAX_THREADS?|NUM_LCORES?|MAX_CORES?|MAX_WORKERS?)\w*(?: *\+ *1)?"
)
"""Sizes of arrays with an element for each lcore."""


@dataclass(frozen=True)
class Origin:
    """A member of what a variable or, where it is an object, a member of others is: `where` is what
    patches take, "" where none does; `tag` the struct of an object; `hidden` whether none does as
    another variable has its name."""

    where: str
    variable: str
    path: tuple[str, ...]
    tag: str = ""
    hidden: bool = False

    @property
    def member(self) -> str:
        """Its name in patches."""
        return "_".join(self.path) or self.variable

    def __str__(self) -> str:
        return ".".join((self.variable, *self.path))


@dataclass(frozen=True)
class Word:
    """A variable, or a member of one: with the sizes of the enclosing arrays, its struct, whether a
    name in its path indicates statistics, and whether functions get pointers to its variable."""

    variable: Member
    member: Member
    path: tuple[str, ...] = ()
    outer: tuple[str, ...] = ()
    owner: str = ""
    named: bool = False
    passed: bool = False

    @property
    def sizes(self) -> tuple[str, ...]:
        """The sizes of all arrays."""
        return (*self.outer, *self.member.sizes)

    @property
    def name(self) -> str:
        """Its path as a name, without generic words for statistics."""
        if self.object and self.owner:
            return self.path[-1]
        name = ""
        for part in (*(_SUFFIX.sub("", one) for one in self.path[:-1]), *self.path[-1:]):
            joined = not name or part == name or part.startswith(f"{name}_")
            name = part if joined else f"{name}_{part}" if part else name
        return name or self.variable.name

    @property
    def object(self) -> bool:
        """Whether it is in objects of the application, so that its scope is embedded."""
        v = self.variable
        inner = len(self.path) > 1 and (v.pointer or (self.passed and bool(self.owner)))
        return not self.sizes and (not v.name or inner)

    def width(self, source: Source, uses: Uses) -> int:
        """The bits of a counter of its type; 0 for none."""
        name = source.type(self.member.type)
        return WIDTHS.get(name, 0) or (uses.adds(self.member.name) and SIGNED.get(name, 0)) or 0

    def origin(self) -> Origin:
        """Its location for patches."""
        path, v = self.path, self.variable
        if self.object:
            if len(path) < 2:
                where = "pointer" if self.named and not v.name else ""
                return Origin(where, self.owner, path, self.owner if where else "")
            where = "object" if len(path) == 2 and self.owner else ""
            return Origin(where, path[-2], path[-1:], self.owner)
        if not v.name:  # The object is taken for the only one.
            variable = path[-2] if path[1:] else path[0]
            return Origin(self._where(path[-1:]), variable, path[-1:])
        return Origin("" if v.pointer and v.sizes else self._where(path), v.name, path)

    def _where(self, path: tuple[str, ...]) -> str:
        """The patches for such a path, with arrays around it and in the member."""
        sizes, inner = self.outer, self.member.sizes
        if not path:
            lcores = any(map(LCORES.fullmatch, self.sizes))
            return "" if lcores or len(inner) > 1 else "words" if inner else "word"
        if not inner and len(path) == 1 and len(sizes) < 2:
            return "variable" if not sizes else "lcore" if LCORES.fullmatch(sizes[0]) else "array"
        if not sizes and not inner and len(path) == 2:
            return "parts"
        columns = not sizes and len(inner) == len(path) == 1 and not LCORES.fullmatch(inner[0])
        return "columns" if columns else ""


def _below(source: Source, word: Word, seen: tuple[str, ...] = ()) -> Iterator[Word]:
    """The words of a variable, or of a member."""
    member = word.member
    struct = source.struct(member.type)
    inner = member.inner or (struct.members if struct else ())
    owner = struct.name if struct else ""
    if not inner or (owner and owner in seen) or (member.pointer and word.path):
        yield word
        return
    named = word.named or any(map(COUNTS.search, (owner, member.name)))
    for one in inner:
        below = replace(
            word, member=one, path=(*word.path, one.name), outer=word.sizes, owner=owner,
            named=named,
        )  # fmt: skip
        yield from _below(source, below, (*seen, owner))


def words(source: Source, uses: Uses) -> Iterator[tuple[Member, list[Word], Struct | None]]:
    """Variables and then, with an empty name, structs that no variable leads to: each with the
    words in it that count, or are in statistics. A constant counts nothing; its struct is left
    out unless something in it is added to."""
    reached, constant = set[str](), set[str]()
    for v in sorted(source.variables, key=lambda one: one.pointer):
        struct = source.struct(v.type)
        if "const" in v.storage:
            constant |= {struct.name} if struct else set()
            continue
        if v.pointer and (struct is None or struct.name in reached):
            continue
        below = list(_below(source, Word(v, v, passed=v.type in source.pointed)))
        reached |= {word.owner for word in below} | ({struct.name} if struct else set())
        if found := _chosen(source, uses, below):
            yield v, found, struct
    held = {
        source.type(member.type).removeprefix("struct ")
        for struct in source.structs
        for member in _members(struct.members)
    }
    for struct in source.structs:
        if struct.name and struct.name not in reached | held:
            one = Member("", f"struct {struct.name}", (), struct.comment, struct.place)
            found = _chosen(source, uses, _below(source, Word(one, one)))
            if struct.name in constant and not any(uses.adds(word.member.name) for word in found):
                continue
            if found:
                yield one, found, struct


def _members(members: Iterable[Member]) -> Iterator[Member]:
    for member in members:
        yield member
        yield from _members(member.inner)


def _chosen(source: Source, uses: Uses, below: Iterable[Word]) -> list[Word]:
    """Words in statistics, with one of a counter's type at least; or a variable that counts."""
    below = list(below)
    commands = {word.owner for word in below if _COMMAND.fullmatch(word.member.type)}
    found = [
        word for word in below
        if word.owner not in commands
        and not (word.member.pointer or _NOTHING.match(f"{word.member.type} {word.member.name}"))
        and (word.named or (not word.path and uses.counts(word.variable.name)))
    ]  # fmt: skip
    return found if any(word.width(source, uses) for word in found) else []
