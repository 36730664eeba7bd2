# SPDX-License-Identifier: BSD-3-Clause
"""Checks the shape of a raw schema against the models. What is wrong is left out or replaced by a
stand-in, and its path remembered as broken: rules still see the rest and ignore stand-ins."""

import contextlib
import functools
import operator
import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ...findings.diagnostics import Diagnostics, Span, errors
from ...findings.suggest import did_you_mean, nearest
from ...findings.usage import UsageError
from ...model.kinds import GROUPS
from ...model.language import examples, removed, schema
from ...model.language.base import Element, walk
from ...model.language.items import Derived
from ...model.language.scalars import flow
from ...model.language.units import number
from ...model.strategies.catalogue import all_strategies
from ..raw import Path, Raw

errors({
    "unknown-key": "Every key is one that the language has.",
    "wrong-type": "Every value has the type that its key asks for.",
    "wrong-value": "A value is one of those that its key allows.",
    "out-of-range": "A number is within the bounds of its key.",
    "language-version": "A schema says `ctrgen: 1`, the version it is in.",
    "missing-key": "Keys without a default are there.",
    "missing-description":
        "Every item has a description: it is all that an operator ever reads about it.",
    "missing-unit": "Every counter and gauge has a unit: a number without one cannot be used.",
})  # fmt: skip

_SYMBOL = re.compile(r"RTE_[A-Z0-9_]+\Z")

_EXPECTED = {
    "int_type": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "too_long": "a list of at most {max_length} entries",
}
"""The expected form of a value, by pydantic's kind of error."""


@dataclass(slots=True)
class Part:
    """One file of a schema after validation; `broken` holds what was repaired (`lost`), and all
    above it."""

    raw: Raw
    model: schema.Fragment
    broken: set[Path] = field(default_factory=set)
    lost: set[Path] = field(default_factory=set)


def validate(raw: Raw, model: type[schema.Fragment], diagnostics: Diagnostics) -> Part | None:
    """The file as a model, repaired where needed, or None when it is beyond repair."""
    broken: set[Path] = set()
    lost: set[Path] = set()
    for attempt in range(4):
        try:
            return Part(raw, model.model_validate(raw.data), broken, lost)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=True, include_input=False)
        repairs: dict[tuple[str, ...], Element] = {}
        walked = [(walk(model, entry["loc"]), entry) for entry in found]
        reported = _reported(raw, walked) if attempt == 0 else set()
        for elements, entry in walked:
            path = elements[-1].path
            if attempt == 0 and path not in reported:
                _report(raw, elements, entry, diagnostics)
            if not _removed(entry, path):
                lost.add(path)
                broken.update(path[:end] for end in range(len(path) + 1))
            repairs[tuple(map(str, path))] = elements[-1]
        for _, element in sorted(repairs.items()):
            _repair(raw.data, element)
    return None


def _removed(error: ErrorDetails, path: Path) -> bool:
    return error["type"] == "extra_forbidden" and path[-1] in removed.KEYS


def _reported(raw: Raw, walked: list[tuple[list[Element], ErrorDetails]]) -> set[Path]:
    """Keys that are missing where a wrong one stands for them: that one finding is enough."""
    reported: set[Path] = set()
    for elements, error in walked:
        holder = elements[-1].path[:-1]
        if error["type"] != "extra_forbidden":
            continue
        known = elements[-2].keys
        key = str(elements[-1].path[-1]).partition(":")[0]
        reported.add((*holder, nearest(key, known) or ""))
        written = _value(raw.data, holder)
        if not set(written if isinstance(written, dict) else ()) & set(known):  # all wrong
            reported |= {(*holder, name) for name in known}
    return reported


def _describe(elements: list[Element]) -> str:
    """Name of the last element in terms of the language, such as "counter 'pkts'"."""
    path, last = elements[-1].path, elements[-1]
    if not path:
        return "the schema"
    if isinstance(path[-1], int):
        return f"entry {path[-1] + 1} of '{path[-2]}'"
    if last.keys and last.model is None:
        return f"{str(path[-2]).removesuffix('s')} '{path[-1]}'"
    return f"'{path[-1]}'"


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else f"'{value[:40]}...'"
    words = {type(None): "nothing", dict: "a mapping", list: "a list"}
    word = words.get(type(value)) or str(value).lower()
    return word.replace("a ", "an empty ") if value in ({}, []) else word


def _value(data: Any, path: Path) -> Any:
    try:
        return functools.reduce(operator.getitem, path, data)
    except (KeyError, IndexError, TypeError):
        return None


def _report(
    raw: Raw, elements: list[Element], error: ErrorDetails, diagnostics: Diagnostics
) -> None:
    element, path = elements[-1], elements[-1].path
    kind, context = error["type"], error.get("ctx", {})
    if kind == "missing":
        _missing(raw, elements, diagnostics)
        return
    if _removed(error, path):
        message = f"'{path[-1]}' has no effect any more"
        diagnostics.report(removed.RULE, raw.key_span(path), message, removed.HINT)
        return
    if kind == "extra_forbidden":
        holder = _describe(elements[:-1])
        message = f"{holder} has no key '{path[-1]}'" if path[:-1] else f"unknown key '{path[-1]}'"
        hint = _unknown_hint(elements)
        diagnostics.report("unknown-key", raw.key_span(path), message, hint)
        return
    value = _value(raw.data, path)
    what, quoted, span = _describe(elements), _quoted(value), raw.value_span(path)
    if path == ("ctrgen",):
        message = f"this ctrgen reads version 1 of the language, not {quoted}"
        diagnostics.report("language-version", span, message, "write `ctrgen: 1`")
    elif kind in ("greater_than_equal", "less_than_equal"):
        is_count = element.model is schema.Scope and path[-1] == "max"
        limit = context.get("ge", context.get("le"))
        bound = "at least" if "ge" in context else "at most"
        rule = "cardinality" if is_count else "out-of-range"
        diagnostics.report(rule, span, f"{what} must be {bound} {limit}, not {quoted}")
    elif kind in ("literal_error", "string_pattern_mismatch", "enum"):
        message = f"{what} cannot be {quoted}"
        hint = _choices(element, value, context)
        if element.expected.text:
            hint = f"it can be {element.expected.text}"
        diagnostics.report("wrong-value", span, message, hint)
    else:
        wanted = _EXPECTED.get(kind, "").format(**context)
        if not wanted or kind == "list_type":
            wanted = element.expected.text or wanted
        few = kind == "too_short" and value
        message = f"{what} must be {wanted}, not {'a list of one' if few else quoted}"
        hint = _type_hint(kind, value, path, _written(diagnostics, span))
        if few:
            hint = f"name another one, or use '{value[0]}' where '{path[-2]}' would be used"
        if element.model is schema.Scope and path[-1] == "max" and _SYMBOL.match(str(value)):
            hint = f"a constant of DPDK is written {{symbol: {value}, value: 32}}"
        if kind in ("dict_type", "model_type") and (line := examples.example(element)):
            hint = f"write it like `{line}`"
        diagnostics.report("wrong-type", span, message, hint)


def _unknown_hint(elements: list[Element]) -> str:
    """Hint for a key that the language does not have there."""
    key, known = str(elements[-1].path[-1]), elements[-2].keys
    if key in GROUPS and "scopes" in known:
        return f"items are in scopes: write `scopes: {{global: {{{key}: ...}}}}`"
    if elements[-2].type is Derived and nearest(key, known) is None:
        return f"write it like `{examples.example(elements[-2])}`"
    return did_you_mean(key, known, "known keys")


def _missing(raw: Raw, elements: list[Element], diagnostics: Diagnostics) -> None:
    holder, key = elements[-2], str(elements[-1].path[-1])
    rule = {"description": "missing-description", "unit": "missing-unit"}.get(key, "missing-key")
    hints = {
        "description": "add `description:` with one sentence for the operator who reads it",
        "unit": "add `unit:`, such as packets, bytes or 1",
        "ctrgen": "start the file with `ctrgen: 1`",
        "module": "add `module:` with a short lower-case name",
    }
    if key == "strategy" and holder.path:
        given = _value(raw.data, holder.path)
        name = next((n for n in given or () if n in all_strategies()), "")
        if name:
            more = given[name] if isinstance(given[name], dict) else {}
            line = flow({"strategy": name, **more}, str)
            hints[key] = f"write `{holder.path[-1]}: {line}`"
    span = raw.key_span(holder.path)
    if not holder.path:
        span = span._replace(end_line=span.line, end_column=span.column + 1)
    message = f"{_describe(elements[:-1])} has no '{key}'"
    diagnostics.report(rule, span, message, hints.get(key, f"add `{key}:`"))


def _choices(element: Element, value: Any, context: dict[str, Any]) -> str:
    if "pattern" in context:
        return f"write it like `{element.expected.example}`"
    expected = str(context.get("expected", ""))
    names = [name.strip("' ") for name in expected.replace(" or ", ", ").split(",")]
    match = nearest(value, names) if isinstance(value, str) else None
    return f"did you mean '{match}'?" if match else f"it can be {expected}".replace("'", "")


def _written(diagnostics: Diagnostics, span: Span) -> str:
    """A value as it is written, if that is on one line."""
    line = diagnostics.line(span.path, span.line) or ""
    return line[span.column - 1 : span.end_column - 1] if span.line == span.end_line else ""


def _type_hint(kind: str, value: Any, path: Path, written: str) -> str:
    if kind == "string_type" and path == ("module",):
        return "lower-case letters, digits and _, starting with a letter"
    if kind == "string_type" and "labels" in path and not isinstance(value, (bool, type(None))):
        return "a label starts with a letter; instances that have numbers take `max:`"
    if kind == "string_type" and value is None and written not in ("null", "~"):
        return "it has no value: write one"
    if kind == "string_type" and written and not isinstance(value, list):
        return f'put it in quotes: "{written}"'
    if kind == "list_type" and isinstance(value, str) and len(value) <= 40:
        return f"write a list: [{value}]"
    if kind == "bool_type" and isinstance(value, str):
        return "write true or false; yes, no, on and off are text"
    if kind == "int_type" and isinstance(value, str) and value.replace("_", "").isdigit():
        return "write the digits only, without quotes and without _"
    return _digits(value) if kind == "int_type" else ""


def _digits(value: Any) -> str:
    """A hint how to write a number such as `1M` or `1e6` with its digits."""
    with contextlib.suppress(UsageError):
        value = number(value, "", 0, 2**64) if isinstance(value, str) else value
    whole = isinstance(value, float) and value.is_integer() and abs(value) <= 2**53
    if isinstance(value, str):
        return "write its digits: a schema knows no variables, macros or sums"
    return f"write its digits: {int(value)}" if whole else ""


def _repair(data: Any, element: Element) -> None:
    """Leave a wrong key out where it has a default or is unknown, else put in a stand-in."""
    *above, key = element.path or ("",)
    holder = _value(data, tuple(above))
    if isinstance(holder, dict) and (element.optional or element.type is None):
        holder.pop(str(key), None)
    elif isinstance(holder, dict):
        holder[str(key)] = element.stand_in()
    elif isinstance(holder, list) and isinstance(key, int):
        holder[key] = element.stand_in()


def is_lost(path: Path, scope: str) -> bool:
    """Whether items of a scope are missing when what is at a path could not be read."""
    inside = path[:2] == ("scopes", scope) and len(path) < 4
    other = inside and path[2:] and path[2] in schema.Scope.model_fields
    kind = inside and path[2:] and path[2] in GROUPS
    unknown = len(path) == 1 and path[0] not in {*schema.Fragment.model_fields, "import"}
    return path == ("scopes",) or unknown or bool(inside and (kind or not other))
