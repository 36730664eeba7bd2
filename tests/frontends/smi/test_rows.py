# SPDX-License-Identifier: BSD-3-Clause
"""A table whose index is an enumeration has labels in place of a number of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

MODULE = """\
SLOT-MIB DEFINITIONS ::= BEGIN
IMPORTS MODULE-IDENTITY, OBJECT-TYPE, Counter64, enterprises FROM SNMPv2-SMI;
slotMIB MODULE-IDENTITY
    LAST-UPDATED "202601010000Z" ORGANIZATION "O." CONTACT-INFO "C." DESCRIPTION "Slots."
    REVISION "202601010000Z" DESCRIPTION "First."
    ::= { enterprises 32473 78 }
slotObjects OBJECT IDENTIFIER ::= { slotMIB 1 }
slotDropTable OBJECT-TYPE
    SYNTAX SEQUENCE OF SlotDropEntry MAX-ACCESS not-accessible STATUS current
    DESCRIPTION "Drops." ::= { slotObjects 1 }
slotDropEntry OBJECT-TYPE
    SYNTAX SlotDropEntry MAX-ACCESS not-accessible STATUS current
    DESCRIPTION "A drop." INDEX { slotDropReason } ::= { slotDropTable 1 }
SlotDropEntry ::= SEQUENCE { slotDropReason INTEGER, slotDropPkts Counter64 }
slotDropReason OBJECT-TYPE
    SYNTAX INTEGER { LABELS } MAX-ACCESS not-accessible STATUS current
    DESCRIPTION "Why." ::= { slotDropEntry 1 }
slotDropPkts OBJECT-TYPE
    SYNTAX Counter64 UNITS "packets" MAX-ACCESS read-only STATUS current
    DESCRIPTION "Packets." ::= { slotDropEntry 2 }
END
"""
LABELS = "acl(3), vlan(1), badTtl(2)"


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))


def slot(folder: Path, labels: str = LABELS) -> Path:
    """The module with these labels, in a file."""
    made = folder / "SLOT-MIB.txt"
    made.write_text(MODULE.replace("LABELS", labels), "utf-8")
    return made


def overlay(folder: Path, text: str) -> Path:
    """A schema that adds to the module."""
    slot(folder)
    made = folder / "mine.yaml"
    made.write_text(f"ctrgen: 1\nimport: SLOT-MIB.txt\n{text}", "utf-8")
    return made


def test_rows_have_the_names_of_the_index(tmp_path: Path) -> None:
    schema, _ = smi_modules.load(slot(tmp_path))
    assert schema is not None
    scope = schema["scopes"]["drop"]
    assert scope["labels"] == ["vlan", "bad_ttl", "acl"]
    assert "max" not in scope
    assert scope["index"][0]["object"] == "slotDropReason"


@pytest.mark.parametrize("labels", ["up(0), down(1)", "a(1), b(3)", "max(1), min(2)"])
def test_other_rows_are_numbers(tmp_path: Path, labels: str) -> None:
    """The numbers are not those of instances, or a name in C would be there twice."""
    module, _ = smi_modules.resolved(slot(tmp_path, labels))
    assert module.scope("drop").maxima == (64,)
    assert not module.scope("drop").labelled


def test_the_module_is_the_same_again(tmp_path: Path) -> None:
    schema = overlay(tmp_path, "")
    result = build(BuildRequest(str(schema), str(tmp_path / "out"), only=("mib",)))
    assert result.exit_code == 0, result.diagnostics.findings
    again, _ = smi_modules.resolved(tmp_path / "out" / "SLOT-MIB.txt")
    assert again.scope("drop").levels[0].labels == ("vlan", "bad_ttl", "acl")


def test_an_overlay_fixes_a_label(tmp_path: Path) -> None:
    text = "updates:\n  bad:\n    add:\n      drop.pkts[bad_ttl]: 1\n"
    checked = check(str(overlay(tmp_path, text)))
    assert checked.module is not None, checked.diagnostics.findings
    assert checked.module.updates[0].fixed["drop"] == {"drop": "bad_ttl"}


@pytest.mark.parametrize("said", ["max: 7", "storage: dynamic"])
def test_an_overlay_says_how_many_rows(tmp_path: Path, said: str) -> None:
    checked = check(str(overlay(tmp_path, f"scopes:\n  drop: {{{said}}}\n")))
    assert checked.module is not None, checked.diagnostics.findings
    assert checked.module.scope("drop").maxima in ((7,), (64,))
    assert not checked.module.scope("drop").labelled
