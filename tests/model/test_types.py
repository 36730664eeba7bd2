# SPDX-License-Identifier: BSD-3-Clause
"""The tables of types and kinds agree with the runtime, the language, SMI and AgentX."""

import ctypes
import re
from pathlib import Path

import pytest

from ctrgen.backends import agentx
from ctrgen.model import kinds
from ctrgen.model.ir import Kind
from ctrgen.model.types import BY_SMI, CODES, KEYS, PARAMETERS, STATES, TYPES, Type
from ctrgen.publish.nodespec import base_type
from tests.pages.jsonschema import json_schema

RUNTIME = Path(__file__).resolve().parents[2] / "runtime" / "include"
HEADER = (RUNTIME / "ctr_module.h").read_text("utf-8")
WORDS = [row for row in TYPES.values() if not row.wide]


def enumerators(name: str) -> dict[str, str]:
    """The constants of an enum of the runtime without their prefix, with their comments."""
    found = re.search(rf"enum {name} {{(.*?)}};", HEADER, re.DOTALL)
    assert found is not None
    return dict(re.findall(r"CTR_(\w+),?\s*/\*\*< (.*?) \*/", found[1]))


def test_the_runtime_has_the_constants_of_all_types() -> None:
    constants = enumerators("ctr_type")
    assert list(constants) == [row.constant for row in CODES.values()]
    assert set(constants) == {row.constant for row in TYPES.values() if row.constant}
    for row in TYPES.values():
        if row.constant and row.c:
            octets = f"[{row.octets or 'size'}]" if row.wide else ""
            assert constants[row.constant].startswith(f"{row.c}{octets}")


def test_the_runtime_has_the_same_facts_of_each_type() -> None:
    """`ctr_type_info()` has a row for each, in the order of the constants."""
    pattern = r'/\* CTR_(\w+) \*/ \{ "(\w+)", ([^,]+), (\w+), (\w+) \}'
    rows = re.findall(pattern, (RUNTIME / "ctr_type.h").read_text("utf-8"))
    assert [
        (constant, name, size.replace("sizeof(bool)", "1"), text != "0", signed == "true")
        for constant, name, size, text, signed in rows
    ] == [
        (row.constant, name, str(row.width // 8), row.text, row.signed)
        for name, row in CODES.items()
    ]


def test_the_runtime_has_the_constants_of_all_kinds() -> None:
    """To readers what observes is a gauge."""
    shown = {kind.value.upper() for kind in Kind if not kind.observes}
    assert set(enumerators("ctr_kind")) == shown
    assert "peak" in enumerators("ctr_kind")["GAUGE"]


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row.name)
def test_a_word_holds_the_values_of_its_type(row: Type) -> None:
    assert row.octets in (4, 8)
    assert row.low < row.high < 2 ** (8 * row.octets)
    if row.c:
        value = getattr(ctypes, f"c_{row.c.removesuffix('_t')}")
        assert ctypes.sizeof(value) * 8 == row.width
        assert value(row.low).value == row.low
        assert value(row.high).value == row.high


def test_the_language_has_the_types() -> None:
    definitions = json_schema()["$defs"]
    assert tuple(definitions["State"]["properties"]["type"]["enum"]) == STATES
    parameter = definitions["Update"]["properties"]["args"]["additionalProperties"]
    assert tuple(parameter["enum"]) == PARAMETERS
    assert set(KEYS) < set(definitions["State"]["properties"])


@pytest.mark.parametrize("name", STATES)
def test_an_object_comes_back_as_the_state_that_it_shows(name: str) -> None:
    row = TYPES[name]
    syntax = base_type(kinds.Kind.STATE.syntax(row, 7))
    assert syntax
    # A comment in the module tells a point in time from a number of ticks.
    assert BY_SMI.get(syntax, name) == ("timeticks" if row.moment else name)
    assert all(BY_SMI[known] == name for known in row.smi_names)


def test_objects_come_back_as_the_kind_that_they_show() -> None:
    for kind in (Kind.COUNTER, Kind.GAUGE):
        for width in (32, 64):
            row = TYPES[f"uint{width}"]
            assert kinds.BY_SMI[kind.syntax(row)] == (kind, row)
            assert kind.syntax(row) in agentx.SYNTAXES
    assert Kind.STATE.smi == {}
    assert not set(BY_SMI) & set(kinds.BY_SMI)


def test_every_kind_says_everything() -> None:
    facts = set(Kind.__annotations__) - {"_value_"}
    for kind in Kind:
        assert facts <= set(vars(kind))
        assert set(kind.updates) <= {*kinds.VERBS, kinds.OBSERVE}
        assert kind.numeric == bool(kind.smi) == bool(kind.metric)
    assert {v for kind in Kind for v in kind.updates} == {*kinds.VERBS, kinds.OBSERVE}
    assert {kind.plural: kind for kind in Kind} == kinds.KINDS


def test_values_are_within_what_the_kind_can_show() -> None:
    unsigned = TYPES["uint64"]
    assert Kind.COUNTER.range(unsigned) == (0, 2**64 - 1)
    assert Kind.GAUGE.range(unsigned) == (0, 2**63 - 1)
    assert Kind.GAUGE.range(TYPES["uint32"]) == (0, 2**32 - 1)
    assert Kind.STATE.range(TYPES["int32"]) == (-(2**31), 2**31 - 1)
    assert (Kind.COUNTER.word, Kind.GAUGE.word) == (0, 8)


def test_a_kind_is_found_by_its_value() -> None:
    assert [Kind(kind.value) for kind in Kind] == list(Kind)
