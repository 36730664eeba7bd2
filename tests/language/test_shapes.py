# SPDX-License-Identifier: BSD-3-Clause
"""What `check` refuses by its shape, an editor underlines; and never what `check` accepts."""

import copy
import functools
import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ctrgen.findings.diagnostics import Severity
from ctrgen.model.language import removed
from ctrgen.pipeline.check import check
from tests.diagnostics.cases import CASES
from tests.pages.jsonschema import json_schema
from tests.support.random_schemas import mutate, random_schema

BY_SHAPE = {
    "bad-unit", "embedded-shape", "empty-text", "empty-update", "enum-labels", "global-shape",
    "histogram-shape", "index-labels", "invalid-name", "labelled-shape",
    "missing-key", "missing-max", "module-name", "negative-amount", "out-of-range", "peak-unit",
    "state-shape", "unknown-key", "unknown-strategy", "unknown-tunable", "update-target",
    "view-name", "wrong-type", "wrong-value",
}  # fmt: skip
BEYOND = {
    "enum-labels": "two labels of one value",
    "index-labels": "labels that differ by case",
    "invalid-name": "a bucket with a name too long, which is made",
    "module-name": "a keyword of C",
    "negative-amount": "a parameter that can be negative",
    "peak-unit": "another unit than that of the gauge",
    "view-name": "names that differ by case",
}
"""What such a rule refuses besides, for which it takes more than a shape."""


@functools.cache
def validator() -> jsonschema.Draft202012Validator:
    """Of the language."""
    return jsonschema.Draft202012Validator(json_schema())


GOOD: dict[str, Any] = yaml.safe_load("""
ctrgen: 1
module: ep
description: Statistics.
views: [cli, billing]
scopes:
  drop:
    labels: {reason: [vlan, ttl], direction: [in, out]}
    counters:
      pkts: {unit: packets, description: Packets.}
  port:
    max: 4
    gauges:
      depth: {unit: "{frame}/s", description: Frames.}
    histograms:
      delays: {unit: ns, description: Delays., log2: {min: 64, max: 256}}
    states:
      link: {type: enum, labels: [up, down], description: Link.}
updates:
  packet:
    args: {size: uint16}
    add: {port.depth: size, "drop.pkts[vlan, in]": 1}
    observe: {}
""")
BYTES = {"counters": {"bytes": {"unit": "By", "description": "Octets."}}}
DRAWN: list[tuple[tuple[Any, ...], Any]] = [
    (("module",), "EP"),
    (("module",), "e" * 64),
    (("description",), "word " * 201),
    (("views",), ["cli", "cli"]),
    (("views",), ["a b"]),
    (("scopes", "port", "use"), ["x", "x"]),
    (("scopes", "port", "max"), {"symbol": "RTE_MAX_ETHPORTS"}),
    (("scopes", "port", "max"), {"symbol": "RTE MAX", "value": 4}),
    (("scopes", "port", "max"), {"symbol": "RTE_MAX_ETHPORTS", "value": 0}),
    (("scopes", "port", "max"), {"symbol": "RTE_MAX_ETHPORTS", "value": 4, "header": "../x.h"}),
    (("defaults",), {"counters": {"width": 16}}),
    (("sets",), {"traffic": {"counters": {"pkts": {"unit": "packets"}}}}),
    (("scopes", "drop", "labels"), {}),
    (("scopes", "drop", "labels", "reason"), []),
    (("scopes", "drop", "labels", "reason"), ["ttl", "ttl"]),
    (("scopes", "drop", "labels", "reason"), ["t tl"]),
    (("scopes", "drop", "labels", "rea-son"), ["ttl"]),
    (("scopes", "drop", "counters", "pkts", "unit"), ""),
    (("scopes", "drop", "counters", "pkts", "unit"), "two words"),
    (("scopes", "drop", "counters", "pkts", "unit"), "u" * 33),
    (("scopes", "drop", "counters", "pkts", "description"), ""),
    (("scopes", "port", "states", "link", "description"), " "),
    (("scopes", "port", "states", "link", "unit"), "a b"),
    (("scopes", "drop", "counters", "2nd"), {"unit": "packets", "description": "Packets."}),
    (("scopes", "p" * 64), {"max": 1, "counters": {}}),
    (("scopes", "port", "states", "link", "labels"), []),
    (("scopes", "port", "states", "link", "labels"), None),
    (("scopes", "port", "states", "link", "labels"), ["a b"]),
    (("scopes", "port", "states", "link", "labels"), {"größe": 1}),
    (("scopes", "port"), {"counters": {}}),
    (("scopes", "port", "labels"), ["a"]),
    (("scopes", "drop", "max"), 4),
    (("scopes", "drop", "storage"), "dynamic"),
    (("scopes", "port", "storage"), "embedded"),
    (("scopes", "flow"), {"storage": "embedded", "sync": "caller", "parent": "port", **BYTES}),
    (("scopes", "flow"), {"storage": "embedded", "sync": "caller", "labels": ["a"], **BYTES}),
    (("scopes", "global"), {"max": 2, **BYTES}),
    (("scopes", "global"), {"labels": ["a"], **BYTES}),
    (("scopes", "global"), {"parent": "port", **BYTES}),
    (("scopes", "global"), {"storage": "dynamic", **BYTES}),
    (("scopes", "port", "states", "link", "length"), 4),
    (("scopes", "port", "states", "link", "type"), "bool"),
    (("scopes", "port", "states", "name"), {"type": "string", "description": "Name."}),
    (("scopes", "port", "histograms", "sizes"), {"unit": "By", "description": "Octets."}),
    (
        ("scopes", "port", "histograms", "sizes"),
        {"unit": "By", "description": "D.", "bounds": [1], "log2": {"min": 1, "max": 1}},
    ),
    (("scopes", "port", "peaks"), {"most": {"description": "Most frames."}}),
    (("updates", "packet", "observe", "port.delays"), 1),
    (("updates", "packet"), {"args": {"size": "uint16"}}),
    (("updates", "packet"), {"add": {}}),
    (("updates", "packet", "args", "si-ze"), "uint8"),
    (("updates", "packet", "add", "port"), 1),
    (("updates", "packet", "add", "port.depth.more"), 1),
    (("updates", "packet", "add", "port.depth"), -1),
    (("updates", "pack et"), {"add": {"port.depth": 1}}),
]
"""A place in GOOD, and what does not belong there."""
FINE: list[tuple[tuple[Any, ...], Any]] = [
    (("module",), "e" * 9),
    (("description",), "a" * 1000),
    (("description",), " \n"),
    (("scopes", "drop", "counters", "pkts", "unit"), "u" * 32),
    (("scopes", "drop", "counters", "pkts", "unit"), "µs"),
    (("scopes", "port", "gauges", "d" * 50), {"unit": "1", "description": "Größe, naïve."}),
    (("scopes", "port", "states", "link", "labels"), {"up": 1, "down": -2}),
    (("scopes", "port", "states", "link", "unit"), ""),
    (("scopes", "port", "description"), ""),
    (("scopes", "port", "max"), {"symbol": "RTE_MAX_ETHPORTS", "value": 4}),
    (("scopes", "port", "states", "seen"), {"type": "timestamp", "description": "When."}),
    (("defaults",), {"counters": {"unit": "packets"}, "scopes": {"storage": "static"}}),
    (("updates", "packet", "add", "port.depth"), 0),
    (("updates", "packet", "observe", "port.delays"), "size"),
    (("updates", "packet"), {"set": {"port.link": "up"}, "add": {}}),
    (("scopes", "port", "states", "name"), {"type": "string", "length": 4, "description": "N."}),
    (
        ("scopes", "port", "histograms", "sizes"),
        {"unit": "By", "description": "D.", "bounds": None, "log2": {"min": 1, "max": 1}},
    ),
    (("scopes", "flow"), {"storage": "embedded", "sync": "caller", **BYTES}),
    (("scopes", "global"), {"storage": "static", "max": None, **BYTES}),
    (("scopes", "drop", "storage"), "static"),
    (("scopes", "port", "storage"), "dynamic"),
    (("scopes", "port", "reset"), "per_lcore"),
    (("scopes", "port", "use"), []),
    (("scopes", "port", "gauges", "depth", "unit"), "%"),
    (("updates", "packet", "args", "size"), "uint64"),
    (("snapshots",), "reader"),
    (("bounds",), "assert"),
    (("snmp",), {"draft": True}),
]


def changed(place: tuple[Any, ...], value: Any) -> Any:
    """GOOD with another value, or with one more."""
    data = copy.deepcopy(GOOD)
    node = data
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    return data


def refused(text: str, folder: Path) -> bool:
    """Whether `check` has an error, or warns of what editors underline."""
    path = folder / "schema.yaml"
    path.write_text(text, "utf-8")
    found = check(str(path)).diagnostics
    return found.failed or any(finding.rule == removed.RULE for finding in found.findings)


def fixtures() -> list[Path]:
    """The schemas that cases of tests/diagnostics have as a file."""
    names = [name for name in CASES.names() if "schema.yaml" in CASES.read(name)]
    folders = [CASES.folder(name) for name in names]
    assert len(folders) > 100
    return [folder / "schema.yaml" for folder in folders]


def words(value: tuple[Any, ...] | Any) -> str:
    return repr(value)[:40]


def test_the_schema_to_change_is_good(tmp_path: Path) -> None:
    assert validator().is_valid(GOOD)
    assert not refused(yaml.safe_dump(GOOD, allow_unicode=True, sort_keys=False), tmp_path)


@pytest.mark.parametrize(("place", "value"), DRAWN, ids=words)
def test_both_refuse(tmp_path: Path, place: tuple[Any, ...], value: Any) -> None:
    data = changed(place, value)
    assert refused(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), tmp_path)
    assert not validator().is_valid(data)


@pytest.mark.parametrize(("place", "value"), FINE, ids=words)
def test_both_accept(tmp_path: Path, place: tuple[Any, ...], value: Any) -> None:
    data = changed(place, value)
    assert not refused(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), tmp_path)
    assert validator().is_valid(data)


def test_editors_underline_what_rules_refuse_by_shape() -> None:
    seen = set()
    for path in fixtures():
        found = check(str(path)).diagnostics.findings
        rules = {f.rule for f in found if f.severity is Severity.ERROR}
        if not rules & BY_SHAPE:
            continue
        try:
            data = yaml.safe_load(path.read_text("utf-8"))
        except (yaml.YAMLError, UnicodeError):
            continue
        seen |= rules & BY_SHAPE
        if validator().is_valid(data):
            assert rules & BY_SHAPE <= BEYOND.keys(), f"{path}: {sorted(rules)}"
    assert seen == BY_SHAPE


def test_editors_underline_nothing_that_is_accepted(tmp_path: Path) -> None:
    """Fixtures of warnings and of what rules judge as a whole, and random schemas, also mutated."""
    texts = [path.read_text("utf-8", "replace") for path in fixtures()]
    chance = random.Random(7)
    drawn = [random_schema(chance) for _ in range(60)]
    texts += drawn + [mutate(text, chance) for text in drawn for _ in range(2)]
    accepted = 0
    for text in texts:
        if refused(text, tmp_path):
            continue
        accepted += 1
        data = json.loads(json.dumps(yaml.safe_load(text), default=str))  # dates are text
        errors = [error.message for error in validator().iter_errors(data)]
        assert errors == [], text
    assert accepted > 40
