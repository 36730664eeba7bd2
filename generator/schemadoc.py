# SPDX-License-Identifier: BSD-3-Clause
"""Reference tables in Markdown, made from what ctrgen itself goes by.

A page of docs/ holds hand-written text and generated parts, each between the
lines `<!-- generated: NAME -->` and `<!-- end -->`. `refresh` fills them in
from the models of the schema language, the strategies' promises, the registry
of rules and the naming rules, so that the reference cannot disagree with the
code. `./dev golden` refreshes all pages, and a test asserts that they are current.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import ir, schema
from .diagnostics import RULES
from .naming import c, words
from .strategies import PROMISES, Strategy, Tunable, all_strategies

PART = re.compile(
    r"^(<!-- generated: ([a-z]+)(?: (\w+))? -->\n).*?^(<!-- end -->)$", re.DOTALL | re.MULTILINE
)
"""A generated part of a page: its first line, its name and argument, its last line."""

_SHAPES = {
    ("string", schema.DURATION): "duration, such as `1ms`",
    ("string", schema.SIZE): "size, such as `64MiB`",
}
PLACED = {
    "Schema": ("the module", "module"),
    "Fragment": ("a file", "several-files"),
    "Scope": ("a scope", "scopes"),
    "Counter": ("a counter", "counters"),
    "Gauge": ("a gauge", "gauges"),
    "State": ("a state", "states"),
    "Update": ("an update", "updates"),
    "SyncChoice": ("a strategy", "sync"),
    "Requires": ("needs", "requires"),
}
"""Models with a section of their own on the page: what a value is called there, and the anchor."""

_SCALARS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
}


def refresh(text: str) -> str:
    """A page with every generated part made again.

    Raises KeyError for a part of an unknown name.
    """

    def made(match: re.Match[str]) -> str:
        first, name, argument, last = match.groups()
        body = PARTS[name](*([argument] if argument else []))
        return f"{first}\n{body.strip()}\n\n{last}"

    return PART.sub(made, text)


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [list(header)]
    lines += [["---"] * len(lines[0])]
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


# ---- the schema language ----


@functools.cache
def _definitions() -> dict[str, dict[str, Any]]:
    """The JSON Schema of every model, by the model's name."""
    whole = schema.json_schema()
    return {**whole["$defs"], "Schema": whole}


def keys(model: str) -> str:
    """The keys of a part of the language: type, default, meaning."""
    return _keys(_definitions()[model])


def _keys(definition: dict[str, Any]) -> str:
    first = definition.get("anyOf", [{}])[0]  # what is usual, of several ways
    required = {*definition.get("required", ()), *first.get("required", ())}
    rows = []
    entries = definition["properties"].items()
    for name, entry in sorted(entries, key=lambda pair: pair[0] not in required):
        default = "required" if name in required else _default(entry)
        rows.append([f"`{name}`", _type(entry), default, entry["description"]])
    return table(["Key", "Value", "Default", "Meaning"], rows)


def _default(entry: dict[str, Any]) -> str:
    value = entry.get("default")
    if value is None or value == "":
        return "none" if value is None and "default" in entry else "empty"
    return f"`{_yaml(value)}`"


def _yaml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _type(entry: dict[str, Any]) -> str:
    """What a value looks like, in words."""
    if "$ref" in entry:
        return _linked(entry["$ref"].rsplit("/", 1)[1])
    for several in ("anyOf", "oneOf"):
        if several in entry:
            found = [_type(one) for one in entry[several] if one.get("type") != "null"]
            *others, final = dict.fromkeys(found)
            return ", ".join(others) + (" or " if others else "") + final
    if "const" in entry:
        return f"`{_yaml(entry['const'])}`"
    if "enum" in entry:
        return ", ".join(f"`{value}`" for value in entry["enum"])
    if entry["type"] == "array":
        return f"list of {_grouped(entry['items'])}"
    if entry["type"] == "object":
        return f"names, each with {_grouped(entry['additionalProperties'])}"
    shape = _SHAPES.get((entry["type"], entry.get("pattern", "")))
    return shape or _SCALARS[entry["type"]] + _range(entry.get("minimum"), entry.get("maximum"))


def _grouped(entry: dict[str, Any]) -> str:
    text = _type(entry)
    return f"({text})" if " or " in text and not text.startswith("`true`") else text


def _linked(model: str) -> str:
    name, anchor = PLACED.get(model, (model, model.lower()))
    return f"[{name}](#{anchor})"


def parts() -> str:
    """The keys of all parts of the language without a section of their own, a section for each."""
    sections = []
    for model, definition in _definitions().items():
        if model not in PLACED:
            text = " ".join(definition["description"].split())
            sections.append(f"### {model}\n\n{text}\n\n{keys(model)}")
    return "\n".join(sections)


def _range(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return ""
    if high is None:
        return f", at least {_number(low)}"
    return f", {_number(low)} to {_number(high)}"


def _number(value: int | None) -> str:
    """A bound; one next to a power of two is written as that."""
    if value is None:
        return "any"
    for power in (31, 32, 63, 64):
        for plus in (0, -1):
            if abs(value) == 2**power + plus:
                sign = "-" if value < 0 else ""
                return f"{sign}2^{power}" + ("-1" if plus else "")
    return str(value)


def results() -> str:
    """The keys of the result of a benchmark, a section for each of its parts."""
    from .bench.result import Result

    whole = Result.model_json_schema()
    sections = []
    for name, definition in {"Result": whole, **whole["$defs"]}.items():
        text = "\n\n".join(" ".join(p.split()) for p in definition["description"].split("\n\n"))
        sections.append(f"### {name}\n\n{text}\n\n{_keys(definition)}")
    return "\n".join(sections)


# ---- strategies ----


def _shown(value: Any) -> str:
    return {True: "yes", False: "**no**"}[value] if isinstance(value, bool) else str(value)


def promises() -> str:
    """What every strategy promises, from strategy.yaml."""
    head = ["Strategy", "Exact", "Consistency", "Reader", "Reset", "Visible after", "Instances"]
    order = ("exact", "consistency", "reader", "reset", "propagation", "instances")
    rows = []
    for strategy in all_strategies().values():
        shown = [_shown(strategy.promises[key]) for key in order]
        cost = "unknown" if strategy.cycles is None else str(strategy.cycles)
        rows.append([f"`{strategy.name}`", *shown, ", ".join(strategy.storage), cost])
    return table([*head, "Storage", "Cycles"], rows)


def promisekeys() -> str:
    """Every promise with the values that it may have."""
    rows = [
        [f"`{key}`", ", ".join(f"`{_yaml(value)}`" for value in values)]
        for key, values in PROMISES.items()
    ]
    return table(["Promise", "Values"], rows)


def summaries() -> str:
    """One line on each strategy."""
    found = all_strategies().values()
    return "".join(f"* `{strategy.name}`: {strategy.summary}\n" for strategy in found)


def tunables() -> str:
    """The tunables of every strategy that has any."""
    rows = []
    for strategy in all_strategies().values():
        for tunable in strategy.tunables:
            row = [f"`{strategy.name}`", f"`{tunable.name}`", _allowed(tunable)]
            rows.append([*row, f"`{_yaml(tunable.default)}`", _meaning(tunable)])
    return table(["Strategy", "Tunable", "Value", "Default", "Meaning"], rows)


def _allowed(tunable: Tunable) -> str:
    if tunable.values:
        return ", ".join(f"`{value}`" for value in tunable.values)
    if isinstance(tunable.default, bool):
        return _SCALARS["boolean"]
    return f"{_number(tunable.minimum)} to {_number(tunable.maximum)}"


def _meaning(tunable: Tunable) -> str:
    text = tunable.description
    if tunable.at_most:
        text += f" At most `{tunable.at_most}`."
    if tunable.holds == "update":
        text += " At least the operations of the largest update: a transaction is never split."
    return text


def memory() -> str:
    """What each strategy adds to an instance, an element and an lcore, with default tunables."""
    rows = []
    for strategy in all_strategies().values():
        copies = "lcores + 1" if strategy.promises["instances"] == "lcores" else "1"
        offsets = "as many bytes again" if strategy.layout.get("offsets") else "none"
        own = "; ".join(text for text in _own(strategy) if text) or "nothing"
        rows.append([f"`{strategy.name}`", copies, offsets, own])
    return table(["Strategy", "Copies", "Offsets of counters", "Bytes of its own"], rows)


def _own(strategy: Strategy) -> Iterable[str]:
    places = {"header": "in each instance", "element": "in each element", "module": "once"}
    for part in ("header", "element", "lcore", "module"):
        rule = strategy.layout.get(part)
        if not rule:
            continue
        text = f"{rule.get('bytes', 0)} {places.get(part, '')}".rstrip()
        if "per" in rule:
            text = f"{rule.get('bytes', 0)} + {rule['each']} per `{rule['per']}` for each {part}"
        when = " and ".join(f"`{key}: {value}`" for key, value in rule.get("when", {}).items())
        yield text + (f" (with {when})" if when else "")


def footprint() -> str:
    """Memory of the reference schema under every strategy, with 8 and 64 lcores in use."""
    from importlib import resources

    from . import layout
    from .check import check

    module = check(str(resources.files("ctrgen.schemas") / "ep.yaml")).module
    assert module is not None
    rows = []
    for strategy in all_strategies().values():
        if "static" in strategy.storage:
            sizes = [layout.footprint_with(module, strategy.name, lcores) for lcores in (8, 64)]
            rows.append([f"`{strategy.name}`", *(f"{size:,}" for size in sizes)])
    return table(["Strategy", "Bytes with 8 lcores", "Bytes with 64 lcores"], rows)


# ---- the cost model ----


def primitives() -> str:
    """What the cost model knows of each step of an update."""
    from .costs import PRIMITIVES

    rows = [
        [
            f"`{name}`",
            str(p.instructions),
            str(p.locked or ""),
            str(p.fences or ""),
            {"": "", "element": "one in each instance"}.get(p.lock, f"shared, {p.lock}"),
            "yes" if p.line else "",
        ]
        for name, p in PRIMITIVES.items()
    ]
    head = ["Primitive", "Instructions", "Atomic", "Fences", "Lock", "A line of its own"]
    return table(head, rows)


def machines() -> str:
    """The built-in machines and where their figures are from."""
    from .plan.machine import MACHINES
    from .plan.output import parameters

    return parameters(tuple(MACHINES.values()), "markdown")


def validation() -> str:
    """The cost model against the published figures."""
    from .plan import output, published

    return output.against_published(list(published.rows()), "markdown")


# ---- rules ----


def rules() -> str:
    """Every rule: its id, its severity, what must hold."""
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], f"{__package__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)  # declares its rules
    rows = [
        [f"`{rule.id}`", rule.severity.value, rule.sentence] for _, rule in sorted(RULES.items())
    ]
    return table(["Rule", "Severity", "What must hold"], rows)


# ---- names ----


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names, key=lambda name: (name.lower(), name)))


def reserved() -> str:
    """Names that a schema cannot use, with the reason."""
    reasons: dict[str, list[str]] = {}
    for name, reason in words.KEYWORDS.items():
        reasons.setdefault(reason[0].upper() + reason[1:], []).append(name)
    for name, origin in words.MACROS.items():
        reasons.setdefault(f"A macro of {origin}", []).append(name)
    reasons["A type of the C library"] = sorted(words.TYPES)
    return table(["Why", "Names"], [[why, _code(names)] for why, names in reasons.items()])


def taken() -> str:
    """Names that generated functions and structs use themselves."""
    rows = [
        ["the parameter of an update", _code(c.PARAMETERS)],
        ["a scope, beyond those", _code(c.INDEXES - c.PARAMETERS)],
        ["an item", _code(c.MEMBERS)],
    ]
    return table(["Not the name of", "Because generated code uses it"], rows)


def symbols() -> str:
    """Every pattern of a generated C name, from the list that collisions are checked with."""
    rows = [["the module", _code(f"P_{suffix}" for suffix in c.MODULE_SUFFIXES)]]
    own = "the scopes of one strategy; `P_STRATEGY` for `P` when there are several"
    rows.append([own, _code(f"P_{suffix}" for suffix in c.DOMAIN_SUFFIXES)])
    every = ["P_S", "P_S_MAX", *(f"P_S_{suffix}" for suffix in c.SCOPE_SUFFIXES)]
    rows.append(["a scope `S`", _code(every)])
    for storage, suffixes in c.STORAGE_SUFFIXES.items():
        if suffixes:
            names = _code(f"P_S_{suffix}" for suffix in suffixes)
            rows.append([f"a scope with storage {storage.value}", names])
    for kind, verbs in c.ITEM_VERBS.items():
        names = _code(f"P_S_{verb}_X" for verb in verbs)
        rows.append([f"a {kind.value} `X` (`P_{verbs[0]}_X` in `{ir.GLOBAL}`)", names])
    rows.append(["an enum `X` with a label `L`", _code(["P_S_X", "P_S_X_labels", "P_S_X_L"])])
    updates = [f"P_{start}_U" for start in c.UPDATE_PREFIXES]
    updates += ["P_update_U_bulk", "P_U_run", "P_U_foreign"]
    rows.append(["an update `U`", _code(updates)])
    return table(["Generated for", "Names"], rows)


# ---- evolution ----


def categories() -> str:
    """What a change of a schema can break."""
    from .compat.model import CATEGORIES

    return table(["Category", "What happens"], [[f"`{k}`", v] for k, v in CATEGORIES.items()])


def breaking() -> str:
    """Every rule about changes: its id and severity, what it breaks, what happens, what to do."""
    from .compat.rules import CHANGES

    rows = [
        [f"`{r.id}`", r.severity.value, ", ".join(r.tags), r.sentence, r.instead]
        for r in CHANGES.values()
    ]
    return table(["Rule", "Severity", "Breaks", "What happens", "Instead"], rows)


PARTS: dict[str, Callable[..., str]] = {
    "breaking": breaking,
    "categories": categories,
    "footprint": footprint,
    "keys": keys,
    "machines": machines,
    "memory": memory,
    "parts": parts,
    "primitives": primitives,
    "promisekeys": promisekeys,
    "promises": promises,
    "reserved": reserved,
    "results": results,
    "rules": rules,
    "summaries": summaries,
    "symbols": symbols,
    "taken": taken,
    "tunables": tunables,
    "validation": validation,
}
"""Every generated part by the name that pages use."""
