# SPDX-License-Identifier: BSD-3-Clause
"""A proposed schema for the counters of an application. Names of members indicate units (packets,
bytes), sizes of arrays the kind of instance."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...model.naming.c import reserved
from .candidates import COUNTS, LCORES, Group, Judge, Origin, Word, groups
from .source import Member, Place, Source
from .uses import Uses

KNOWN = {
    "RTE_MAX_ETHPORTS": 32, "RTE_MAX_QUEUES_PER_PORT": 1024, "RTE_EVENT_MAX_DEVS": 16,
    "RTE_CRYPTO_MAX_DEVS": 64,
}  # fmt: skip
"""Sizes of arrays that DPDK's configuration has (Debian's, 22.11 to 25.11)."""

GUESS = 1024
"""Instances where the size of an array is not known."""

_UNITS = (
    ("bytes", r"bytes?|octets?"),
    ("cycles", r"cycles|tsc"),
    ("bursts", r"bursts?"),
    ("packets", r"pkts?|packets?|frames?|rx|tx|ipackets|opackets|drop\w*|forward\w*"),
    ("errors", r"err\w*|fail\w*"),
)
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
        known = all(one.path and one.where not in ("", "pointer") for one in self.origins)
        return sorted(found) if len(found) == 1 and known else []

    @property
    def tags(self) -> list[str]:
        """Structs that those of generated code take the place of."""
        return sorted({one.tag for one in self.origins if one.tag})

    def __str__(self) -> str:
        rest = ", embedded" if self.embedded else f", max {self.maximum}" if self.maximum else ""
        return f"scope {self.name}{rest}"


@dataclass(frozen=True)
class Seen:
    """A candidate: a row of a report. `verdict` is a scope, or the reason that there is none;
    `todo` is left to a person; `relevant` whether it belongs below a schema."""

    place: Place
    name: str
    pattern: str
    fields: tuple[str, ...]
    verdict: str
    todo: str = ""
    relevant: bool = True

    @property
    def usual(self) -> str:
        """The action when no other work remains."""
        return "run the script of --patches" if self.relevant and self.fields else "nothing"


@dataclass(frozen=True)
class Proposal:
    """A schema, and all candidates."""

    module: str
    scopes: tuple[Scope, ...]
    seen: tuple[Seen, ...]

    @property
    def origins(self) -> list[Origin]:
        """Where all counters and gauges are."""
        return [one for scope in self.scopes for one in scope.origins]

    @property
    def left(self) -> list[Seen]:
        """Variables that need manual work."""
        return [one for one in self.seen if one.relevant and one.todo]


def identifier(text: str) -> str:
    """A name for a schema: small letters, digits, underscores between words."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    name = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
    name = name.removeprefix("rte_") or "element"
    return f"of_{name}" if name[0].isdigit() or reserved(name) else name


def unit(name: str) -> str:
    """The unit that the name of a member implies."""
    words = identifier(name).split("_")
    for found, pattern in _UNITS:
        if any(re.fullmatch(pattern, word) for word in words):
            return found
    return "events"


def _sentence(text: str) -> str:
    """Text as a description."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


class _Proposing:
    """Scopes by name, as they are found."""

    def __init__(self, source: Source, judge: Judge) -> None:
        self.source, self.judge = source, judge
        self.scopes: dict[str, Scope] = {}
        self.seen: list[Seen] = []
        self.taken: dict[str, Member] = {}
        self.tags: dict[str, tuple[str, tuple[str, ...]]] = {}

    def size(self, text: str) -> tuple[int, bool]:
        """How many elements an array has, and whether that is a guess."""
        found = 1
        for part in text.strip("() ").split("*"):
            name = part.strip("() ")
            number = int(name) if name.isdigit() else None
            number = number or self.source.numbers.get(name) or KNOWN.get(name)
            if not number:
                return GUESS, True
            found *= number
        return found, False

    def scope(self, word: Word, about: str, place: Place) -> Scope | None:
        """The scope of a word; None for more than one index."""
        if word.object:
            return self._embedded(word, about, place)
        left = [size for size in word.sizes if not LCORES.fullmatch(size)]
        if len(left) > 1:
            return None
        if not left:
            return self.scopes.setdefault("global", Scope("global", "", place=place))
        maximum, guessed = self.size(left[0])
        of = word.variable.name if left[0] in word.outer else word.member.name
        name = self._named(left[0], of)
        if name in self.scopes and self.scopes[name].maximum != maximum:
            name = f"{name}_{identifier(of)}"
        said = _sentence(about or f"One of {word.variable.name or word.member.name}")
        new = Scope(name, said, maximum, left[0], guessed, place=place)
        return self.scopes.setdefault(name, new)

    def _embedded(self, word: Word, about: str, place: Place) -> Scope:
        holder = word.variable.type.removeprefix("struct ")
        name = identifier(holder)
        if name in self.scopes and not self.scopes[name].embedded:
            name = f"{name}_object"
        said = _sentence(about or f"One of {holder}")
        return self.scopes.setdefault(name, Scope(name, said, embedded=True, place=place))

    @staticmethod
    def _named(size: str, of: str) -> str:
        """RTE_MAX_ETHPORTS is `port`, MAX_SESSIONS `session`, 64 what the array is called."""
        words = [
            w for w in identifier(size).split("_") if w not in ("rte", "max", "num", "nb", "n")
        ]
        if not re.fullmatch(r"[A-Za-z_]\w*", size) or not words:
            words = [w for w in identifier(of).split("_") if not COUNTS.search(w)] or ["element"]
        name = "_".join(words).removeprefix("eth")
        return identifier(name[:-1] if re.search(r"[^s]s$", name) else name)

    def take(self, group: Group) -> None:
        """The counters of a variable, or of objects."""
        v, struct = group.variable, group.struct
        chosen = self.judge.chosen(group)
        for word, reason in self.judge.refused(group, chosen):
            name = self._called(word)
            self._see(word, (word.member.name,), f"no counter: {reason}", name=name, relevant=False)
        if not chosen:
            return
        used = any(self.judge.does(word, "add") for word in chosen)
        if struct and not v.name and struct.name in self.taken:
            return
        if struct and not v.name and COUNTS.search(struct.name) and not used:
            todo = "give the file with its variable, too"
            self._see(chosen[0], (), "has no variable in these files", todo, struct.name)
            return
        if struct and v.name and self.taken.setdefault(struct.name, v) != v:
            if not v.function:
                todo = "leave it out if it is a copy for a reader"
                self._see(chosen[0], (), f"is another {struct.name}", todo, v.name)
            return
        # What a pointer has led to is there once.
        chosen = [
            w for w in chosen if not (o := self.taken.get(w.owner)) or o == v or not o.pointer
        ]
        # A struct in objects is one scope, wherever it is in them, as patches change its type.
        for word in [word for word in chosen if word.object and word.owner]:
            where = (v.type, word.path[:-1])
            if self.tags.setdefault(word.owner, where) != where:
                verdict, name = f"is another {word.owner}", ".".join((v.type, *word.path))
                self._see(word, (), verdict, name=name, relevant=False)
                chosen.remove(word)
        about = struct.comment if struct else ""
        self._put_all(chosen, about, struct.place if struct else v.place)

    def _put_all(self, chosen: list[Word], about: str, place: Place) -> None:
        rows: dict[str, list[Word]] = {}
        for word in chosen:
            width = self.judge.width(word)
            if not width:
                verdict, todo = f"is of type {word.member.type}", "count in a word of 32 or 64 bits"
                self._see(word, (), verdict, todo, word.member.name)
                continue
            scope = self.scope(word, about, place)
            if scope is None:
                shown = "".join(f"[{size}]" for size in word.sizes)
                todo = "use one index for all, or labels"
                self._see(word, (), "has several indexes", todo, f"{word.name}{shown}")
                continue
            self.put(scope, word, width)
            rows.setdefault(scope.name, []).append(word)
        for name, words in rows.items():
            fields = tuple(".".join(word.path) or word.variable.name for word in words)
            self._see(words[0], fields, str(self.scopes[name]), self._todo(words))

    def _todo(self, words: list[Word]) -> str:
        """Manual work for the counters of a scope."""
        found, v = [], words[0].variable
        if v.function:
            found.append(f"move it out of {v.function}()")
        conditions = sorted({word.condition for word in words if word.condition})
        if conditions:
            behind = ", ".join(conditions)
            found.append(f"the schema has it always: drop {behind} or keep it around the calls")
        if any(word.object and not word.origin().tag for word in words):
            found.append("put its counters into a struct of their own")
        elif not all(self.judge.origin(word).where for word in words):
            found.append("put the calls by hand: no patch is for it")
        return "; ".join(found)

    @staticmethod
    def _called(word: Word) -> str:
        sizes = "".join(f"[{size}]" for size in word.variable.sizes)
        return f"{word.variable.name or word.variable.type}{sizes}"

    def _see(
        self, word: Word, fields: tuple[str, ...], verdict: str, todo: str = "", name: str = "",
        relevant: bool = True,
    ) -> None:  # fmt: skip
        v = word.variable
        place = v.place if not name or name == v.name else word.member.place
        shown = name or self._called(word)
        self.seen.append(Seen(place, shown, word.pattern, fields, verdict, todo, relevant))

    def put(self, scope: Scope, word: Word, width: int) -> None:
        """A counter or gauge in a scope, under a name that is not taken there."""
        name, before, origin = word.name, word.owner or word.variable.name, self.judge.origin(word)
        taken = {one.name for one in (*scope.counters, *scope.gauges)}
        names = (identifier(name), identifier(f"{before}_{name}"))
        free = next((one for one in names if one not in taken), "")
        if not free:
            number = next(n for n in range(2, len(taken) + 3) if f"{names[1]}_{n}" not in taken)
            free = f"{names[1]}_{number}"
        what = f"Member {name} of {before}" if word.path else f"Variable {name}"
        said = _sentence(word.member.comment or what)
        counter = Counter(free, unit(name), said, width, word.member.place, origin)
        level = _LEVELS.search(identifier(name)) or self.judge.does(word, "down")
        (scope.gauges if level else scope.counters).append(counter)


def proposal(source: Source, uses: Uses, module: str) -> Proposal:
    """The schema for the counters found."""
    found = _Proposing(source, Judge(source, uses))
    for group in groups(source):
        found.take(group)
    scopes = sorted(found.scopes.values(), key=lambda scope: scope.name != "global")
    return Proposal(identifier(module), tuple(scopes), tuple(found.seen))
