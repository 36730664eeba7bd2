# SPDX-License-Identifier: BSD-3-Clause
"""What reads must give after the calls of a script (amounts.c), in exact arithmetic.

A script is a list of `Line`. Calls have the names of generated functions; rows of a bulk call or a
batch follow each other.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

CORNERS = (0, 1, 2**16 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)
WORD = 2**64
RAW, DEFAULT, BILL = range(3)
NARROW = {"narrow", "c", "marks"}
"""Counters of 32 bits."""
BOUNDS = {"sizes": (0, 1, 65535, 2**31, 2**32 - 1), "powers": tuple(2**n for n in range(17))}
WIDTHS = {
    "own": (64, 64, 32, 64),
    "types": (8, 16, 32, 64),
    "four": (64, 64, 32, 64),
    "group": (16, 32, 32, 32),
    "watch": (64, 32),
    "gauge": (64, 32, 64),
    "lift": (64,),
    "sink": (64,),
    "packet": (64, 32),
}
"""Bits of the arguments of each update."""
CELLS = {"four": "abcd", "types": "abcd", "group": "abd"}
"""Counters of a cell that updates add their first arguments to."""


def indexes(update: str) -> int:
    """How many indexes an update has."""
    return {"packet": 2, "own": 0}.get(update, 1)


@dataclass(frozen=True)
class Line:
    """A call of a thread: `m`, `a` or `b`."""

    call: str
    numbers: tuple[int, ...] = ()
    thread: str = "m"

    def __str__(self) -> str:
        return " ".join((self.thread, self.call, *map(str, self.numbers)))

    def rows(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The update and the numbers of each row; of other calls the one that it is."""
        kind, _, name = self.call.partition("_")
        name = name.removesuffix("_bulk")
        if kind not in ("update", "batch"):
            yield self.call, self.numbers
            return
        width = indexes(name) + len(WIDTHS[name])
        for at in range(0, len(self.numbers), width):
            yield name, self.numbers[at : at + width]


def signed(value: int) -> int:
    """A word as a number with a sign."""
    return value - WORD if value >= WORD // 2 else value


@dataclass
class Model:
    """The values of a module that counts as documented."""

    counters: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    baselines: defaultdict[tuple[int, str], int] = field(default_factory=lambda: defaultdict(int))
    gauges: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    marks: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    seen: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    flows: set[int] = field(default_factory=set)
    drops: int = 0
    late: int = 0
    closed: bool = False

    def perform(self, line: Line) -> None:
        """What a call changes."""
        for name, numbers in line.rows():
            if self.closed and not name.startswith("own"):
                self._come_late(name, numbers)
            else:
                self._of_update(name, numbers) or self._of_item(name, numbers)

    def _come_late(self, name: str, numbers: tuple[int, ...]) -> None:
        """A call before the module is initialised, or after its end."""
        if name in CELLS and numbers[0] >= 4:
            self.drops += 1
        else:
            self.late += 1

    def reset(self, view: int) -> None:
        """A reset of all scopes that can be reset; of the application's object, too."""
        for name, value in self.counters.items():
            self.baselines[view, name] = value

    def reset_module(self) -> None:
        """A reset of the module."""
        for name, value in self.counters.items():
            if not name.startswith("own."):
                self.baselines[DEFAULT, name] = value

    def values(self, view: int) -> dict[str, int]:
        """All that is not 0."""
        found = {
            name: (value - self.baselines[view, name]) % _modulus(name)
            for name, value in self.counters.items()
            if view == DEFAULT or not name.startswith("own.")
        }
        found |= {name: self.gauge(name) for name in self.gauges}
        for at in range(2):
            found |= self._peaks(at)
        found |= {"module.0.drops": self.drops, "module.0.late": self.late}
        return {name: value for name, value in found.items() if value != 0}

    def gauge(self, name: str) -> int:
        """What a read of a gauge gives."""
        highest = 2**32 - 1 if "short" in name else 2**63 - 1
        return min(max(signed(self.gauges[name]), 0), highest)

    def _peaks(self, at: int) -> dict[str, int]:
        found = {}
        for short, greatest in (("", 2**64 - 1), ("short_", 2**32 - 1)):
            high, low = self.seen[f"{at}.{short}high"], self.seen[f"{at}.{short}low"]
            found[f"mark.{at}.{short}high"] = min(max(high, default=0), greatest)
            found[f"mark.{at}.{short}low"] = min(min(low, default=greatest), greatest)
        levels = self.marks[f"mark.{at}.level"]
        found[f"mark.{at}.level_high"] = max(levels, default=0)
        found[f"mark.{at}.level_low"] = min(levels, default=0)
        return found

    def _count(self, name: str, amount: int) -> None:
        self.counters[name] = (self.counters[name] + amount) % _modulus(name)

    def _change(self, name: str, change: Callable[[int], int]) -> None:
        self.gauges[name] = change(self.gauges[name]) % WORD
        self.marks[name].append(self.gauge(name))

    def _observe(self, name: str, value: int) -> None:
        above = f"above_{BOUNDS[name][-1]}"
        bucket = next((f"to_{bound}" for bound in BOUNDS[name] if value <= bound), above)
        self._count(f"global.0.{name}_{bucket}", 1)
        self._count(f"global.0.{name}_sum", value)

    def _of_update(self, update: str, numbers: tuple[int, ...]) -> bool:
        if update not in WIDTHS:
            return False
        if update == "own":
            for item, amount in zip("abcd", numbers, strict=True):
                self._count(f"own.0.{item}", amount)
            return True
        at, *amounts = numbers
        if update in CELLS:
            if at >= 4:
                self.drops += 1
                return True
            for item, amount in zip(CELLS[update], amounts, strict=False):
                self._count(f"cell.{at}.{item}", amount)
            if update == "group":
                self._count("global.0.wide", amounts[3])
            if update == "types":
                self._count("global.0.wide", amounts[3])
                self._count("global.0.narrow", amounts[2])
        elif update == "watch":
            self._watch(at, *amounts)
        elif update == "packet":
            self._packet(at, *amounts)
        elif update == "gauge":
            up, down, to = amounts
            self._change("global.0.level", lambda now: now + up)
            self._count("global.0.wide", up)
            self._change("global.0.short_level", lambda now: now - down)
            self._change(f"cell.{at}.level", lambda now: to)
        else:
            change = amounts[0] if update == "lift" else -amounts[0]
            self._change(f"mark.{at}.level", lambda now: now + change)
        return True

    def _watch(self, at: int, value: int, small: int) -> None:
        for kind in ("high", "low"):
            self.seen[f"{at}.{kind}"].append(value)
            self.seen[f"{at}.short_{kind}"].append(small)
        self._observe("sizes", value)
        self._observe("powers", value)

    def _packet(self, flow: int, leg: int, size: int, mark: int) -> None:
        if flow not in self.flows:
            self.late += 1
            return
        self._count("global.0.wide", size)
        self._count(f"flow.{flow}.pkts", 1)
        self._count(f"flow.{flow}.bytes", size)
        self._count(f"flow.{flow}.marks", mark)
        self._count(f"leg.{flow * 2 + leg}.pkts", 1)
        self._count(f"leg.{flow * 2 + leg}.bytes", size)

    def _of_item(self, call: str, numbers: tuple[int, ...]) -> None:
        scope = next(
            (s for s in ("cell", "flow", "leg", "mark", "own") if call.startswith(s)), "global"
        )
        verb, _, item = call.removeprefix(f"{scope}_").partition("_")
        places = {"global": 0, "own": 0, "leg": 2}.get(scope, 1)
        at = numbers[0] * 2 + numbers[1] if scope == "leg" else numbers[0] if places else 0
        amount = 1 if verb == "inc" else numbers[places]
        name = f"{scope}.{at}.{item}"
        if verb == "observe" and scope == "mark":
            self.seen[f"{at}.{item}"].append(amount)
        elif verb == "observe":
            self._observe(item, amount)
        elif item in ("level", "short_level"):
            self._change(name, CHANGES[verb](amount))
        else:
            self._count(name, amount)


CHANGES: dict[str, Callable[[int], Callable[[int], int]]] = {
    "inc": lambda n: lambda now: now + n,
    "add": lambda n: lambda now: now + n,
    "sub": lambda n: lambda now: now - n,
    "set": lambda n: lambda now: n,
}
"""What calls do to a gauge."""


def _modulus(name: str) -> int:
    return 2**32 if name.rpartition(".")[2] in NARROW else WORD


def text(script: Iterable[Line]) -> str:
    """A script as the program reads it: behind each read what it must give."""
    model, lines = Model(closed=True), []
    for line in script:
        lines.append(str(line))
        if line.call in ("restart", "fini"):
            kept = (model.drops, model.late) if model.closed else (0, 0)
            model = Model(drops=kept[0], late=kept[1], closed=line.call == "fini")
        elif line.call == "create":
            model.flows.add(line.numbers[0])
        elif line.call == "destroy":
            model.flows.discard(line.numbers[0])
        elif line.call == "read":
            values = model.values(line.numbers[0]).items()
            lines[-1] += "".join(f" {name}={value}" for name, value in values)
        elif line.call == "reset":
            model.reset(line.numbers[0])
        elif line.call == "reset_module":
            model.reset_module()
        elif line.call != "run":
            model.perform(line)
    return "\n".join(lines) + "\n"
