# SPDX-License-Identifier: BSD-3-Clause
"""Flaws of vendors' modules, each in a small one: what is meant is imported, and said."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ctrgen.frontends.smi import flaws, heads, imports, mending, source
from ctrgen.pipeline import mend
from ctrgen.pipeline.check import check
from tests.frontends.smi.test_accepted import accepted, items, table
from tests.frontends.smi.test_dirty import module, put, thing
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

BEHIND = thing("tZ", 9)


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))


def with_default(value: str, syntax: str = "IpAddress") -> str:
    more = f"DEFVAL {{ {value} }}\n    ::="
    imports = module("", more=" IpAddress FROM SNMPv2-SMI TruthValue FROM SNMPv2-TC")
    return imports.replace("END\n", thing("tA", 1, syntax).replace("::=", more) + BEHIND + "END\n")


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        (module(thing("t_one__more", 1) + BEHIND), "tOneMore", "t_one__more"),
        (module(thing("tA", 1, "OCTECT STRING") + BEHIND), "tA", "SYNTAX"),
        (with_default("0.0.0.0"), "tA", "DEFVAL"),
        (with_default("FALSE", "TruthValue"), "tA", "DEFVAL"),
        (module(thing("tA", 1, "INTEGER (SIZE(1..5))") + BEHIND), "tA", "SYNTAX"),
        (module(thing("tA", 1, "INTEGER { up(1),\n  down(2)\n  off(3) }") + BEHIND), "tA", "off"),
    ],
    ids=["underscore", "misspelt", "address", "FALSE", "size", "no comma"],
)
def test_a_flaw_costs_no_object(text: str, name: str, line: str, tmp_path: Path) -> None:
    schema, _, found = accepted(tmp_path, text)
    assert items(schema).keys() == {name, "tZ"}
    assert any(one.split()[0] == "import-syntax" for one in found)
    said = {one.split()[1] for one in found if one.startswith("import-syntax")}
    assert said & {line, line.partition("(")[0], f"{line}(3)"}, found


def test_what_a_flaw_is_read_as(tmp_path: Path) -> None:
    syntax = "INTEGER { up(1), down(2) off(3) }"
    text = module(thing("tA", 1, "INTEGER (SIZE ( 1..5 ))") + thing("tB", 2, syntax))
    schema, _, _ = accepted(tmp_path, text)
    found = items(schema)
    assert (found["tA"]["min"], found["tA"]["max"]) == (1, 5)
    assert found["tB"]["labels"] == {"up": 1, "down": 2, "off": 3}


def test_comments_that_end_before_the_line_does(tmp_path: Path) -> None:
    """A second -- ends a comment for the tools; a line that begins as one is all of it here."""
    ruled = f"-- -- {'-' * 35}\n-- -- All that follows\n-----\n-- a -- b -- c --- d\n"
    behind = "INTEGER { up(1), -- one -- down(2) }"
    text = module(ruled + thing("tA", 1, behind) + f"{'-' * 41}\n" + BEHIND, 'One\n-- two -- "')
    text = text.replace('"\n    ::= { ent', "\n    ::= { ent").replace('""', '"')
    schema, _, found = accepted(tmp_path, text)
    assert items(schema).keys() == {"tA", "tZ"}
    assert schema["description"] == "One -- two --"
    assert not [one for one in found if "lost" in one]


@pytest.mark.parametrize(
    ("index", "name"), [("INDEX { TKey }", "TKey"), ("INDEX { TKEY }", "tKey")]
)
def test_an_index_in_capitals(index: str, name: str, tmp_path: Path) -> None:
    text = module(table("tFoo", 1, name, "tB", index=index) + BEHIND)
    schema, _, _ = accepted(tmp_path, text)
    assert [one["object"] for one in schema["scopes"]["foo"]["index"]] == ["tKey"]


def test_an_index_of_which_one_part_is_unknown(tmp_path: Path) -> None:
    text = module(table("tFoo", 1, "tA", "tB", index="INDEX { tNowhere, tA }") + BEHIND)
    schema, _, found = accepted(tmp_path, text)
    assert [one["object"] for one in schema["scopes"]["foo"]["index"]] == ["tA"]
    assert "import-left-out tFooTable" in found


def test_a_column_that_is_imported_as_well(tmp_path: Path) -> None:
    """In the INDEX of its own row it is the column."""
    more = " ifIndex FROM IF-MIB"
    text = module(table("tFoo", 1, "ifIndex", "tB", index="INDEX { ifIndex }"), more=more)
    schema, _, found = accepted(tmp_path, text)
    assert schema["scopes"]["foo"]["index"][0]["oid"].endswith(".99.1.1.1")
    assert not [one for one in found if one.startswith(("import-left", "import-lost"))]


def test_a_row_without_a_table(tmp_path: Path) -> None:
    """Without an INDEX its columns are scalars."""
    rows = table("tFoo", 1, "tA", "tB")
    rows = rows[rows.index("tFooEntry") :].replace("tFooTable 1", "tMIB 1")
    schema, _, found = accepted(tmp_path, module(rows.replace("INDEX { tA }", "") + BEHIND))
    assert items(schema).keys() == {"tA", "tB", "tZ"}
    assert "import-syntax tFooEntry" in found


def test_a_text_that_does_not_begin(tmp_path: Path) -> None:
    text = module(thing("tA", 1)).replace('CONTACT-INFO "c"', 'CONTACT-INFO\n        E-mail: c"')
    schema, _, found = accepted(tmp_path, text)
    assert items(schema).keys() == {"tA"}
    assert schema["snmp"]["contact"] == "E-mail: c"
    assert "import-syntax E-mail:" in found


def test_a_text_that_speaks_of_such_a_clause(tmp_path: Path) -> None:
    said = "Changed the ORGANIZATION, CONTACT-INFO and DESCRIPTION."
    again = f'"\n    REVISION "202601010000Z" DESCRIPTION "{said}"\n    ::= {{ ent'
    text = module(thing("tA", 1), said).replace('"\n    ::= { ent', again)
    schema, _, found = accepted(tmp_path, f"-- CONTACT-INFO is below\n{text}")
    assert schema["description"] == schema["snmp"]["revisions"][0]["description"] == said
    assert not [one for one in found if one.startswith("import-syntax")]


def test_a_parent_in_a_module_with_flaws(tmp_path: Path) -> None:
    """What a module builds on is read as it is meant, too."""
    root = module("").replace("T-MIB", "ROOT-MIB").replace("tMIB", "TROOT")
    put(
        tmp_path, root.replace("END\n", "tAll OBJECT IDENTIFIER ::= { TROOT 5 }\nEND\n"), "ROOT-MIB"
    )
    more = " tAll FROM ROOT-MIB"
    text = module(thing("tA", 1), more=more).replace("enterprises 32473 99", "tAll 99")
    schema, _, _ = accepted(tmp_path, text)
    assert items(schema)["tA"]["snmp"]["oid"] == "1.3.6.1.4.1.32473.99.5.99.1"


def test_names_that_collide_one_after_the_other(tmp_path: Path) -> None:
    """An item gives way to a scope, and then to an item of that scope."""
    text = module(
        table("tAlarmSeverity", 1, "tAlarmSeverityKey", "tAlarmSeverityValue")
        + table("tAlarm", 2, "tAlarmKey", "tAlarmSeverity")
    )
    state = "SYNTAX INTEGER { up(1), down(2) }\n"
    schema, _, found = accepted(tmp_path, text.replace("SYNTAX Counter32\n", state))
    assert {"tAlarmSeverity", "tAlarmSeverityValue"} <= items(schema).keys()
    assert not [one for one in found if one.startswith("import-left")]


def test_a_type_made_for_an_object_with_a_long_name(tmp_path: Path) -> None:
    long = [f"t{'o' * 62}{end}" for end in "AB"]
    things = "".join(thing(name, n, "BITS { a(0), b(1) }") for n, name in enumerate(long, start=1))
    schema, _, _ = accepted(tmp_path, module(things))
    assert items(schema).keys() == {*long}
    assert sorted(map(len, schema["snmp"]["types"])) == [63, 64]


OLD = """\
T-MIB DEFINITIONS ::= BEGIN
IMPORTS OBJECT-TYPE FROM RFC-1212;
box OBJECT IDENTIFIER ::= { enterprises 32473 }
tA OBJECT-TYPE
    SYNTAX Counter
    ACCESS read-only
    STATUS mandatory
    DESCRIPTION "Packets."
    ::= { box 1 }
END
"""
NO_COMMA = module(thing("tA", 1)).replace("Counter32, enterprises", "Counter32 enterprises")
NOT_IMPORTED = module(thing("tA", 1)).replace(", Counter32, enterprises", "")
NO_END = module(thing("tA", 1)).replace("FROM SNMPv2-TC;", "FROM SNMPv2-TC")
STRING = module(thing("tA", 1, "STRING") + BEHIND)
BY_CASE = module(thing("tA", 1, "Displaystring") + BEHIND)
UNKNOWN = module(thing("tA", 1, "TNowhere") + BEHIND)
ALONE = OLD.replace("IMPORTS OBJECT-TYPE FROM RFC-1212;\n", "")


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        (OLD, "tA", {"'enterprises' is not imported: it is read from 'RFC1155-SMI'": 3,
                     "'Counter' is not imported: it is read from 'RFC1155-SMI'": 5}),
        (ALONE, "tA", {"'enterprises' is not imported: it is read from 'RFC1155-SMI'": 2,
                       "'Counter' is not imported: it is read from 'RFC1155-SMI'": 4}),
        (NOT_IMPORTED, "tA", {"'enterprises' is not imported: it is read from 'SNMPv2-SMI'": 10,
                              "'Counter32' is not imported: it is read from 'SNMPv2-SMI'": 12}),
        (NO_COMMA, "tA", {"there is no comma before this import": 3}),
        (NO_END, "tA", {"the imports do not end: they are read up to here": 4}),
        (STRING, "tA tZ", {"no module defines the type 'STRING': it is read as OCTET STRING": 12}),
        (BY_CASE, "tA tZ", {
            "no module defines the type 'Displaystring': it is read as DisplayString": 12}),
        (UNKNOWN, "tA tZ", {"no module defines the type 'TNowhere'": 12}),
    ],
    ids=["first", "alone", "not", "no comma", "no end", "STRING", "by case", "unknown"],
)  # fmt: skip
def test_names_that_no_module_gives(
    text: str, names: str, said: dict[str, int], tmp_path: Path
) -> None:
    """What is meant is imported, and each is a finding where it stands, with a hint."""
    schema, found, _ = accepted(tmp_path, text)
    assert items(schema).keys() == {*names.split()}
    syntax = [one for one in found.findings if one.rule == "import-syntax"]
    assert {one.message: one.span.line for one in syntax} == said
    assert all(one.hint and one.span.column > 1 for one in syntax)


@pytest.mark.parametrize("first", ["tAll, TName", "tAll", "TName", "tAll, tMore, TName, tRest"])
def test_imports_through_a_module_that_imports_them(first: str, tmp_path: Path) -> None:
    """A node and a type that two modules in a row only import."""
    symbols = "tAll, tMore, TName, tRest"
    bottom = "tAll OBJECT IDENTIFIER ::= { tMIB 5 }\ntMore OBJECT IDENTIFIER ::= { tMIB 6 }\n"
    bottom += (
        "tRest OBJECT IDENTIFIER ::= { tMIB 7 }\nTName ::= TEXTUAL-CONVENTION STATUS current\n"
    )
    bottom += '    DESCRIPTION "n" SYNTAX OCTET STRING (SIZE (0..31))\n'
    put(tmp_path, module(bottom).replace("T-MIB", "C-MIB"), "C-MIB")
    for name, above in (("B-MIB", "C-MIB"), ("A-MIB", "B-MIB")):
        relay = module(BEHIND, more=f"\n{symbols} FROM {above}")
        relay = relay.replace("T-MIB", name).replace("tMIB", f"t{name[0]}").replace("99", "98")
        put(tmp_path, relay.replace("tZ", f"t{name[0]}Z"), name)
    body = thing("tA", 1, "TName" if "TName" in first else "Counter32")
    body = body.replace("tMIB", "tAll") if "tAll" in first else body
    text = module(body + BEHIND, more=f"\n    {first} FROM A-MIB")
    schema, found, _ = accepted(tmp_path, text)
    read = items(schema)
    assert read.keys() == {"tA", "tZ"}
    assert read["tA"]["snmp"]["oid"].endswith(".5.1" if "tAll" in first else ".99.1")
    if "TName" in first:
        assert (read["tA"]["length"], read["tA"]["snmp"]["syntax"]) == (31, "C-MIB::TName")
    said = {one.message for one in found.findings if one.rule == "import-syntax"}
    names = first.split(", ")
    assert said == {f"'A-MIB' does not define '{n}': it is read from 'C-MIB'" for n in names}


def test_a_row_that_is_called_as_its_type(tmp_path: Path) -> None:
    text = table("tFoo", 1, "tA", "tB").replace("tFooEntry", "TFooEntry")
    for written in (text, text.replace("FooEntry", "Foo_Entry")):
        schema, _, found = accepted(tmp_path, module(written))
        assert items(schema).keys() == {"tB"} and "foo" in schema["scopes"]
        assert not [one for one in found if one.startswith(("import-lost", "import-left"))]


IDENTITY = module(thing("tA", 1))
LAST = '    LAST-UPDATED "202601010000Z"\n'
ORDER = IDENTITY.replace(LAST, "").replace(
    '    CONTACT-INFO "c"\n', f'    CONTACT-INFO "c"\n{LAST}'
)
FAR = IDENTITY.replace(", enterprises", "").replace(
    "CONVENTION FROM", "CONVENTION, enterprises FROM"
)
BAD_TRAP = module(thing("tA", 1) + "tFell TRAP-TYPE\n ENTERPRISE tMIB\n DESCRIPTION Fell\n ::= 1\n")
OPEN_TRAP = module(thing("tA", 1) + "tFell TRAP-TYPE\n ENTERPRISE tMIB\n ::=\n")
ROOT = IDENTITY.replace("tMIB MOD", "iso OBJECT IDENTIFIER ::= { 1 }\ntMIB MOD")
HEADS = {
    "lower case": (IDENTITY.replace("T-MIB", "t-mib"), {1: "begins with a small letter"}),
    "no END": (IDENTITY.replace("END\n", ""), {1: "does not end"}),
    "no LAST-UPDATED": (IDENTITY.replace(LAST, ""), {5: "'tMIB' has no LAST-UPDATED"}),
    "no ORGANIZATION": (IDENTITY.replace('    ORGANIZATION "o"\n', ""), {5: "no ORGANIZATION"}),
    "order": (ORDER, {5: "in another order"}),
    "comma": (IDENTITY.replace("SMI\n", "SMI,\n").replace("TC;", "TC,;"), {3: "','", 4: "','"}),
    "comma before": (IDENTITY.replace("enterprises FROM", "enterprises, FROM"), {3: "','"}),
    "semicolon": (IDENTITY.replace("SNMPv2-SMI\n", "SNMPv2-SMI;\n"), {3: "';'"}),
    "not there": (FAR, {4: "'SNMPv2-TC' does not define 'enterprises'"}),
    "hyphen": (IDENTITY.replace("tA OBJ", "tA- OBJ"), {11: "'tA-' ends with a hyphen"}),
    "trap": (BAD_TRAP, {19: "'tFell' is no SMI from here on"}),
    "open trap": (OPEN_TRAP, {21: "'tFell' is no SMI from here on"}),
    "root": (ROOT, {}),
    "no flaw": (IDENTITY.replace(LAST, f"{LAST[:-1]} -- a comment\n"), {}),
}
"""Modules with `tA`, each with a flaw outside of its objects, and the lines of the findings."""


@pytest.mark.parametrize("flaw", HEADS)
def test_a_flaw_outside_of_the_objects(flaw: str, tmp_path: Path) -> None:
    text, said = HEADS[flaw]
    schema, found, _ = accepted(tmp_path, text)
    assert items(schema).keys() == {"tA"}
    syntax = {one.span.line: one.message for one in found.findings if one.rule == "import-syntax"}
    assert syntax.keys() == said.keys(), syntax
    assert all(said[line] in syntax[line] for line in said), syntax


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16"])
def test_a_module_with_a_byte_order_mark(coding: str, tmp_path: Path) -> None:
    checked = check(str(put(tmp_path, IDENTITY.encode(coding))), mib_path=smi_modules.base_path())
    assert checked.module is not None, checked.diagnostics.findings


def test_an_imported_node_that_begins_with_a_capital(tmp_path: Path) -> None:
    root = IDENTITY.replace("T-MIB", "ROOT-MIB").replace("tMIB", "TROOT").replace("tA", "tRoot")
    put(tmp_path, root, "ROOT-MIB")
    text = IDENTITY.replace("TC;", "TC TROOT FROM ROOT-MIB;").replace("tMIB 1 }", "TROOT 2 }")
    schema, found, _ = accepted(tmp_path, text)
    assert items(schema)["tA"]["snmp"]["oid"].endswith(".32473.99.2")
    assert "'TROOT' begins with a capital" in str([one.message for one in found.findings])


def test_names_of_tables_that_no_schema_can_have(tmp_path: Path) -> None:
    """A hyphen before Table; an index over 64 characters, of the table's own or made for it."""
    long = f"t{'o' * 63}X"
    rows = table("tFoo-", 1, "tA", "tB") + table("tBar", 2, long, "tC")
    bare = table("tMany", 3, "tD", "tF", index=" ").replace("tManyTable", f"t{'m' * 58}")
    schema, _, found = accepted(tmp_path, module(rows + bare))
    assert {"tB", "tC", "tF"} <= items(schema).keys()
    assert not [one for one in found if one.startswith(("import-left", "import-lost"))]


@pytest.mark.parametrize(
    ("where", "name", "bug", "flaw"),
    [
        (heads, "_END", re.compile(""), "no END"),
        (imports, "_MODULES", {}, "not there"),
        (imports, "_GAP", re.compile("(?!)"), "comma"),
        (imports, "_CLAUSE", re.compile(imports._CLAUSE.pattern.replace(",;", ",")), "semicolon"),
        (source, "_SCAN", re.compile(source._SCAN.pattern.replace(r"(?!\s*[0-9{])", "")), "trap"),
        (flaws, "without", lambda text, *_: text, "open trap"),
        (flaws, "_underscores", lambda *_: (), "hyphen"),
    ],
)
def test_a_flaw_that_is_not_seen(
    where: ModuleType, name: str, bug: Any, flaw: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A planted bug in a part of a repair."""
    monkeypatch.setattr(where, name, bug)
    with pytest.raises(AssertionError):
        test_a_flaw_outside_of_the_objects(flaw, tmp_path)


@pytest.mark.parametrize(
    ("where", "name", "bug", "check_", "given"),
    [
        (source, "_UTF16", (), test_a_module_with_a_byte_order_mark, ["utf-16"]),
        (flaws, "_BELOW", re.compile("(?!)"), test_an_imported_node_that_begins_with_a_capital, []),
        (mend._Changes, "_index", lambda *_: (), test_names_of_tables_that_no_schema_can_have, []),
    ],
)  # fmt: skip
def test_a_repair_with_a_bug(
    where: Any, name: str, bug: Any, check_: Any, given: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A planted bug."""
    monkeypatch.setattr(where, name, bug)
    with pytest.raises(AssertionError):
        check_(*given, tmp_path)


@pytest.mark.parametrize(
    ("repair", "text"),
    [
        (imports.completed, OLD), (imports.completed, STRING), (imports.separated, NO_COMMA),
        (heads.whole, HEADS["lower case"][0]), (heads.identified, HEADS["order"][0]),
        (heads.identified, HEADS["no LAST-UPDATED"][0]),
    ],
)  # fmt: skip
def test_a_repair_that_is_left_out(
    repair: Any, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted bug: the objects are lost."""
    left = [pair for pair in mending._ALL if pair[1] is not repair]
    monkeypatch.setattr(mending, "_ALL", left)
    schema, _ = smi_modules.load(put(tmp_path, text))
    assert schema is None or "tA" not in items(schema)
