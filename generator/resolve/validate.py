# SPDX-License-Identifier: BSD-3-Clause
"""Checks the shape of a raw schema against the models, and mends what is wrong.

Every finding is reported; what was wrong is then replaced by something
harmless and its path remembered as broken, so that the rules still see the
rest of the schema and do not complain about the replacement.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from ..findings.diagnostics import Diagnostics, Severity, declare
from ..findings.suggest import did_you_mean, nearest
from ..findings.usage import UsageError
from ..frontends.raw import Path, Raw
from ..language import schema
from ..language import snmp as schema_snmp
from ..language.quantities import number
from ..model.kinds import KINDS

declare("unknown-key", Severity.ERROR, "Every key is one that the language has.")
declare("wrong-type", Severity.ERROR, "Every value has the type that its key asks for.")
declare("wrong-value", Severity.ERROR, "A value is one of those that its key allows.")
declare("out-of-range", Severity.ERROR, "A number is within the bounds of its key.")
declare("cardinality", Severity.ERROR, "A scope has 1 to 2^32-1 instances, nesting included.")
declare("language-version", Severity.ERROR, "A schema says `ctrgen: 1`, the version it is in.")
declare("missing-key", Severity.ERROR, "Keys without a default are there.")
declare(
    "missing-description",
    Severity.ERROR,
    "Every item has a description: it is all that an operator ever reads about it.",
)
declare(
    "missing-unit",
    Severity.ERROR,
    "Every counter and gauge has a unit: a number without one cannot be used.",
)

_TAGGED = {"mapping", "list", "text", "number", "flag"}

_FILL: dict[str, Any] = {
    "ctrgen": 1,
    "module": "module",
    "unit": "1",
    "description": "-",
    "type": "uint32",
    "max": 1,
    "length": 1,
    "strategy": schema.Schema.model_fields["sync"].default,
}

_PATTERNS = {
    schema.SIZE: "64MiB",
    schema_snmp.OID: "1.3.6.1.4.1.32473.1",
    schema_snmp.DATE: "2026-11-21",
    schema_snmp.DESCRIPTOR: "ifInOctets",
    schema_snmp.MODULE: "EP-STATS-MIB",
    schema_snmp.QUALIFIED: "IF-MIB::ifIndex",
    schema_snmp.SYNTAX: "SNMPv2-TC::DisplayString (SIZE (0..64))",
}
"""How text of some pattern is written."""

_EXPECTED = {
    "int_type": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}


@dataclass(slots=True)
class Part:
    """One file of a schema after validation; `broken` holds what was mended, and all around it."""

    raw: Raw
    model: schema.Fragment
    broken: set[Path] = field(default_factory=set)

    def is_broken(self, path: Path) -> bool:
        """Whether something at or below `path` was mended."""
        return path in self.broken


def validate(raw: Raw, model: type[schema.Fragment], diagnostics: Diagnostics) -> Part | None:
    """The file as a model, mended where needed, or None when it is beyond mending."""
    broken: set[Path] = set()
    for attempt in range(4):
        try:
            return Part(raw, model.model_validate(raw.data), broken)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_context=True, include_input=False)
        for entry in errors:
            path = _clean(tuple(entry["loc"]))
            if attempt == 0:
                _report(raw, path, entry["type"], entry.get("ctx", {}), model, diagnostics)
            broken.update(path[:end] for end in range(len(path) + 1))
        paths = {(_clean(tuple(entry["loc"])), entry["type"]) for entry in errors}
        for path, kind in sorted(paths, key=lambda pair: [str(step) for step in pair[0]]):
            _mend(raw.data, path, remove=kind == "extra_forbidden")
    return None


def _clean(loc: Path) -> Path:
    """An error's location without the tags that unions add."""
    if loc[:1] == ("sync",) and len(loc) > 1:
        return loc[:1] + loc[2:]
    if loc[:1] == ("scopes",) and loc[2:3] == ("sync",) and len(loc) > 3:
        return loc[:3] + loc[4:]
    if loc[:1] == ("scopes",) and loc[4:5] == ("labels",) and loc[5:6] and loc[5] in _TAGGED:
        return loc[:5] + loc[6:]
    if loc[:1] == ("scopes",) and loc[2:3] == ("index",):
        return loc[:3] + tuple(step for step in loc[3:] if step not in _TAGGED)
    if loc[:1] == ("updates",) and loc[2:3] in (("add",), ("sub",), ("set",)):
        return loc[:4]
    return loc


def _model_at(path: Path, top: type[BaseModel]) -> type[BaseModel]:
    kinds: dict[str, type[BaseModel]] = {
        "counters": schema.Counter,
        "gauges": schema.Gauge,
        "states": schema.State,
    }
    if path[-1:] == ("requires",):
        return schema.Requires
    if _snmp_end(path):
        return _snmp_model_at(path)
    if len(path) == 2:
        return schema.Scope if path[0] == "scopes" else schema.Update
    if len(path) == 4:
        return kinds.get(str(path[2]), top)
    return top


def _snmp_end(path: Path) -> int:
    """How much of a path leads to the `snmp` or the `index` that it is in; 0 for other paths."""
    if path[:1] == ("snmp",):
        return 1
    if path[:1] == ("scopes",) and path[2:3] in (("snmp",), ("index",)):
        return 3
    return 5 if path[:1] == ("scopes",) and path[4:5] == ("snmp",) else 0


def _snmp_model_at(path: Path) -> type[BaseModel]:
    if path[:2] == ("snmp", "revisions"):
        return schema_snmp.Revision
    if path[:2] == ("snmp", "types"):
        return schema_snmp.Convention
    if path[2:3] == ("index",):
        return schema_snmp.Index
    owners: dict[int, type[BaseModel]] = {1: schema_snmp.Snmp, 3: schema_snmp.ScopeSnmp}
    return owners.get(len(path), schema_snmp.ItemSnmp)


def _describe(path: Path) -> str:
    """What a path is in the words of the language, such as "counter 'pkts'"."""
    if len(path) == 2 and path[0] in ("scopes", "updates"):
        return f"{str(path[0])[:-1]} '{path[1]}'"
    if len(path) == 4 and path[2] in KINDS:
        return f"{KINDS[str(path[2])].value} '{path[3]}'"
    if len(path) > 1 and isinstance(path[-1], int):
        return f"entry {path[-1] + 1} of '{path[-2]}'"
    return f"'{path[-1]}'" if path else "the schema"


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else f"'{value[:40]}...'"
    if isinstance(value, (dict, list)):
        return "a mapping" if isinstance(value, dict) else "a list"
    return str(value)


def _value(raw: Raw, path: Path) -> Any:
    value: Any = raw.data
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _report(
    raw: Raw,
    path: Path,
    kind: str,
    context: dict[str, Any],
    model: type[BaseModel],
    diagnostics: Diagnostics,
) -> None:
    if kind == "missing":
        _missing(raw, path, diagnostics)
        return
    if kind == "extra_forbidden":
        known = list(_model_at(path[:-1], model).model_fields)
        holder = _describe(path[:-1])
        message = f"{holder} has no key '{path[-1]}'" if path[:-1] else f"unknown key '{path[-1]}'"
        hint = did_you_mean(str(path[-1]), known, "known keys")
        diagnostics.report("unknown-key", raw.key_span(path), message, hint)
        return
    value = _value(raw, path)
    what, shown, span = _describe(path), _shown(value), raw.value_span(path)
    if path == ("ctrgen",):
        message = f"this ctrgen reads version 1 of the language, not {shown}"
        diagnostics.report("language-version", span, message, "write `ctrgen: 1`")
    elif kind in ("greater_than_equal", "less_than_equal"):
        is_count = len(path) == 3 and path[-1] == "max"
        limit = context.get("ge", context.get("le"))
        bound = "at least" if "ge" in context else "at most"
        rule = "cardinality" if is_count else "out-of-range"
        diagnostics.report(rule, span, f"{what} must be {bound} {limit}, not {shown}")
    elif kind in ("literal_error", "string_pattern_mismatch", "enum"):
        message = f"{what} cannot be {shown}"
        diagnostics.report("wrong-value", span, message, _choices(path, value, context))
    else:
        message = f"{what} must be {_wanted(path, kind)}, not {shown}"
        diagnostics.report("wrong-type", span, message, _type_hint(kind, value))


def _missing(raw: Raw, path: Path, diagnostics: Diagnostics) -> None:
    holder, key = path[:-1], str(path[-1])
    rule = {"description": "missing-description", "unit": "missing-unit"}.get(key, "missing-key")
    hints = {
        "description": "add `description:` with one sentence for the operator who reads it",
        "unit": "add `unit:`, such as packets, bytes or 1",
        "ctrgen": "start the file with `ctrgen: 1`",
        "module": "add `module:` with a short lower-case name",
    }
    span = raw.key_span(holder)
    if not holder:
        span = type(span)(span.path, span.line, span.column, span.line, span.column + 1)
    message = f"{_describe(holder)} has no '{key}'"
    diagnostics.report(rule, span, message, hints.get(key, f"add `{key}:`"))


def _choices(path: Path, value: Any, context: dict[str, Any]) -> str:
    if "pattern" in context:
        return f"write it like `{_PATTERNS.get(context['pattern'], '1ms')}`"
    expected = str(context.get("expected", ""))
    names = [name.strip("' ") for name in expected.replace(" or ", ", ").split(",")]
    match = nearest(value, names) if isinstance(value, str) else None
    return f"did you mean '{match}'?" if match else f"it can be {expected}".replace("'", "")


def _wanted(path: Path, kind: str) -> str:
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if path[-1] == "sync":
        return "the name of a strategy, or a mapping of `strategy` and its tunables"
    if "index" in path[2:3]:
        return "the name of an object, a mapping, or a list of those"
    if path[-1] == "labels":
        return "a list of names, or a mapping of names to numbers"
    return "a number or the name of a parameter"


def _type_hint(kind: str, value: Any) -> str:
    if kind == "string_type" and isinstance(value, (int, float)):
        return f'put it in quotes: "{_shown(value)}"'
    if kind == "list_type" and isinstance(value, str) and len(value) <= 40:
        return f"write a list: [{value}]"
    if kind == "int_type" and isinstance(value, str) and value.replace("_", "").isdigit():
        return "write the digits only, without quotes and without _"
    if kind == "int_type":
        return _digits(value)
    return ""


def _digits(value: Any) -> str:
    """A hint how to write a number such as `1M` or `1e6` with its digits."""
    try:
        if isinstance(value, str):
            value = number(value, "", 0, 2**64)
    except UsageError:
        return ""
    if not isinstance(value, float) or not value.is_integer() or abs(value) > 2**53:
        return ""
    return f"write its digits: {int(value)}"


def _filler(path: Path) -> Any:
    """Something harmless to put at `path`, or None to leave the key out."""
    if path[:1] == ("scopes",) and len(path) == 2:
        return {"max": 1}
    if len(path) == 4 and path[2] in ("counters", "gauges"):
        return {"unit": "1", "description": "-"}
    if len(path) == 4 and path[2] == "states":
        return {"type": "uint32", "description": "-"}
    if path[:1] == ("updates",) and len(path) == 2:
        return {}
    if path[:1] == ("updates",) and len(path) == 4:
        return "uint8" if path[2] == "args" else 1
    if path[-1:] == ("labels",):
        return {"x": 1}
    if path[4:5] == ("labels",):
        return "x" if isinstance(path[-1], int) else 1
    if path[:1] == ("include",) and len(path) == 2:
        return ""
    gauge_bound = len(path) == 5 and path[2] == "gauges"
    return None if gauge_bound else _FILL.get(str(path[-1]))


def _mend(data: Any, path: Path, *, remove: bool) -> None:
    if _snmp_end(path):  # what is wrong there is left out as a whole
        path, remove = path[: _snmp_end(path)], True
    holder = data
    for step in path[:-1]:
        try:
            holder = holder[step]
        except (KeyError, IndexError, TypeError):
            return
    filler = None if remove or not path else _filler(path)
    if isinstance(holder, list) and isinstance(path[-1], int):
        holder[path[-1]] = filler
    elif isinstance(holder, dict):
        if filler is None:
            holder.pop(str(path[-1]), None)
        else:
            holder[str(path[-1])] = filler
