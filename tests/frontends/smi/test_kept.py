# SPDX-License-Identifier: BSD-3-Clause
"""What a module defines besides objects is given back: notifications, groups, compliances,
OBJECT-IDENTITY; as smidump sees both modules."""

import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from ctrgen.findings.diagnostics import Severity
from ctrgen.frontends.smi import definitions as smi_definitions
from ctrgen.frontends.smi import dump, smidump
from ctrgen.model.naming import smi as naming
from ctrgen.pipeline import importing
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.publish import definitions
from tests.frontends.smi import roundtrip, view
from tests.frontends.smi.test_accepted import accepted, table
from tests.frontends.smi.test_dirty import module, thing
from tests.support import base_mibs, smi_tools
from tests.support import smi as smi_modules
from tests.support.capabilities import IETF_MIBS, needs_base_mibs, needs_ietf, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

KEEP = smi_modules.OWN / "KEEP-MIB.txt"
BESIDES = ("notifications/notification", "groups/group", "compliances/compliance")

Facts = dict[str, Any]


# ---- what smidump sees ----


def seen(file: Path, search: str) -> Facts:
    """By name: all that is said of what is no object."""
    root = ElementTree.fromstring(view.xml(file, search))
    facts: Facts = {}
    for kind in BESIDES:
        facts |= {one.get("name", ""): _said(one) for one in root.iterfind(kind)}
    return facts


def _said(one: ElementTree.Element) -> Any:
    """An element as it is compared: texts are those that a module can have, without line breaks,
    and of types what they allow: an object can get a named one."""
    text = " ".join(naming.escape(one.text or "").split())
    inner = [_said(part) for part in one if part.tag != "parent"]
    return one.tag, one.attrib, text, inner if one.tag == "objects" else sorted(inner, key=str)


def gone(before: Facts, after: Facts) -> Facts:
    """What is not as it was, as it was and as it is."""
    return {
        name: (said, after.get(name)) for name, said in before.items() if after.get(name) != said
    }


def given_back(file: Path, folder: Path) -> tuple[roundtrip.Built, Path]:
    """A module imported and generated again; what was generated."""
    text, diagnostics = importing.run(str(file), smi_modules.base_path())
    assert text is not None, diagnostics.findings
    folder.mkdir(exist_ok=True)
    (folder / "schema.yaml").write_text(text, "utf-8")
    built = roundtrip.build(folder / "schema.yaml")
    (folder / built.name).write_text(built.text, "ascii")
    return built, folder / built.name


def tags(file: Path, base: Path) -> list[str]:
    """What smilint says, by its tags, but for what is about names of other definitions."""
    found = re.findall(r"\[([0-9])\] \{([\w-]+)\}", smi_tools.smilint(file, base=base))
    return sorted(tag for level, tag in found if tag not in OTHER)


OTHER = frozenset(["previous-definition", "identifier-external-redefined", "rowstatus-access"])
"""Of names that ctrgen gives and other modules have as well, and of an object that has some of the
values of a type: it gets all."""


# ---- a module with every construct ----


def test_all_of_a_module_comes_back(tmp_path: Path) -> None:
    search = smi_modules.base_path()[0]
    first, made = given_back(KEEP, tmp_path / "out")
    before, after = seen(KEEP, search), seen(made, search)
    assert gone(before, after) == {}
    extra = after.keys() - before.keys()
    assert extra == {"keepGroup2", "keepCompliance2", "keepNotificationGroup"}
    for said in (
        "keepKinds OBJECT-IDENTITY STATUS current DESCRIPTION",
        'REFERENCE "RFC 1, section 2" ::= { keepMIB 3 }',
        "keepKindOld OBJECT-IDENTITY STATUS deprecated",
        "keepGroups OBJECT IDENTIFIER ::= { keepConformance 1 }",
    ):
        assert said in " ".join(first.text.split()), said
    assert {*tags(made, base_mibs.folder())} <= {*tags(KEEP, base_mibs.folder())}


def test_what_is_left_is_said() -> None:
    _, diagnostics = smi_modules.load(KEEP)
    left = [one.message for one in diagnostics.findings if one.rule == "import-not-imported"]
    assert left == [
        "a DEFVAL is not imported: that of 'keepLevel', and 7 others",
        "write access is not imported: that of 'keepLevel', and 6 others",
        "capabilities are not imported: that of 'keepAgent'",
    ]


def test_flawed_documents_cost_no_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    schema, _ = smi_modules.loaded(KEEP)
    parse = dump.parse
    flawed = lambda text: parse(text.replace("It fell.", "It & fell </x>.").replace("A mask", "<"))  # noqa: E731
    monkeypatch.setattr(smidump, "parse", flawed)
    again, _ = smi_modules.loaded(KEEP)
    assert again["snmp"]["definitions"] == schema["snmp"]["definitions"]


# ---- objects that are left out, or called otherwise ----

TOLD = (
    'tFell NOTIFICATION-TYPE OBJECTS {{ {0} }} STATUS current DESCRIPTION "f" ::= {{ tMIB 30 }}\n'
)
GROUP = 'tGroup OBJECT-GROUP OBJECTS {{ {0} }} STATUS current DESCRIPTION "g" ::= {{ tMIB 31 }}\n'
ASKED = """\
tAsked MODULE-COMPLIANCE STATUS current DESCRIPTION "c"
    MODULE MANDATORY-GROUPS {{ tGroup }} OBJECT {0} MIN-ACCESS read-only DESCRIPTION "o"
    ::= {{ tMIB 32 }}
"""


def besides(folder: Path, objects: str, members: str, refined: str) -> tuple[Any, list[str]]:
    """The definitions of a module, and what its import said."""
    text = objects + TOLD.format(members) + GROUP.format(members) + ASKED.format(refined)
    schema, _, found = accepted(folder, module(text))
    built = build(BuildRequest(str(folder / "t.yaml"), str(folder / "out"), only=("mib",)))
    assert built.exit_code == 0, built.diagnostics.findings
    return schema["snmp"].get("definitions", {}), found


def test_an_object_that_is_left_out(tmp_path: Path) -> None:
    below = thing("tA", 1) + thing("tB", 2) + thing("tC", 7).replace("tMIB", "tA")
    found, said = besides(tmp_path, below, "tB, tC, tNone", "tC")
    assert found["notifications"]["tFell"]["objects"] == ["tB"]
    assert found["object_groups"]["tGroup"]["objects"] == ["tB"]
    assert found["compliances"]["tAsked"]["modules"] == [{"mandatory": ["tGroup"]}]
    assert said.count("import-not-imported tFell") == 2  # tC, tNone


def test_a_group_of_what_is_left_out(tmp_path: Path) -> None:
    below = thing("tA", 1) + thing("tC", 7).replace("tMIB", "tA")
    found, said = besides(tmp_path, below, "tC", "tA")
    assert "objects" not in found["notifications"]["tFell"]
    assert "tGroup" not in found.get("object_groups", {})
    assert found["compliances"]["tAsked"]["modules"][0].keys() == {"objects"}
    assert "import-not-imported tGroup" in said and "import-not-imported tAsked" in said


def test_columns_of_a_table_without_an_index(tmp_path: Path) -> None:
    rows = table("tFoo", 1, "tFooIndex", "tFooBar", index="INDEX { tNobody }")
    found, _ = besides(tmp_path, thing("tA", 2) + rows, "tA, tFooBar", "tA")
    assert found["object_groups"]["tGroup"]["objects"] == ["tA", "tFooBar"]


def test_a_definition_at_the_place_of_another(tmp_path: Path) -> None:
    found, said = besides(tmp_path, thing("tA", 30) + thing("tB", 2), "tB", "tB")
    assert "notifications" not in found
    assert "import-left-out tFell" in said


TRAPS = """\
OLD-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, mgmt, Counter FROM RFC1155-SMI OBJECT-TYPE FROM RFC-1212
    TRAP-TYPE FROM RFC-1215;
snmp OBJECT IDENTIFIER ::= { mgmt 1 11 }
old OBJECT IDENTIFIER ::= { enterprises 32473 7 }
oldIn OBJECT-TYPE SYNTAX Counter ACCESS read-only STATUS mandatory
    DESCRIPTION "In." ::= { old 1 }
oldLevel OBJECT-TYPE SYNTAX INTEGER (0..9) ACCESS read-write STATUS mandatory
    DESCRIPTION "Level." DEFVAL { 5 } ::= { old 2 }
oldFell TRAP-TYPE ENTERPRISE old VARIABLES { oldIn, oldLevel } DESCRIPTION "It fell." ::= 4
linkFell TRAP-TYPE ENTERPRISE snmp DESCRIPTION "Of the protocol." ::= 2
END
"""


def test_traps_of_the_first_smi(tmp_path: Path) -> None:
    """Their OIDs are those that RFC 3584 (3.1) gives them."""
    (tmp_path / "OLD-MIB.txt").write_text(TRAPS, "ascii")
    built, made = given_back(tmp_path / "OLD-MIB.txt", tmp_path / "out")
    (one,) = built.module.snmp.definitions
    assert (one.kind, one.name, one.oid) == ("notification", "oldFell", "1.3.6.1.4.1.32473.7.0.4")
    assert one.members == ("oldIn", "oldLevel") and one.description == "It fell."
    after = seen(made, smi_modules.base_path()[0])
    assert after["oldFell"][1]["oid"] == one.oid
    assert "oldNotificationGroup" in after
    _, diagnostics = smi_modules.load(tmp_path / "OLD-MIB.txt")
    assert [f.message for f in diagnostics.findings if "linkFell" in f.message] != []


# ---- what a schema of one's own may say ----


def test_a_schema_of_ones_own(tmp_path: Path) -> None:
    schema = tmp_path / "own.yaml"
    schema.write_text(OWN, "utf-8")
    first = roundtrip.build(schema)
    assert "ownMain OBJECT-GROUP" in first.text and "ownStatsGroup OBJECT-GROUP" in first.text


OWN = """\
ctrgen: 1
module: own
snmp:
  enterprise: 32473
  revisions: [{date: "2026-01-15", description: First.}]
  definitions:
    object_groups:
      ownMain: {oid: 1.3.6.1.4.1.32473.1.9.1, objects: [ownStatsPkts], description: Main.}
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets.}
      drops: {unit: packets, description: Drops.}
"""


GOOD = ["5", "-5", "up", "'00'H", "'01'b", '"text"', '""', "{ a, b }", "{ }", "{ 0 0 }", "A::b"]
BAD = ["", "5 }", "} END", '"a"b"', "'0x'H", "{ a", "a b", "A", "{a}"]


@pytest.mark.parametrize(("value", "good"), [(value, value in GOOD) for value in (*GOOD, *BAD)])
def test_a_default_value_is_one(value: str, good: bool, tmp_path: Path) -> None:
    schema = tmp_path / "own.yaml"
    item = f"{{unit: packets, description: P., snmp: {{default: {yaml.safe_dump(value)[:-1]}}}}}"
    item = item.replace("\n...", "")
    schema.write_text(OWN.replace("{unit: packets, description: Packets.}", item), "utf-8")
    result = build(BuildRequest(str(schema), str(tmp_path / "out"), only=("mib",)))
    errors = [one for one in result.diagnostics.findings if one.severity is Severity.ERROR]
    assert (not errors) == good, errors


# ---- modules of the IETF ----

SOME = sorted(file.name for file in IETF_MIBS.iterdir()) if IETF_MIBS.is_dir() else []


@needs_ietf
@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", SOME)
def test_modules_of_the_ietf(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", str(IETF_MIBS))
    file, search = IETF_MIBS / name, str(IETF_MIBS)
    text, diagnostics = importing.run(str(file))
    if text is None:
        pytest.skip("it is no module that can be imported")
    _, made = given_back(file, tmp_path / "out")
    try:
        before, after = seen(file, search), seen(made, f"{made.parent}:{search}")
    except ElementTree.ParseError:
        pytest.skip("smidump writes no XML that can be read")
    said = {word for f in diagnostics.findings for word in re.findall(r"'([\w-]+)'", f.message)}
    left = gone(before, after)
    assert {one: fact for one, fact in left.items() if one.split()[0] not in said} == {}
    if 'language="SMIv2"' in view.xml(file, search):
        worse = Counter(tags(made, IETF_MIBS)) - Counter(tags(file, IETF_MIBS))
        assert not worse


# ---- bugs that these tests see ----

BUGS: dict[str, tuple[Any, str, Any]] = {
    "clauses end at the first": (smi_definitions, "_TEXTS", ()),
    "names of IMPORTS are not qualified": (
        smi_definitions._Reader, "_qualified", lambda _, name: name,
    ),
    "no type of a compliance": (smi_definitions._Reader, "_type", lambda *_: ""),
    "every object is in a group": (
        definitions, "grouped", lambda _, parts: {part.key for part in parts},
    ),
    "no object is in a group": (definitions, "grouped", lambda *_: set()),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_seen(bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, other = BUGS[bug]
    monkeypatch.setattr(owner, name, other)
    with pytest.raises((AssertionError, KeyError)):
        test_all_of_a_module_comes_back(tmp_path)


def test_members_that_stay_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smi_definitions, "settle", lambda *_: None)
    with pytest.raises((AssertionError, KeyError)):
        test_a_group_of_what_is_left_out(tmp_path)
