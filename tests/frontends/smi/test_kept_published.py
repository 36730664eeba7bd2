# SPDX-License-Identifier: BSD-3-Clause
"""What a module defines besides objects stays as it was published: notifications, groups and
compliances of KEEP-MIB, imported and built with a lock file. tests/compat/edits.py has changes that
are refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.tools.compat import run as breaking
from tests.frontends.smi.test_kept import KEEP, given_back, seen
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]


def _published(tmp_path: Path) -> Path:
    """The schema of KEEP-MIB with a lock file."""
    given_back(KEEP, tmp_path / "out")
    schema = tmp_path / "out" / "schema.yaml"
    assert build(BuildRequest(str(schema), str(tmp_path / "b"), only=("mib",))).exit_code == 0
    return schema


Edit = Callable[[dict[str, Any]], object]
FROZEN: dict[str, Edit] = {
    "notification-objects": lambda d: d["notifications"]["keepFell"]["objects"].reverse(),
    "notification-removed": lambda d: d["notifications"].pop("keepUngrouped"),
}


@pytest.mark.parametrize("rule", FROZEN)
def test_published_notifications_stay(rule: str, tmp_path: Path) -> None:
    schema = _published(tmp_path)
    before = tmp_path / "before"
    before.mkdir()
    for name in ("schema.yaml", "schema.ctrgen.lock"):
        (before / name).write_bytes((schema.parent / name).read_bytes())
    changed = yaml.safe_load(schema.read_text("utf-8"))
    FROZEN[rule](changed["snmp"]["definitions"])
    schema.write_text(yaml.safe_dump(changed, sort_keys=False), "utf-8")
    result = build(BuildRequest(str(schema), str(tmp_path / "c"), only=("mib",)))
    assert "frozen-definition" in {one.rule for one in result.diagnostics.findings}
    _, found = breaking(str(schema), str(before / "schema.yaml"), only=("oid",))
    assert rule in {one.rule for one in found.findings}, found.findings


def test_it_is_the_same_at_every_build(tmp_path: Path) -> None:
    schema = _published(tmp_path)
    lock = schema.with_name("schema.ctrgen.lock")
    text, module_ = lock.read_text("utf-8"), (tmp_path / "b" / "KEEP-MIB.txt").read_text("utf-8")
    again = build(BuildRequest(str(schema), str(tmp_path / "b"), only=("mib",)))
    assert again.exit_code == 0 and lock.read_text("utf-8") == text
    assert (tmp_path / "b" / "KEEP-MIB.txt").read_text("utf-8") == module_
    lines = text.splitlines()
    assert "  IF-MIB::ifIndex" in lines and "  IF-MIB::ifPacketGroup optional" in lines


def test_a_draft_may_still_change(tmp_path: Path) -> None:
    given_back(KEEP, tmp_path / "out")
    schema = tmp_path / "out" / "schema.yaml"
    changed = yaml.safe_load(schema.read_text("utf-8"))
    changed["snmp"]["revisions"].insert(
        0, {"date": "2026-02-01", "description": "N.", "draft": True}
    )
    for step in ("first", "second", "third"):
        if step == "second":
            taken = changed["snmp"]["definitions"]["object_groups"].pop("keepGroup")
            changed["snmp"]["definitions"]["compliances"].clear()
        if step == "third":
            changed["snmp"]["definitions"]["object_groups"]["keepGroup"] = taken
        schema.write_text(yaml.safe_dump(changed, sort_keys=False), "utf-8")
        result = build(BuildRequest(str(schema), str(tmp_path / "b"), only=("mib",)))
        assert result.exit_code == 0, (step, result.diagnostics.findings)
        text = (tmp_path / "b" / "KEEP-MIB.txt").read_text("utf-8")
        assert ("keepGroup OBJECT-GROUP" in text) == (step != "second")


def test_what_an_earlier_build_has_published(tmp_path: Path) -> None:
    """Of a schema that had no definitions: what it was given keeps its name and OID."""
    given_back(KEEP, tmp_path / "out")
    schema = tmp_path / "out" / "schema.yaml"
    whole = yaml.safe_load(schema.read_text("utf-8"))
    found = whole["snmp"].pop("definitions")
    schema.write_text(yaml.safe_dump(whole, sort_keys=False), "utf-8")
    assert build(BuildRequest(str(schema), str(tmp_path / "b"), only=("mib",))).exit_code == 0
    whole["snmp"]["definitions"] = found
    schema.write_text(yaml.safe_dump(whole, sort_keys=False), "utf-8")
    result = build(BuildRequest(str(schema), str(tmp_path / "b"), only=("mib",)))
    assert result.exit_code == 0, result.diagnostics.findings
    assert "shadowed-definition" in {one.rule for one in result.diagnostics.findings}
    after = seen(tmp_path / "b" / "KEEP-MIB.txt", smi_modules.base_path()[0])
    assert after["keepFell"][1]["oid"] == "1.3.6.1.4.1.32473.77.0.1"
    assert after["keepCompliance"][1]["oid"] != "1.3.6.1.4.1.32473.77.2.2.1"
