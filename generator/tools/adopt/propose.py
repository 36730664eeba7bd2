# SPDX-License-Identifier: BSD-3-Clause
"""A proposed schema for the counters of an application. Names of members indicate units (packets,
bytes), sizes of arrays the kind of instance."""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, count

from ...model.language.shapes import MAX_NAME, MAX_TEXT
from ...model.naming.c import INVISIBLE, fold, reserved
from ...model.naming.symbols import prefix
from ...output.render import render
from .source import Member, Place, Source, Struct
from .uses import Uses
from .words import COUNTS, LCORES, Origin, Word, words

KNOWN = {
    "RTE_MAX_ETHPORTS": 32, "RTE_MAX_QUEUES_PER_PORT": 1024, "RTE_EVENT_MAX_DEVS": 16,
    "RTE_CRYPTO_MAX_DEVS": 64,
}  # fmt: skip
"""Sizes of arrays that DPDK's configuration has (Debian's, 22.11 to 25.11)."""

GUESS = 1024
"""Instances where the size of an array is not known."""

_UNITS = (
    ("bytes", r"(?:[io]|in|out|rx|tx)?(?:bytes?|octets?)"),
    ("cycles", r"cycles|tsc"),
    ("bursts", r"bursts?"),
    (
        "packets",
        r"(?:[io]|in|out|rx|tx)?(?:pkts?|packets?|frames?)|rx|tx|imissed"
        r"|[io]?drop\w*|forward\w*",
    ),
    ("errors", r"[io]?err\w*|fail\w*"),
)
_LEVELS = re.compile(r"(?:^|_)(?:active|current|in_use|used|len|level|depth|size|free)(?:_|$)")


_PLAIN = re.compile(
    r"u?int\w*_t|[us]\d+|(?:un)?signed\b.*|char|short|int|long.*|bool|enum .*|rte_atomic\w+"
)
"""Types without members."""


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
    it is written where it is, `taken` the names of its items as protocols compare them."""

    name: str
    description: str
    maximum: int = 0
    size: str = ""
    guessed: bool = False
    embedded: bool = False
    place: Place | None = None
    counters: list[Counter] = field(default_factory=list)
    gauges: list[Counter] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

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
    """A candidate that needs manual work, `todo`; `verdict` is its scope, or the reason that there
    is none."""

    place: Place
    name: str
    verdict: str
    todo: str


@dataclass(frozen=True)
class Proposal:
    """A schema, and candidates that need more than it."""

    module: str
    scopes: tuple[Scope, ...]
    seen: tuple[Seen, ...]

    def schema(self) -> str:
        """The proposed schema in YAML."""
        return render("adopt/schema.yaml.j2", p=self)

    def patches(self, files: Iterable[str]) -> str:
        """A shell script that puts calls in place of the adds in these files."""
        known = {"prefix": prefix(self.module), "files": shlex.join(files)}
        return render("adopt/patches.sh.j2", p=self, **known)


def identifier(text: str) -> str:
    """A name for a schema: small letters, digits, underscores between words."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    name = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
    name = name.removeprefix("rte_")[: MAX_NAME - 7].strip("_") or "element"
    return f"of_{name}" if name[0].isdigit() or reserved(name) else name


def unit(name: str) -> str:
    """The unit that the name of a member implies."""
    words = identifier(name).split("_")
    for found, pattern in _UNITS:
        if any(re.fullmatch(pattern, word) for word in words):
            return found
    return "events"


def _sentence(text: str) -> str:
    """Text as a description, cut to its longest."""
    text = INVISIBLE.sub(" ", text)
    text = text if len(text) < MAX_TEXT else f"{text[: MAX_TEXT - 3].rpartition(' ')[0]} .."
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _number(text: str) -> int:
    """The number that a literal of C stands for; 0 for anything else."""
    digits = text.rstrip("uUlL")
    try:
        return int(digits, 8 if re.fullmatch("0[0-7]+", digits) else 0)
    except ValueError:
        return 0


def _scope_name(size: str, of: str) -> str:
    """RTE_MAX_ETHPORTS is `port`, MAX_SESSIONS `session`, 64 what the array is called."""
    words = [w for w in identifier(size).split("_") if w not in ("rte", "max", "num", "nb", "n")]
    if not re.fullmatch(r"[A-Za-z_]\w*", size) or not words:
        words = [w for w in identifier(of).split("_") if not COUNTS.search(w)] or ["element"]
    name = "_".join(words).removeprefix("eth")
    return identifier(name[:-1] if re.search(r"[^s]s$", name) else name)


class _Proposing:
    """Scopes by name, as they are found."""

    def __init__(self, source: Source, uses: Uses) -> None:
        self.source, self.uses = source, uses
        self.scopes: dict[str, Scope] = {}
        self.seen: list[Seen] = []
        self.taken: dict[str, Member] = {}
        self.tags: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.named = uses.local | source.shared
        self.copied = {source.type(name).removeprefix("struct ") for name in uses.copied}

    def _size(self, text: str) -> tuple[int, bool]:
        """How many elements an array has, and whether that is a guess."""
        found = 1
        for part in text.strip("() ").split("*"):
            name = part.strip("() ")
            found *= _number(name) or self.source.numbers.get(name) or KNOWN.get(name) or 0
        return (found, False) if 0 < found < 2**32 else (GUESS, True)

    def _scope(self, word: Word, about: str, place: Place) -> Scope | None:
        """The scope of a word; None for more than one index."""
        left = [size for size in word.sizes if not LCORES.fullmatch(size)]
        if word.object:
            of = word.variable.type.removeprefix("struct ")
            name = identifier(of)
            if name in self.scopes and not self.scopes[name].embedded:
                name = f"{name}_object"
            new = Scope(name, _sentence(about or f"One of {of}"), embedded=True, place=place)
        elif len(left) > 1:
            return None
        elif not left:
            new = Scope("global", "", place=place)
        else:
            maximum, guessed = self._size(left[0])
            of = word.variable.name if left[0] in word.outer else word.member.name
            name = _scope_name(left[0], of)
            if name in self.scopes and self.scopes[name].maximum != maximum:
                name = identifier(f"{name}_{identifier(of)}")
            sentence = _sentence(about or f"One of {word.variable.name or word.member.name}")
            new = Scope(name, sentence, maximum, left[0], guessed, place=place)
        return self.scopes.setdefault(new.name, new)

    def take(self, v: Member, below: list[Word], struct: Struct | None) -> None:
        """The counters among the words of a variable, or of objects."""
        if struct and (v.pointer or not v.name) and struct.name in self.copied:
            todo = "write it into the schema if it counts"
            self._see(below[0], "is a variable of a function", todo, struct.name)
            return
        if struct and not v.name:
            if struct.name in self.taken:
                return
            if COUNTS.search(struct.name) and not any(self.uses.adds(w.member.name) for w in below):
                todo = "give the file with its variable, too"
                self._see(below[0], "has no variable in these files", todo, struct.name)
                return
        elif struct and self.taken.setdefault(struct.name, v) != v:
            todo = "leave it out if it is a copy for a reader"
            self._see(below[0], f"is another {struct.name}", todo, v.name)
            return
        rows: dict[str, list[Word]] = {}
        about, place = (struct.comment, struct.place) if struct else ("", v.place)
        for word in self._once(v, below):
            shown = "".join(f"[{size}]" for size in word.sizes)
            if not (width := word.width(self.source, self.uses)):
                verdict, todo = f"is of type {word.member.type}", "count in a word of 32 or 64 bits"
                self._see(word, verdict, todo, word.member.name)
            elif scope := self._scope(word, about, place):
                self._put(scope, word, width)
                rows.setdefault(scope.name, []).append(word)
            else:
                todo = "use one index for all, or labels"
                self._see(word, "has several indexes", todo, f"{word.name}{shown}")
        for name, found in rows.items():
            if todo := self._todo(found):
                self._see(found[0], str(self.scopes[name]), todo)

    def _once(self, v: Member, below: list[Word]) -> Iterator[Word]:
        """The words that no other variable has led to. A struct in objects is one scope, wherever
        it is in them, as patches change its type."""
        for word in below:
            other = self.taken.get(word.owner)
            where = (v.type, word.path[:-1])
            if other is not None and other != v and other.pointer:
                continue
            if word.object and word.owner and self.tags.setdefault(word.owner, where) != where:
                name = ".".join((v.type, *word.path))
                self._see(word, f"is another {word.owner}", "give it a struct of its own", name)
            else:
                yield word

    def _origin(self, word: Word) -> Origin:
        """Its location for patches, which know a variable by its name alone."""
        origin = word.origin()
        bare = origin.where not in ("object", "pointer")
        hidden = bare and origin.variable in self.named
        if origin.where in ("array", "lcore", "columns", "object"):
            others = self.source.fields.get(origin.variable, set())
            hidden = hidden or any(self._has(one, word) for one in others)
        return replace(origin, where="", tag="", hidden=True) if hidden else origin

    def _has(self, type_: str, word: Word) -> bool:
        """Whether another type than that of a word's struct may have a member of the name."""
        name = self.source.type(type_).removeprefix("struct ")
        struct = self.source.struct(type_)
        if name == (word.owner or "struct") or (struct is None and _PLAIN.fullmatch(name)):
            return False
        return struct is None or any(one.name == word.member.name for one in struct.members)

    def _todo(self, words: list[Word]) -> str:
        """Manual work for the counters of a scope."""
        origins = [self._origin(word) for word in words]
        if any(word.object and not word.origin().tag for word in words):
            return "put its counters into a struct of their own"
        if any(one.hidden for one in origins):
            return "put the calls by hand: another variable or member has its name"
        if any(word.sizes and not word.variable.name for word in words):
            return "its objects count together: give it a parent if there are several"
        by_hand = not all(one.where for one in origins)
        return "put the calls by hand: no patch is for it" if by_hand else ""

    def _see(self, word: Word, verdict: str, todo: str, name: str = "") -> None:
        v = word.variable
        place = v.place if not name or name == v.name else word.member.place
        shown = name or "".join((v.name or v.type, *(f"[{size}]" for size in v.sizes)))
        self.seen.append(Seen(place, shown, verdict, todo))

    def _put(self, scope: Scope, word: Word, width: int) -> None:
        """A counter or gauge in a scope, under a name that is not taken there."""
        name, before = word.name, word.owner or word.variable.name
        names = (identifier(name), identifier(f"{before}_{name}"))
        numbered = (f"{names[1]}_{number}" for number in count(2))
        free = next(one for one in chain(names, numbered) if fold(one) not in scope.taken)
        scope.taken.add(fold(free))
        member = word.member.name if word.owner else ".".join(word.path)
        what = f"Member {member} of {before}" if word.path else f"Variable {name}"
        sentence = _sentence(word.member.comment or what)
        counter = Counter(free, unit(name), sentence, width, word.member.place, self._origin(word))
        level = _LEVELS.search(identifier(name)) or self.uses.sinks(word.member.name)
        (scope.gauges if level else scope.counters).append(counter)


def proposal(source: Source, uses: Uses, module: str) -> Proposal:
    """The schema for the counters found."""
    found = _Proposing(source, uses)
    for variable, below, struct in words(source, uses):
        found.take(variable, below, struct)
    for v in source.variables:
        if uses.decides(v.name) and not v.pointer and Word(v, v).width(source, uses):
            todo = "write it into the schema if it counts"
            found.seen.append(Seen(v.place, v.name, "is compared, too", todo))
    scopes = sorted(found.scopes.values(), key=lambda scope: scope.name != "global")
    return Proposal(identifier(module)[:31].rstrip("_"), tuple(scopes), tuple(found.seen))
