# SPDX-License-Identifier: BSD-3-Clause
"""Reference tables in Markdown, made from what ctrgen itself goes by.

A page of docs/ holds hand-written text and generated parts, each between the lines
`<!-- generated: NAME -->` and `<!-- end -->`. `./dev golden` makes these again. Long tables that
people only look things up in are not in the page but printed, by `./dev reference NAME`, and shown
by the site, at `<!-- printed: NAME -->`.
"""

import functools
import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ctrgen import __path__ as package_path
from ctrgen.findings.diagnostics import RULES, Rule
from ctrgen.model import ir
from ctrgen.model.language import items, schema
from ctrgen.model.language.notifications import SECONDS
from ctrgen.model.naming import c
from ctrgen.model.naming import names as c_names
from ctrgen.model.naming import symbols as naming
from ctrgen.model.naming.lines import listed
from ctrgen.model.strategies.catalogue import Strategy, all_strategies
from ctrgen.model.types import TYPES
from ctrgen.tools import compat
from ctrgen.tools.bench.result import Result
from ctrgen.tools.compat.model import CATEGORIES, CLAUSES
from tests.pages import strategydoc
from tests.pages.jsonschema import Described, json_schema
from tests.pages.machines import machines
from tests.pages.strategydoc import number, yaml
from tests.plan import published
from tests.support.markdown import markdown as table

PART = re.compile(
    r"^(<!-- generated: ([a-z]+)(?: (\w+))? -->\n).*?^(<!-- end -->)$", re.DOTALL | re.MULTILINE
)
"""A generated part of a page: its first line, its name and argument, its last line."""

PRINTED = re.compile(r"^<!-- printed: ([a-z]+) -->$", re.MULTILINE)
"""The place of a part that the page leaves out."""

_SHAPES = {
    ("string", items.DURATION): "duration, such as `1ms`",
    ("string", schema.SIZE): "size, such as `64MiB`",
    ("string", SECONDS): "time, such as `10s`",
}
PLACED = {
    "Schema": ("the module", "module"),
    "Fragment": ("a file", "several-files"),
    "Scope": ("a scope", "scopes"),
    "KeyPart": ("a part", "keys"),
    **{kind.value.capitalize(): (kind.noun, kind.plural) for kind in ir.Kind},
    "Histogram": ("a histogram", "histograms"),
    "Derived": ("a derived item", "sources"),
    "Update": ("an update", "updates"),
    "Notification": ("a notification", "notifications"),
    "SyncChoice": ("a strategy", "sync"),
    "Requires": ("needs", "requires"),
}
"""Models with a section of their own on the page: what a value is called there, and the anchor."""

OTHERS = "all-other-parts"
"""The section of the models that the page leaves out."""

ITEMS = ("Counter", "Gauge", "Peak", "State", "Histogram", "Derived")
"""Models of items: a key that all but histograms share is in one table, and in no other. Their
description, and the keys of a scope that have them, are in the text."""

LEFT = ("KeyPart", "Derived")
"""Models with a section that has their keys in its text: the table is printed."""

_SCALARS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
}


def refresh(text: str) -> str:
    """A page with every generated part made again. Raises KeyError for an unknown one."""

    def part(match: re.Match[str]) -> str:
        first, name, argument, last = match.groups()
        body = PARTS[name](*([argument] if argument else []))
        return f"{first}\n{body.strip()}\n\n{last}"

    return PART.sub(part, text)


def expand(text: str) -> str:
    """A page with the parts that it leaves out. Raises KeyError for an unknown one."""
    return PRINTED.sub(lambda match: PARTS[match[1]]().strip(), text)


# ---- the schema language ----


@functools.cache
def _definitions() -> dict[str, dict[str, Any]]:
    """The JSON Schema of every model, by the model's name."""
    whole = json_schema()
    return {**whole["$defs"], "Schema": whole}


def keys(model: str) -> str:
    """The keys of a part of the language: type, default, meaning."""
    definition = _definitions()[model]
    shared = _shared() | {"description": None} if model in ITEMS else {}
    own = {
        name: entry
        for name, entry in definition["properties"].items()
        if name not in shared or (shared[name] and shared[name] != entry)
        if not (model == "Scope" and _of_items(entry))
    }
    return _on_page(_keys({**definition, "properties": own}))


def _on_page(text: str) -> str:
    """A table with links to parts that the page leaves out: to the section that they have."""
    anchors = {anchor for _, anchor in PLACED.values()}
    return re.sub(r"\(#(\w+)\)", lambda m: m[0] if m[1] in anchors else f"(#{OTHERS})", text)


def _of_items(entry: dict[str, Any]) -> bool:
    """Whether a key of a scope has its items of a kind."""
    return str(entry.get("additionalProperties", {}).get("$ref")).rsplit("/", 1)[-1] in ITEMS


def itemkeys() -> str:
    """The keys that items of every kind have, but for their description."""
    return _on_page(_keys({"properties": _shared()}))


def _shared() -> dict[str, Any]:
    models = (model for model in ITEMS if model != "Histogram")
    first, *others = (_definitions()[model]["properties"] for model in models)
    return {n: e for n, e in first.items() if all(other.get(n) == e for other in others)}


def _keys(definition: dict[str, Any]) -> str:
    first = definition.get("anyOf", [{}])[0]  # what is usual, of several ways
    required = {*definition.get("required", ()), *first.get("required", ())}
    rows = []
    entries = definition["properties"].items()
    for name, entry in sorted(entries, key=lambda pair: pair[0] not in required):
        value = _type(entry) + ("; required" if name in required else _default(entry))
        rows.append([f"`{name}`", value, " ".join(entry["description"].split())])
    return table(["Key", "Value", "Meaning"], rows)


def _default(entry: dict[str, Any]) -> str:
    """The default behind a type; nothing where that is to have no value, or an empty one."""
    value = entry.get("default")
    return "" if value is None or value == "" else f"; default `{yaml(value)}`"


def _type(entry: dict[str, Any]) -> str:
    """What a value looks like, in words."""
    if "$ref" in entry:
        model = entry["$ref"].rsplit("/", 1)[1]
        name, anchor = PLACED.get(model, (model, model.lower()))
        return f"[{name}](#{anchor})"
    if several := entry.get("anyOf") or entry.get("oneOf"):
        ways = [_type(way) for way in several if way.get("type") != "null"]
        return listed(dict.fromkeys(ways), "or")
    if "const" in entry:
        return f"`{yaml(entry['const'])}`"
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


def parts() -> str:
    """The keys of all parts of the language that the page leaves out, a section for each."""
    left = {m: d for m, d in _definitions().items() if m not in PLACED or m in LEFT}
    return _sections(left)


def _sections(definitions: dict[str, dict[str, Any]]) -> str:
    """A section for each model: what it is, its keys."""
    sections = []
    for model, definition in definitions.items():
        text = "\n\n".join(" ".join(p.split()) for p in definition["description"].split("\n\n"))
        sections.append(f"### {model}\n\n{text}\n\n{_keys(definition)}")
    return "\n".join(sections)


def _range(low: int | None, high: int | None) -> str:
    if high is None:
        return "" if low is None else f", at least {number(low)}"
    return f", {number(low)} to {number(high)}"


def results() -> str:
    """The keys of the result of a benchmark, a section for each of its parts."""
    whole = Result.model_json_schema()
    return _sections({"Result": whole, **whole["$defs"]})


def strategykeys() -> str:
    """The keys of a strategy.yaml, then a section for each of its parts."""
    whole = Strategy.model_json_schema(schema_generator=Described)
    return f"{_keys(whole)}\n{_sections(whole['$defs'])}"


# ---- rules ----


def rules() -> str:
    """Every rule: its id, its severity, what must hold."""
    for module in pkgutil.walk_packages(package_path, "ctrgen."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)  # declares its rules
    return _rules(rule for _, rule in sorted(RULES.items()))


def allowing() -> str:
    """The rules about what is allowed itself."""
    return _rules(rule for rule in compat.RULES.values() if rule.id not in compat.CHANGES)


def _rules(rules: Iterable[Rule]) -> str:
    rows = [[f"`{rule.id}`", rule.severity.value, rule.sentence] for rule in rules]
    return table(["Rule", "Severity", "What must hold"], rows)


# ---- names ----


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names, key=lambda name: (name.lower(), name)))


def reserved() -> str:
    """Names that a schema cannot use, with the reason."""
    rows = [[why[0].upper() + why[1:], _code(names.split())] for why, names in c.RESERVED.items()]
    return table(["Why", "Names"], rows)


def symbols() -> str:
    """Every pattern of a generated C name, from the registry that templates ask."""
    several = "`D` is `P`, or `P_STRATEGY` when there are several"
    rows: list[tuple[str, Mapping[str, str]]] = [
        ("the module", naming.MODULE),
        (f"the scopes of one strategy; {several}", naming.DOMAIN),
    ]
    for name, strategy in all_strategies().items():
        if strategy.symbols:
            rows.append((f"the same under `{name}`", {key: f"D_{key}" for key in strategy.symbols}))
    rows.append(("a scope; `S` is `P_SCOPE`", naming.SCOPE))
    for storage, names in naming.STORAGE.items():
        if names:
            rows.append((f"a scope with storage {storage.value}", names))
    several = "`L` is `S`, or `S_DIMENSION` of one of several"
    labelled = {**naming.LEVEL, "label": "L_LABEL"}
    rows.append((f"an index with labels, one called `LABEL`; {several}", labelled))
    rows.append(("a scope whose instances have keys", naming.KEYED))
    labels = naming.KEY_PART | {"label": "S_KEY_X_LABEL"}
    rows.append(("a part `X` of a key with a label `LABEL`", labels))
    for kind in ir.Kind:
        names = naming.accessors(kind)
        rows.append((f"a {kind.value} `X`; `I` is `P` in `{ir.GLOBAL}`, else `S`", names))
    for row in TYPES.values():
        if row.accessors:
            names = {verb: f"I_{verb}_X" for verb in row.accessors}
            rows.append((f"a state `X` of type {row.name}", names))
    rows.append(("an enum `X` with a label `L`", {**naming.ENUM, "label": "S_X_L"}))
    observed = {**c_names.HISTOGRAM, **c_names.OBSERVED}
    rows.append((f"a histogram `X`; `I` is `P` in `{ir.GLOBAL}`, else `S`", observed))
    rows.append(("an update `U`", naming.UPDATE | {"non_lcore": "P_U_non_lcore"}))
    rows.append(("its part under each of several strategies; `T` is `P_U_STRATEGY`", naming.PART))
    return table(["Generated for", "Names"], [[what, _code(n.values())] for what, n in rows])


# ---- evolution ----


def categories() -> str:
    """What a change of a schema can break."""
    return table(["Category", "What happens"], [[f"`{k}`", v] for k, v in CATEGORIES.items()])


def breaking() -> str:
    """Every rule about changes: its id and severity, what it breaks, what happens, what to do."""
    rows = [
        [f"`{r.id}`", r.severity.value, ", ".join(r.tags), r.sentence, r.instead, clause]
        for r in compat.CHANGES.values()
        for clause in [CLAUSES.get(r.id, "")]
    ]
    return table(["Rule", "Severity", "Breaks", "What happens", "Instead", "RFC"], rows)


PARTS: dict[str, Callable[..., str]] = {
    function.__name__: function
    for function in (
        keys, itemkeys, parts, results, rules, reserved, symbols, strategykeys,
        allowing, breaking, categories, machines,
        strategydoc.drawings, strategydoc.footprint, strategydoc.memory, strategydoc.primitives,
        strategydoc.promises, strategydoc.tunables, strategydoc.visible,
    )
} | {"validation": published.table}  # fmt: skip
"""Every generated part by the name that pages use."""

if __name__ == "__main__":
    print("\n".join(PARTS[name]() for name in sys.argv[1:]))
