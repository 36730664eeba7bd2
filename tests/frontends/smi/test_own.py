# SPDX-License-Identifier: BSD-3-Clause
"""Schemas to MIB modules and back: the same schema, the same module."""

import re
from pathlib import Path

import pytest

from ctrgen.pipeline import importing
from tests.frontends.smi import roundtrip
from tests.support import schemas
from tests.support import smi as smi_modules
from tests.support.capabilities import IETF_MIBS, needs_base_mibs, needs_ietf, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]
SHELF = smi_modules.OWN / "SHELF-MIB.txt"
IMPORTED = ("ENTITY-MIB", "IF-MIB", "IP-MIB", "Q-BRIDGE-MIB", "SCTP-MIB", "TCP-MIB", "UDP-MIB")

HARD = """\
ctrgen: 1
module: my_if
description: Everything that a module alone does not say.
sync: {strategy: per_core_seqcount, retries: 77}
bounds: drop
views: [cli, "on", billing]
prometheus: {scrape_interval: 90s}
reset: per_lcore
requires:
  {exact: true, billing: exact, realtime: true, propagation: 90min, memory: 640MiB, lcores: 4}
snmp:
  oid: 1.3.6.1.4.1.32473.9
  name: OTHER-MIB
  identity: somethingElse
  nodes: {myIfNode: 1.3.6.1.4.1.32473.9.77}
  types: {MyIfPercent: {syntax: Integer32 (0..100), description: P., display_hint: d}}
  revisions:
    - {date: "2026-03-01", description: 'Not out -- yet.', draft: true}
    - {date: "2026-01-01", description: First.}
scopes:
  inner:
    parent: outer
    max: 3
    storage: dynamic
    description: "Closes --a comment, -- and (* \\\\ \\" ]]> ünïcode 🦆 %s {{x}}"
    requires: {lcores: 8, consistency: update, billing: any, memory: 64000000B}
    reset: true
    gauges:
      depth: {unit: '1', description: D., min: 0, max: 9}
      limit: {unit: m, description: D. Values are 1 to 2.}
      other: {unit: kbit/s, description: Values are at least 2., max: 4, width: 32}
    counters:
      pkts_low: {unit: packets, width: 32, description: L.}
      pkts: {unit: By, description: P., display: '-- "a" ünï \\', prometheus: {name: octets}}
    states:
      up_type:
        type: enum
        labels: {b: 3, a_b: {value: 1, text: '-- A*) "b"'}, x2y: 2}
        description: T.
  embedded:
    storage: embedded
    sync: {strategy: shared_lock, granularity: instance}
    requires: {realtime: false}
    states:
      s: {type: string, length: 5, description: '"--" S'}
      t: {type: uint32, description: T.}
    counters: {c: {unit: packets, width: 32, description: C., renamed_from: d}}
  global:
    reset: false
    description: "Global -- things."
    order: [late, early]
    counters: {early: {unit: packets, description: E.}, rest: {unit: packets, description: R.}}
    states:
      late: {type: bool, unit: x, description: L., renamed_from: soon}
      "on": {type: enum, labels: [yes_x, "null"], description: O., snmp: {labels: {yes_x: yessir}}}
      percent: {type: int32, description: P., snmp: {syntax: MyIfPercent, name: myPercent}}
  outer:
    renamed_from: former
    max: 40000
    index: [ifIndex, {object: "OTHER2-MIB::otherIndex", syntax: "Integer32 (1..9)"}]
    snmp: {name: anOuter, table: outTable, entry: outEntry, serve: false, cap: 7}
    counters: {pkts: {unit: packets, description: P., snmp: {status: deprecated}}}
updates:
  both:
    description: "Both -- \\"really\\"."
    args: {early: uint32}
    set: {global.late: true, global.on: 'null', inner.depth: 9, embedded.t: early}
    add: {inner.pkts: early, global.early: early, global.rest: 7}
"""


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join([*smi_modules.base_path(), str(IETF_MIBS)]))


REFINED = re.compile(r"^        OBJECT .*?(?=^        OBJECT |^    ::= )", re.MULTILINE | re.DOTALL)

DIGEST = re.compile(r"digest = \w+")


def same(schema: Path, folder: Path, *, refined: bool = True) -> roundtrip.Built:
    """Assert that a schema comes back from its module, and gives the same module again.

    A compliance that was published without what it refines stays without: `refined` is false where
    only a new one, of a schema without a lock file, has that.
    """
    first = roundtrip.build(schema)
    second = roundtrip.back(first, folder)
    assert roundtrip.facts(second.module) == roundtrip.facts(first.module)
    before, now = first.text, second.text
    if not refined:
        before, now = DIGEST.sub("", before), DIGEST.sub("", REFINED.sub("", now))
    assert (second.name, now) == (first.name, before)
    return first


@pytest.mark.parametrize("locked", [True, False])
@pytest.mark.parametrize("name", schemas.NAMES)
def test_examples_come_back(name: str, locked: bool, tmp_path: Path) -> None:
    schema = schemas.sources(tmp_path / "schemas")[name]
    lock = schema.with_suffix(".ctrgen.lock")
    if not locked:
        lock.unlink(missing_ok=True)
    same(schema, tmp_path, refined=not lock.exists())


def imported(file: Path, tmp_path: Path) -> Path:
    """The schema that a module of others is imported as."""
    text, diagnostics = importing.run(str(file), smi_modules.base_path())
    assert text is not None, diagnostics.findings
    schema = tmp_path / "first" / "imported.yaml"
    schema.parent.mkdir()
    schema.write_text(text, "utf-8")
    return schema


def test_an_imported_schema_comes_back(tmp_path: Path) -> None:
    same(imported(SHELF, tmp_path), tmp_path)


@needs_ietf
@pytest.mark.parametrize("name", IMPORTED)
def test_schemas_of_the_ietf_come_back(name: str, tmp_path: Path) -> None:
    same(imported(IETF_MIBS / name, tmp_path), tmp_path)


def test_an_overlay_comes_back(tmp_path: Path) -> None:
    """What is added to imported tables, and changed in them, next to what was imported."""
    overlay = tmp_path / "mine.yaml"
    overlay.write_text(
        f"ctrgen: 1\nimport: {SHELF}\nsync: per_core\nreset: true\nscopes:\n"
        "  global: {counters: {more: {unit: packets, description: M.}}}\n"
        "  shelf:\n    max: 3\n    sync: shared_atomic\n    counters:\n"
        "      in_octets: {unit: bytes, description: Other -- words.}\n"
        "      added: {unit: packets, description: A.}\n"
        "  mine: {max: 2, parent: shelf_2, gauges: {g: {unit: x, description: G., max: 3}}}\n"
        "  shelf_2: {max: 2, counters: {c: {unit: x, description: C.}}}\n"
        "updates:\n  put: {args: {size: uint32}, add: {shelf.in_octets: size, mine.g: 1}}\n"
    )
    same(overlay, tmp_path)


def test_what_is_hard_comes_back(tmp_path: Path) -> None:
    schema = tmp_path / "hard.yaml"
    schema.write_text(HARD, "utf-8")
    built = same(schema, tmp_path / "back")
    for line in re.findall("(?m)^ *--(.*)$", built.text):
        if "ctrgen" in line:
            assert "--" not in line and line.isascii() and line.isprintable(), line
            assert len(line) <= 70


def test_a_module_that_was_edited_is_one_of_others(tmp_path: Path) -> None:
    schema = tmp_path / "hard.yaml"
    schema.write_text(HARD, "utf-8")
    built = roundtrip.build(schema)
    module = tmp_path / "OTHER-MIB.txt"
    for line_ends in ("\n", "\r\n"):
        module.write_text(built.text.replace("\n", line_ends), "ascii", newline="")
        assert not importing.run(str(module), smi_modules.base_path())[1].findings
    module.write_text(built.text.replace('"P."', '"Packets."', 1), "ascii")
    text, diagnostics = importing.run(str(module), smi_modules.base_path())
    assert "import-edited" in {finding.rule for finding in diagnostics.findings}
    assert text is not None and "Packets." in text and "retries: 77" not in text
