# SPDX-License-Identifier: BSD-3-Clause
"""A schema for what structs count. It is a proposal: what a member is called tells whether it is a
counter of packets or of bytes, and the size of an array what there are so many of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..model.naming.c import reserved
from .origin import LCORES, Origin, of_array
from .source import Member, Place, Source, Struct, Variable

WIDTHS = {
    "uint64_t": 64, "uint32_t": 32, "u64": 64, "u32": 32, "rte_atomic64_t": 64, "size_t": 64,
    "rte_atomic32_t": 32, "unsigned long": 64, "unsigned long long": 64, "unsigned": 32,
    "unsigned int": 32, "atomic_ullong": 64, "atomic_ulong": 64, "atomic_uint": 32,
    "long unsigned int": 64, "unsigned long int": 64, "unsigned long long int": 64,
}  # fmt: skip
"""Types of counters, and their bits."""

KNOWN = {"RTE_MAX_ETHPORTS": 32, "RTE_MAX_QUEUES_PER_PORT": 1024, "RTE_EVENT_MAX_DEVS": 16}
"""Sizes of arrays that DPDK's configuration has (Debian's, 22.11 to 25.11)."""

GUESS = 1024
"""Instances where the size of an array is not known."""

_COUNTS = re.compile(r"stat|count|cnt|metric", re.IGNORECASE)
_UNITS = (
    ("bytes", r"bytes|octets"),
    ("cycles", r"cycles|tsc"),
    ("bursts", r"bursts?"),
    ("packets", r"pkts?|packets?|frames?|rx|tx|ipackets|opackets|drop\w*|forward\w*"),
    ("errors", r"err\w*|fail\w*"),
)
_NOTHING = re.compile(r"struct |union |enum |\w+ _*(?:pad|padding|reserved|rsvd)\w*$")
"""Members that count nothing, which nobody misses."""
_LEVELS = re.compile(r"(?:^|_)(?:active|current|in_use|used|len|level|depth|size|free)(?:_|$)")


@dataclass
class Counter:
    """A counter, or a gauge, that is proposed."""

    name: str
    unit: str
    description: str
    width: int
    place: Place
    origin: Origin


@dataclass
class Scope:
    """A scope that is proposed. `maximum` is 0 for the global one and for embedded ones; `size` how
    it is written where it is."""

    name: str
    description: str
    maximum: int = 0
    size: str = ""
    guessed: bool = False
    embedded: bool = False
    place: Place | None = None
    counters: list[Counter] = field(default_factory=list)
    gauges: list[Counter] = field(default_factory=list)

    @property
    def origins(self) -> list[Origin]:
        """Where its counters are, and its gauges."""
        return [one.origin for one in (*self.counters, *self.gauges)]

    @property
    def whole(self) -> list[tuple[str, str]]:
        """The variable that has all of its counters, and how patches find it: to set that to zero
        is a reset of the scope. Empty if there are several."""
        found = {
            (one.where if one.where != "parts" else "variable", one.variable)
            for one in self.origins
        }
        return sorted(found) if len(found) == 1 and all(one.where for one in self.origins) else []

    @property
    def tags(self) -> list[str]:
        """Structs that those of generated code take the place of."""
        return sorted({one.tag for one in self.origins if one.tag})


@dataclass(frozen=True)
class Left:
    """What is left to a person, and why."""

    what: str
    why: str
    place: Place


@dataclass(frozen=True)
class Proposal:
    """A schema."""

    module: str
    scopes: tuple[Scope, ...]
    left: tuple[Left, ...]


def identifier(text: str) -> str:
    """A name for a schema: small letters, digits, underscores between words."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    name = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
    name = name.removeprefix("rte_") or "element"
    return f"of_{name}" if name[0].isdigit() or reserved(name) else name


def unit(name: str) -> str:
    """What a member of that name counts."""
    words = name.lower().split("_")
    for found, pattern in _UNITS:
        if any(re.fullmatch(pattern, word) for word in words):
            return found
    return "events"


def _sentence(text: str) -> str:
    """Text as a description."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


class _Proposing:
    """Scopes by name, as they are found."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.scopes: dict[str, Scope] = {}
        self.left: list[Left] = []

    def size(self, text: str) -> tuple[int, bool]:
        """How many elements an array has, and whether that is a guess."""
        if re.fullmatch(r"\d+", text):
            return int(text), False
        known = self.source.numbers.get(text) or KNOWN.get(text)
        return (known, False) if known else (GUESS, True)

    def scope(self, sizes: Iterable[str], of: str, place: Place, said: str) -> Scope | None:
        """The scope of what has arrays of these sizes; None for more than one index."""
        left = [size for size in sizes if not LCORES.fullmatch(size)]
        if len(left) > 1:
            return None
        if not left:
            return self.scopes.setdefault("global", Scope("global", "", place=place))
        maximum, guessed = self.size(left[0])
        name = self._named(left[0], of)
        if name not in self.scopes:
            about = _sentence(said or f"One of {of}")
            self.scopes[name] = Scope(name, about, maximum, left[0], guessed, place=place)
        return self.scopes[name]

    @staticmethod
    def _named(size: str, of: str) -> str:
        """RTE_MAX_ETHPORTS is `port`, MAX_SESSIONS `session`, 64 what the array is called."""
        words = [
            w for w in identifier(size).split("_") if w not in ("rte", "max", "num", "nb", "n")
        ]
        if size.isdigit() or not words:
            words = [w for w in identifier(of).split("_") if not _COUNTS.search(w)] or ["element"]
        name = "_".join(words).removeprefix("eth")
        return identifier(name[:-1] if re.search(r"[^s]s$", name) else name)

    def take(self, struct: Struct, of: Variable) -> None:
        """The members of a struct of which there are so many."""
        for member, name, path in _flat(struct.members):
            whole, place = (*of.sizes, *member.sizes), member.place
            width = WIDTHS.get(member.type)
            if _NOTHING.match(f"{member.type} {member.name}"):
                continue
            if width is None:
                self.left.append(Left(name, f"is of type {member.type}", place))
                continue
            scope = self.scope(whole, of.name, struct.place, struct.comment)
            if scope is None:
                shown = "".join(f"[{size}]" for size in whole)
                self.left.append(Left(f"{name}{shown}", "has several indexes", place))
                continue
            self.put(scope, name, member, struct, of_array(of.name, of.sizes, path, member.sizes))

    def put(self, scope: Scope, name: str, member: Member, struct: Struct, origin: Origin) -> None:
        """A counter or gauge in a scope, under a name that is not taken there."""
        before, width = struct.name, WIDTHS[member.type]
        taken = {one.name for one in (*scope.counters, *scope.gauges)}
        names = (identifier(name), identifier(f"{before}_{name}"))
        free = next((one for one in names if one not in taken), "")
        if not free:
            number = next(n for n in range(2, len(taken) + 3) if f"{names[1]}_{n}" not in taken)
            free = f"{names[1]}_{number}"
        said = _sentence(member.comment or f"Member {name} of {before}")
        counter = Counter(free, unit(name), said, width, member.place, origin)
        (scope.gauges if _LEVELS.search(identifier(name)) else scope.counters).append(counter)


def _flat(
    members: Iterable[Member], before: str = "", above: tuple[str, ...] = ()
) -> Iterator[tuple[Member, str, tuple[str, ...]]]:
    """Members, and those of structs in place of a type, under both names; with their path."""
    for member in members:
        name, path = member.name, (*above, member.name)
        if before and not name.startswith(f"{before}_"):
            name = f"{before}_{name}"
        if member.inner:
            for below, deeper, whole in _flat(member.inner, name, path):
                sizes = (*member.sizes, *below.sizes)
                flat = Member(below.name, below.type, sizes, below.comment, below.place)
                yield flat, deeper, whole
        else:
            yield member, name, path


def _wanted(struct: Struct, variables: list[Variable]) -> bool:
    """Whether it looks like statistics."""
    named = any(_COUNTS.search(name) for name in (struct.name, *(v.name for v in variables)))
    return named and any(member.type in WIDTHS for member, _, _ in _flat(struct.members))


def _holders(source: Source, struct: Struct) -> Iterator[tuple[Struct, Member]]:
    """Structs that have one as a member."""
    names = (struct.name, f"struct {struct.name}")
    for other in source.structs:
        for member, _, _ in _flat(other.members):
            if member.type in names:
                yield other, member


def proposal(source: Source, module: str) -> Proposal:
    """The schema for what is counted there."""
    found = _Proposing(source)
    for struct in source.structs:
        variables = [v for v in source.variables if v.struct == struct.name and struct.name]
        if not _wanted(struct, variables):
            continue
        if variables:
            # Of several, one is what was counted before, or a copy for a reader.
            first = variables[0]
            found.take(struct, first)
            for other in variables[1:]:
                found.left.append(Left(other.name, f"is another {struct.name}", other.place))
            continue
        holders = list(_holders(source, struct))
        if not holders:
            found.left.append(Left(struct.name, "has no variable in these files", struct.place))
        for holder, member in holders[:1]:
            if member.sizes:  # The object is taken for the only one.
                found.take(struct, Variable(member.name, struct.name, member.sizes, member.place))
                continue
            name = identifier(holder.name or member.name)
            about = _sentence(holder.comment or f"One of {holder.name}")
            embedded = Scope(name, about, embedded=True, place=member.place)
            for one, called, path in _flat(struct.members):
                if one.type in WIDTHS and not one.sizes:
                    origin = Origin("object", member.name, path, struct.name)
                    found.put(embedded, called, one, struct, origin)
            if embedded.counters or embedded.gauges:
                found.scopes.setdefault(name, embedded)
    scopes = sorted(found.scopes.values(), key=lambda scope: scope.name != "global")
    return Proposal(identifier(module), tuple(scopes), tuple(found.left))
