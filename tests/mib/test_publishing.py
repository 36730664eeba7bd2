# SPDX-License-Identifier: BSD-3-Clause
"""Publishing is asked for: without `snmp:`, or with `draft: true` in it, nothing is fixed."""

from pathlib import Path

import pytest

from ctrgen.findings.diagnostics import Severity
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, BuildResult, build
from ctrgen.pipeline.check import check
from tests.mib.repository import FIRST, rules
from tests.support import smi_tools
from tests.support.capabilities import needs_base_mibs
from tests.support.process import ctrgen

NO_KEY = FIRST[: FIRST.index("snmp:")] + FIRST[FIRST.index("scopes:") :]
DRAFT = FIRST.replace("snmp:\n", "snmp:\n  draft: true\n")
DRAFTS = pytest.mark.parametrize("text", [NO_KEY, DRAFT], ids=["no key", "draft"])
CHANGES = [
    ("unit: packets, description: Packets.", "width: 32, unit: packets, description: Packets."),
    ("unit: packets, description: Drops.", "unit: bytes, description: Drops."),
    ("labels: [idle, up]", "labels: [up]"),
    ("  session:\n    max: 4\n", "  session:\n    max: 4\n    index: IF-MIB::ifIndex\n"),
    ("drops: {unit", "drops: {snmp: {name: epLosses, access: accessible-for-notify}, unit"),
]
"""What cannot be done to what is published."""


class Folder:
    """A schema, and its output."""

    def __init__(self, path: Path) -> None:
        self.schema, self.out, self.lock = (
            path / name for name in ("ep.yaml", "out", "ep.ctrgen.lock")
        )

    def build(self, text: str, *only: str, mode: str = "write") -> BuildResult:
        self.schema.write_text(text)
        return build(BuildRequest(str(self.schema), str(self.out), only=only, mode=mode))

    def module(self) -> str:
        return (self.out / "EP-STATS-MIB.txt").read_text("ascii")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@DRAFTS
def test_a_draft_is_whole_and_fixes_nothing(folder: Folder, text: str) -> None:
    for old, new in [("", ""), *CHANGES]:
        assert old in text
        result = folder.build(text.replace(old, new))
        assert result.exit_code == 0 and rules(result) == [], print_findings(result.diagnostics)
        assert not folder.lock.exists() and not list(folder.schema.parent.glob("*.lock"))
    assert {"ep_stats.h", "ep_stats.c", "meson.build"} <= {
        path.name for path in folder.out.iterdir()
    }


@DRAFTS
def test_a_draft_says_so_and_how_to_publish_it(folder: Folder, text: str) -> None:
    assert folder.build(text, "mib").exit_code == 0
    head, _, body = folder.module().partition("DEFINITIONS ::= BEGIN")
    assert "DRAFT" in head and "snmp:" in head and "enterprise:" in head and "lock file" in head
    assert "This module is a draft" in body.partition("::= {")[0]
    assert folder.build(FIRST, "mib").exit_code == 0
    assert "draft" not in folder.module().lower()
    assert folder.lock.exists()


@DRAFTS
@needs_base_mibs
def test_a_draft_is_a_valid_module(folder: Folder, text: str) -> None:
    smi_tools.needs("smilint")
    assert folder.build(text, "mib").exit_code == 0
    assert smi_tools.smilint(folder.out / "EP-STATS-MIB.txt") == ""


def test_nobody_is_told_of_a_draft_that_nobody_asked_for(folder: Folder) -> None:
    unused = "snmp: {groups: {none: {}}, "
    for text, said in ((NO_KEY, []), (NO_KEY + unused + "draft: true}\n", ["unused-group"])):
        result = folder.build(text, "mib")
        assert rules(result) == said and result.exit_code == 0
    wrong = NO_KEY.replace("drops: {", "drops: {snmp: {name: epSessionPkts}, ")
    assert "smi-collision" in rules(folder.build(wrong)), "it would be no MIB module"
    assert folder.build(wrong, "c").exit_code == 0


@pytest.mark.parametrize("text", [FIRST, FIRST.replace("  enterprise: 32473\n", "")])
def test_the_key_publishes(folder: Folder, text: str) -> None:
    asked = [] if "enterprise" in text else ["documentation-enterprise"]
    result = folder.build(text)
    assert rules(result) == asked and folder.lock.exists()
    for old, new in CHANGES:
        result = folder.build(text.replace(old, new))
        found = {f.rule for f in result.diagnostics.findings if f.severity is Severity.ERROR}
        assert found and all(rule.startswith("frozen-") for rule in found), (new, found)


def test_an_empty_key_publishes_as_well(folder: Folder) -> None:
    result = folder.build(NO_KEY + "snmp: {}\n")
    assert rules(result) == ["default-revision", "documentation-enterprise"]
    assert folder.lock.exists()
    folder.lock.unlink()
    assert rules(folder.build(NO_KEY + "snmp:\n")) == []
    assert not folder.lock.exists()


@DRAFTS
def test_a_lock_file_without_the_key_is_an_error(folder: Folder, text: str) -> None:
    assert folder.build(FIRST).exit_code == 0
    before = folder.lock.read_bytes(), folder.module()
    for words in ((), ("mib",), ("agentx",)):
        result = folder.build(text, *words)
        assert (result.exit_code, rules(result)) == (1, ["unpublished-lock"])
    assert rules(folder.build(text, mode="check")) == ["unpublished-lock"]
    assert [f.rule for f in check(str(folder.schema)).diagnostics.findings] == ["unpublished-lock"]
    assert before == (folder.lock.read_bytes(), folder.module())
    assert folder.build(text, "c", "meson").exit_code == 0
    (finding,) = folder.build(text).diagnostics.findings
    assert "ep.ctrgen.lock" in finding.message and "snmp" in finding.hint + text
    assert "remove" in finding.hint
    folder.lock.unlink()
    assert rules(folder.build(text)) == []


def test_who_needs_no_oid_never_sees_the_lock_file(folder: Folder) -> None:
    assert folder.build(FIRST).exit_code == 0
    changed = FIRST.replace(
        "unit: packets, description: P", "width: 32, unit: packets, description: P"
    )
    assert rules(folder.build(changed)) == ["frozen-type"] * 2
    wanted = changed.replace("module: ep\n", "module: ep\noutputs: [c, meson]\n")
    for text, only in ((changed, ("c", "meson")), (wanted, ())):
        assert rules(folder.build(text, *only)) == []
        assert rules(folder.build(text, *only, mode="check")) == []
    assert rules(folder.build(wanted, "c", "mib")) == ["frozen-type"] * 2
    assert check(str(folder.schema)).diagnostics.findings == []
    folder.lock.write_text("no lock at all\n")
    assert folder.build(wanted).exit_code == 0
    assert rules(folder.build(changed)) == ["lock-syntax"]


def test_a_schema_says_which_outputs_it_wants(folder: Folder) -> None:
    wanted = NO_KEY.replace("module: ep\n", "module: ep\noutputs: [c, meson]\n")
    assert folder.build(NO_KEY).exit_code == 0
    assert folder.build(wanted).exit_code == 0
    names = {p.name for p in folder.out.iterdir() if p.is_file() and p.name[0] != "."}
    assert names == {"ep_stats.c", "ep_stats.h", "meson.build", "meson_options.txt"}
    assert folder.build(wanted, mode="check").text == ""
    assert folder.build(wanted, "mib").exit_code == 0
    assert (folder.out / "EP-STATS-MIB.txt").exists()
    for wrong in ("[c, mesn]", "[]", "c", "[1]", "{c: true}"):
        result = folder.build(wanted.replace("[c, meson]", wrong))
        assert result.exit_code == 1 and len(result.diagnostics.findings) == 1, wrong
        (finding,) = result.diagnostics.findings
        assert finding.span.line == 3 and (finding.hint or "such as" in finding.message)


def test_a_project_says_which_outputs_its_schemas_want(folder: Folder) -> None:
    """In a file that all of them include; what a schema says itself goes before it."""
    project = folder.schema.parent / "project.yaml"
    project.write_text("ctrgen: 1\noutputs: [c]\n")
    shared = NO_KEY.replace("module: ep\n", "module: ep\ninclude: [project.yaml]\n")
    assert folder.build(shared).exit_code == 0
    names = {p.name for p in folder.out.iterdir() if p.is_file() and p.name[0] != "."}
    assert names == {"ep_stats.c", "ep_stats.h"}
    own = shared.replace("module: ep\n", "module: ep\noutputs: [c, meson]\n")
    assert folder.build(own).exit_code == 0
    assert (folder.out / "meson.build").exists()
    project.write_text("ctrgen: 1\noutputs: [c, mesn]\n")
    (finding,) = folder.build(shared).diagnostics.findings
    assert (finding.rule, Path(finding.span.path).name) == ("unknown-output", "project.yaml")
    assert (finding.span.line, finding.span.column) == (2, 14)
    assert folder.build(own).exit_code == 0


def test_the_second_day_of_the_starter(tmp_path: Path) -> None:
    """One build, a wider counter, another build: what a new user does first."""
    assert ctrgen("init", str(tmp_path)).exit_code == 0
    schema, out = tmp_path / "stats.yaml", tmp_path / "out"
    assert "# snmp:" in schema.read_text("utf-8")
    for change in ("", "width: 32, "):
        text = schema.read_text("utf-8").replace("drops:     {", f"drops:     {{{change}")
        schema.write_text(text)
        result = ctrgen("build", str(schema), "-o", str(out))
        assert (result.exit_code, result.stderr) == (0, "")
    assert not list(tmp_path.glob("*.lock"))


def test_a_name_that_leaves_no_room_for_a_lock_file_is_no_crash(tmp_path: Path) -> None:
    schema = tmp_path / f"{'x' * 248}.yaml"
    schema.write_text(NO_KEY)
    assert rules(build(BuildRequest(str(schema), str(tmp_path / "out")))) == []
