# SPDX-License-Identifier: BSD-3-Clause
"""Words that may be counters: those of structs of statistics, known by a name, and those that are
only added to, whatever they are called."""

from __future__ import annotations

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
    r"(?:struct|union|enum)\b|\w*lock_t |pthread|\w+ _*(?:pad|padding|reserved|rsvd)\w*$"
)
"""Members that count nothing, which no operator misses."""
_SUFFIX = re.compile(r"_?(?:stats?|statistics|counts?|counters?|cnt|metrics?)$")


REASONS = {
    "down": "goes down", "set": "is assigned", "used": "the value of an add is used",
    "index": "is an index", "compare": "decides a condition", "test": "decides a condition",
}  # fmt: skip
"""Why a word that is added to is no counter."""


LCORES = re.compile(
    r".*(?:MAX_LCORE|MAX_THREADS?|NUM_LCORES?|MAX_CORES?|MAX_WORKERS?)\w*(?: *\+ *1)?"
)
"""Sizes of arrays with an element for each lcore."""


@dataclass(frozen=True)
class Origin:
    """A member of what a variable or, where it is an object, a member of others is: `where` is what
    patches take, "" where none does; `tag` the struct of an object."""

    where: str
    variable: str
    path: tuple[str, ...]
    tag: str = ""

    @property
    def member(self) -> str:
        """Its name in patches."""
        return "_".join(self.path) or self.variable

    def __str__(self) -> str:
        return ".".join((self.variable, *self.path))


@dataclass(frozen=True)
class Word:
    """A variable, or a member of one: with the sizes of the enclosing arrays, its struct, whether a
    name in its path indicates statistics, the #if, and whether functions get pointers to its
    variable."""

    variable: Member
    member: Member
    path: tuple[str, ...] = ()
    outer: tuple[str, ...] = ()
    owner: str = ""
    named: bool = False
    condition: str = ""
    passed: bool = False

    @property
    def sizes(self) -> tuple[str, ...]:
        """The sizes of all arrays."""
        return (*self.outer, *self.member.sizes)

    @property
    def key(self) -> str:
        """Its key in `Uses`."""
        if self.path:
            return "".join(f".{name}" for name in self.path)
        function = self.variable.function
        return f"{function}:{self.variable.name}" if function else self.variable.name

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
    def pattern(self) -> str:
        """The kind of declaration, for a report."""
        noun = "struct" if self.path else "word"
        found = [f"array of {noun}s" if self.sizes else noun]
        if self.variable.function:
            found[0] = f"local {found[0]}"
        if any(LCORES.fullmatch(size) for size in self.sizes):
            found.append("per lcore")
        if len(self.path) > 1:
            found.append(f"member {self.path[-2]}")
        if self.variable.pointer:
            found.append("behind a pointer")
        if self.condition:
            found.append(f"behind {self.condition}")
        return ", ".join(found)

    @property
    def object(self) -> bool:
        """Whether it is in objects of the application, so that its scope is embedded."""
        v = self.variable
        inner = len(self.path) > 1 and (v.pointer or (self.passed and bool(self.owner)))
        return not self.sizes and (not v.name or inner)

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
            return of_array(
                path[-2] if path[1:] else path[0], self.outer, path[-1:], self.member.sizes
            )
        found = of_array(v.name, self.outer, path, self.member.sizes)
        return replace(found, where="") if v.pointer and v.sizes else found


def of_array(
    variable: str, sizes: tuple[str, ...], path: tuple[str, ...], inner: tuple[str, ...]
) -> Origin:
    """Of a variable with arrays of such sizes, and of such sizes in the member."""
    where = ""
    if not path:
        lcores = any(map(LCORES.fullmatch, (*sizes, *inner)))
        where = "" if lcores or len(inner) > 1 else "words" if inner else "word"
    elif not inner and len(path) == 1 and len(sizes) < 2:
        where = "variable" if not sizes else "lcore" if LCORES.fullmatch(sizes[0]) else "array"
    elif not sizes and not inner and len(path) == 2:
        where = "parts"
    elif not sizes and len(inner) == 1 and len(path) == 1 and not LCORES.fullmatch(inner[0]):
        where = "columns"
    return Origin(where, variable, path)


def _below(source: Source, word: Word, seen: tuple[str, ...] = ()) -> Iterator[Word]:
    """The words of a variable, or of a member."""
    member = word.member
    struct = source.struct(member.type)
    inner = member.inner or (struct.members if struct else ())
    owner = struct.name if struct else ""
    if not inner or (owner and owner in seen) or (member.pointer and word.path):
        yield replace(word, condition=word.condition or member.condition)
        return
    named = word.named or any(map(COUNTS.search, (owner, member.name)))
    for one in inner:
        yield from _below(
            source,
            replace(
                word, member=one, path=(*word.path, one.name), outer=word.sizes, owner=owner,
                named=named, condition=word.condition or member.condition,
            ),
            (*seen, owner),
        )  # fmt: skip


@dataclass(frozen=True)
class Group:
    """A variable, or with an empty name objects of a struct, and the words in it."""

    variable: Member
    words: tuple[Word, ...]
    struct: Struct | None = None


def groups(source: Source) -> Iterator[Group]:
    """Variables of the files, then those of functions, then structs that no variable leads to."""
    reached: set[str] = set()
    for v in sorted(source.variables, key=lambda one: (bool(one.function), one.pointer)):
        struct = source.struct(v.type)
        if v.pointer and (v.function or struct is None or struct.name in reached):
            continue
        passed = v.type in source.pointed and not v.function
        words = tuple(_below(source, Word(v, v, passed=passed)))
        reached |= {word.owner for word in words} | ({struct.name} if struct else set())
        yield Group(v, words, struct)
    held = {
        source.type(member.type).removeprefix("struct ")
        for struct in source.structs
        for member in _members(struct.members)
    }
    for struct in source.structs:
        if struct.name and struct.name not in reached | held:
            one = Member("", f"struct {struct.name}", (), struct.comment, struct.place)
            yield Group(one, tuple(_below(source, Word(one, one))), struct)


def _members(members: Iterable[Member]) -> Iterator[Member]:
    for member in members:
        yield member
        yield from _members(member.inner)


class Judge:
    """Decides which words are counters."""

    def __init__(self, source: Source, uses: Uses) -> None:
        self._source, self._uses = source, uses

    def does(self, word: Word, kind: str) -> bool:
        """Whether these files `add` to it, take it `down` and so on."""
        return kind in self._uses.kinds(word.key)

    def width(self, word: Word) -> int:
        """The bits of a counter of its type; 0 for none."""
        name = self._source.type(word.member.type)
        return WIDTHS.get(name, 0) or (SIGNED.get(name, 0) if self.does(word, "add") else 0)

    def origin(self, word: Word) -> Origin:
        """Its location for patches; of a word none, where a function has a variable of its name."""
        hidden = not word.path and word.variable.name in self._uses.local
        return replace(word.origin(), where="") if hidden else word.origin()

    def chosen(self, group: Group) -> list[Word]:
        """The words of a group that are counters, and all of structs of statistics."""
        words = [
            word for word in group.words
            if not (word.member.pointer or _NOTHING.match(f"{word.member.type} {word.member.name}"))
        ]  # fmt: skip
        v = group.variable
        if v.function and not v.sizes:
            return []  # Words of a function, or a copy for a reader.
        sure = [word for word in words if self.width(word) and self._uses.counts(word.key)]
        named = [word for word in words if word.named and not self._controls(word)]
        if not any(map(self.width, named)):
            named = []
        if v.function and not any(self._uses.kinds(w.key).keys() & {"add", "once"} for w in named):
            return []  # A copy, for a reader.
        mostly = len(sure) * 2 > len(words)
        return [
            word for word in words
            if word in named or word in sure or (
                mostly and self.width(word) and self.does(word, "add")
                and self._uses.decisive(word.key, "compare", "test") is None
            )
        ]  # fmt: skip

    def _controls(self, word: Word) -> bool:
        """Whether it is an index, or a number that the start of the program finds out."""
        kinds = self._uses.kinds(word.key)
        start = "once" in kinds and bool(kinds.keys() & {"compare", "test", "set"})
        return "add" not in kinds and (start or "index" in kinds)

    def refused(self, group: Group, chosen: list[Word]) -> Iterator[tuple[Word, str]]:
        """Words that are added to and are no counters, each with the reason."""
        for word in group.words:
            use, kinds = self._uses.decisive(word.key), self._uses.kinds(word.key)
            candidate = word not in chosen and not group.variable.function and self.width(word)
            if use and candidate and kinds.keys() & {"add", "used", "once"}:
                yield word, f"{REASONS.get(use.action.kind, use.action.words)} at {use.place}"
