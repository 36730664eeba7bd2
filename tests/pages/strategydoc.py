# SPDX-License-Identifier: BSD-3-Clause
"""Reference tables about the strategies and the cost model, for `schemadoc`."""

from collections.abc import Iterable
from importlib import resources
from typing import Any

from ctrgen.model import totals
from ctrgen.model.strategies.catalogue import Strategy, Tunable, all_strategies
from ctrgen.model.strategies.costs import PRIMITIVES
from ctrgen.model.strategies.promises import Promises
from ctrgen.model.strategies.shape import Bytes
from ctrgen.pipeline.check import check
from tests.pages.steps import deeds
from tests.support.markdown import markdown as table


def yaml(value: Any) -> str:
    """A value as a schema has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def number(value: int | None) -> str:
    """A bound; one next to a power of two is written as that."""
    if value is None:
        return "any"
    for power in (31, 32, 63, 64):
        if (short := (1 << power) - abs(value)) in (0, 1):
            return f"{'-' if value < 0 else ''}2^{power}{'-1' if short else ''}"
    return str(value)


def _text(value: Any) -> str:
    return {True: "yes", False: "**no**"}[value] if isinstance(value, bool) else str(value)


def promises() -> str:
    """What every strategy promises, and what readers and updates do to each other meanwhile."""
    fields = Promises.model_fields.items()
    titles = {k: f.title or k.capitalize() for k, f in fields}
    rows = []
    for strategy in all_strategies().values():
        values = [_text(getattr(strategy.promised(), key)) for key in titles]
        cycles = "unknown" if strategy.cycles is None else str(strategy.cycles)
        each = [*values, *_meanwhile(strategy), ", ".join(strategy.storage), cycles]
        rows.append([f"`{strategy.name}`", *each])
    more = ("A reader delays an update", "Updates delay a reader")
    return table(["Strategy", *titles.values(), *more, "Storage", "Cycles"], rows)


def _meanwhile(strategy: Strategy) -> tuple[str, str]:
    """What a reader that runs does to updates, and they to it, with the most that it is."""
    says = {"never": "never", "instance": "one instance", "snapshot": "the snapshot"}
    tries = strategy.settings()
    most = next((value for name, value in tries if name == strategy.tries), "any")
    again = "tries again" if most == "any" else f"at most {most} tries"
    theirs = {"never": "never", "tries": again, "waits": "its lock"}
    return says[strategy.delays()], theirs[strategy.delayed()]


def visible() -> str:
    """After how many ends of bursts readers see a count."""
    rows = []
    for strategy in all_strategies().values():
        if strategy.visible is not None:
            times = f"{strategy.visible.times} * " if strategy.visible.times > 1 else ""
            calls = f"`{times}{strategy.visible.of}`: {strategy.visible_after():,}"
            rows.append([f"`{strategy.name}`", calls])
    rows.append(["all others", "0: when the update returns"])
    return table(["Strategy", "Calls of `P_burst_end()`, by default"], rows)


def drawings() -> str:
    """A section for each strategy: what an update does, and its drawing."""
    sections = []
    for strategy in all_strategies().values():
        name = strategy.name
        (who, says), *_ = deeds(strategy).sentences
        lines = [f"### `{name}`", "", f"{who} {says}", "", f"![{name}, drawn](drawings/{name}.svg)"]
        sections.append("\n".join(lines) + "\n")
    return "\n".join(sections)


def tunables() -> str:
    """The tunables, each with the strategies that have it."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for strategy in all_strategies().values():
        for name, tunable in strategy.tunables.items():
            default = f"`{yaml(tunable.default)}`"
            row = (f"`{name}`", _allowed(tunable), default, _meaning(tunable))
            rows.setdefault(row, []).append(f"`{strategy.name}`")
    cells = [[row[0], ", ".join(names), *row[1:]] for row, names in rows.items()]
    return table(["Tunable", "Of", "Value", "Default", "Meaning"], cells)


def _allowed(tunable: Tunable) -> str:
    if tunable.values:
        return ", ".join(f"`{value}`" for value in tunable.values)
    return f"{number(tunable.minimum)} to {number(tunable.maximum)}"


def _meaning(tunable: Tunable) -> str:
    text = tunable.description
    if tunable.at_most:
        text += f" At most `{tunable.at_most}`."
    if tunable.holds == "record":
        text += " At least the units of the largest update: a record is never split."
    return text


def memory() -> str:
    """What each strategy adds to an instance, an element and an lcore, with default tunables."""
    rows = []
    for strategy in all_strategies().values():
        copies = "lcores + 1" if strategy.per_lcore else "1"
        copies = "CPUs + 1" if strategy.by_cpu else copies
        parts = "; ".join(_parts(strategy)) or "nothing"
        rows.append([f"`{strategy.name}`", copies, parts])
    return table(["Strategy", "Copies", "Bytes of its own"], rows)


def _parts(strategy: Strategy) -> Iterable[str]:
    places = {
        "header": "in each instance", "element": "in each element",
        "lcore": "for each lcore", "module": "once",
    }  # fmt: skip
    tier, memory = strategy.main, strategy.shape.memory
    rules: list[tuple[str, Bytes]] = [("header", tier.header), ("element", tier.element)]
    rules += [("lcore", rule) for rule in memory.lcore]
    rules += [("module", rule) for rule in memory.module]
    for part, rule in rules:
        if not rule.bytes and not rule.each:
            continue
        text = f"{rule.bytes} {places[part]}"
        if rule.per:
            first = f"{rule.bytes} + " if rule.bytes else ""
            where = f" {places[part]}" if part != "module" else ""
            text = f"{first}{rule.each} per `{rule.per}`{where}"
        when = " and ".join(f"`{k}: {yaml(v)}`" for k, (v, *_) in rule.when.items())
        yield text + (f" (with {when})" if when else "")
    if strategy.held:
        head, lead = strategy.held.header.bytes, strategy.held.element.bytes
        elements = f"`{strategy.held.elements}` elements of each scope, with {lead} more in each"
        yield f"{head} and {elements}, for each lcore"


def footprint() -> str:
    """Memory of the reference schema under every strategy, with 8 and 64 lcores in use."""
    module = check(str(resources.files("ctrgen.schemas") / "ep.yaml")).module
    assert module is not None
    rows = []
    for strategy in all_strategies().values():
        if "static" in strategy.storage:
            sizes = [totals.footprint_with(module, strategy.name, lcores) for lcores in (8, 64)]
            rows.append([f"`{strategy.name}`", *(f"{size:,}" for size in sizes)])
    return table(["Strategy", "Bytes with 8 lcores", "Bytes with 64 lcores"], rows)


def primitives() -> str:
    """What the cost model knows of each step of an update."""
    locks = {"": "", "element": "one in each instance"}
    rows = [
        [f"`{name}`", str(p.instructions), str(p.locked or ""), str(p.fences or ""),
         locks.get(p.lock or "", f"shared, {p.lock}"), "yes" if p.line else ""]
        for name, p in PRIMITIVES.items()
    ]  # fmt: skip
    head = ["Primitive", "Instructions", "Atomic", "Fences", "Lock", "A line of its own"]
    return table(head, rows)
