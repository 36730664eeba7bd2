# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes of vendors' modules, each in a small one: all objects arrive, and one finding at the
mistake says what was read instead, in words of ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ctrgen.frontends.smi import (
    flaws,
    imports,
    meant,
    nodes,
    reading,
    smidump,
    source,
    tables,
)
from ctrgen.pipeline import importing
from tests.frontends.smi.test_accepted import accepted, items, table
from tests.frontends.smi.test_dirty import module, put, thing
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

BEHIND = thing("tZ", 9)
ROWS = table("tFoo", 1, "tA", "tB")
ALONE = ROWS[ROWS.index("tFooEntry") :].replace("{ tFooTable 1 }", "{ tMIB 1 }")
NODE = "tNode OBJECT IDENTIFIER ::= { tMIB 1 }\n"
DOUBLE = ROWS.replace("SEQUENCE OF TFooEntry", "TFooEntry")
INNER = table("tBar", 2, "tC", "tD").replace("{ tMIB 2 }", "{ tFooEntry 3 }")
LONG = f"l{'o' * 63}ng"
MIB = "1.3.6.1.4.1.32473.99"
COLUMNS = {"tA": "1.1.1", "tB": "1.1.2"}

MISTAKES: dict[str, tuple[str, dict[str, str], tuple[str, str]]] = {
    "one OID": (thing("tA", 1) + thing("tB", 1), {"tA": "1", "tB": "10"},
                ("tB OBJ", "'tB' has the OID of 'tA': it is read at { tMIB 10 }")),
    "a node's OID": (NODE + thing("tA", 1) + thing("tB", 2).replace("tMIB", "tNode"),
                     {"tA": "10", "tB": "1.2"}, ("tA OBJ", "'tA' has the OID of 'tNode'")),
    "an unused node": (NODE + thing("tA", 1), {"tA": "1"},
                       ("tNode", "the node 'tNode' is the object 'tA': it is left out")),
    "below an object": (thing("tA", 1) + thing("tB", 7).replace("tMIB", "tA"),
                        {"tA": "1", "tB": "10"}, ("tB OBJ", "is below 'tA', where it cannot be")),
    "a table in a table": (ROWS + INNER, {**COLUMNS, "tC": "10.1.1", "tD": "10.1.2"},
                           ("tBarTable", "'tBarTable' is below 'tFooTable', where it cannot be")),
    "columns of one OID": (ROWS + thing("tC", 2).replace("tMIB", "tFooEntry"),
                           {**COLUMNS, "tC": "1.1.3"}, ("tC OBJ", "it is read at { tFooEntry 3 }")),
    "row number 2": (ROWS.replace("{ tFooTable 1 }", "{ tFooTable 2 }"), COLUMNS,
                     ("tFooEntry", "'tFooEntry' is not number 1 of its table")),
    "a row of no table": (ALONE, COLUMNS, ("tFooEntry", "it is read as that of 'tFooTable'")),
    "a row of a group": (
        "tAll OBJECT-GROUP OBJECTS { tB } STATUS current\n DESCRIPTION \"d\" ::= { tMIB 1 }\n"
        + ALONE.replace("tMIB", "tAll"), {"tA": "1.1.1.1", "tB": "1.1.1.2"},
        ("tFooEntry", "it is read as that of 'tFooTable'")),
    "a table of one row": (DOUBLE, COLUMNS, ("tFooTable", "has rows: it is read as a table")),
    "quotes": (ROWS.replace("{ tA }", '{ "tA" }'), COLUMNS,
               ("INDEX", "names stand in quotes here: they are read without")),
    "BIT STRING": (thing("tA", 1, "BIT STRING"), {"tA": "1"},
                   ("BIT STRING", "'BIT STRING' is read as OCTET STRING")),
    "Unsigned64": (thing("tA", 1, "Unsigned64 (SIZE (8))"), {"tA": "1"},
                   ("Unsigned64", "'Unsigned64' is read as OCTET STRING")),
    "a name in a range": (thing("tA", 1, "INTEGER (1..ifNumber)"), {"tA": "1"},
                          ("(1..", "'(1..ifNumber)' has a name in it")),
    "an object for a type": (thing("tA", 1) + thing("tB", 2, "tA"), {"tA": "1", "tB": "2"},
                             ("SYNTAX tA", "the type 'tA': it is read as Counter32")),
    "octets for a type": (thing("tA", 1, "OCTET STRING (SIZE (4))") + thing("tB", 2, "tA"),
                          {"tA": "1", "tB": "2"}, ("SYNTAX tA", "it is read as OCTET STRING")),
    "a long label": (thing("tA", 1, f"INTEGER {{ {LONG}(1), {LONG}er(2) }}"), {"tA": "1"},
                     ("tA OBJ", "' of 'tA' has over 64 characters: it is cut")),
    "an unknown parent": (thing("tA", 1).replace("tMIB", "tNowhere"), {"tA": "0"},
                          ("::= { tNow", "it is read as 1.3.6.1.4.1.32473.1, which managers")),
}  # fmt: skip
"""Modules, OIDs of their objects below that of the module, and what is said where."""


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))


def oids(schema: dict[str, Any]) -> dict[str, str]:
    """The OIDs of all objects below that of the module; another one is `0`."""
    found = {name: item["snmp"]["oid"] for name, item in items(schema).items()}
    for scope in schema["scopes"].values():
        found |= {one["object"]: one["oid"] for one in scope.get("index", ()) if "oid" in one}
    start = f"{MIB}."
    return {
        name: oid[len(start) :] if oid.startswith(start) else "0" for name, oid in found.items()
    }


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_costs_no_object(mistake: str, tmp_path: Path) -> None:
    body, wanted, (where, message) = MISTAKES[mistake]
    text = module(body + BEHIND)
    schema, said, _ = accepted(tmp_path, text)
    assert oids(schema) == {**wanted, "tZ": "9"}
    found = {one.span.line: one.message for one in said.findings if one.rule in RULES}
    line = text[: text.index(where)].count("\n") + 1
    assert message in found.get(line, ""), said.findings
    assert len(found) == 1, found


RULES = (
    "import-syntax",
    "import-duplicate",
    "import-moved",
    "import-left-out",
    "import-lost-object",
)


BELOW = thing("tB", 1) + NODE.replace("tMIB 1", "tMIB 2") + thing("tB", 1).replace("tMIB", "tNode")
BARE = ALONE.replace("INDEX { tA }", "")
UNMOVED = {
    "a table without a row": (
        ROWS[: ROWS.index("tFooEntry")] + thing("tA", 1).replace("tMIB", "tFooTable"),
        {"tA": "1.1"},
    ),
    "a node with objects of other names": (
        BELOW + BARE.replace("tMIB 1", "tNode 2").replace("tB", "tC"),
        {"tB": "1", "tBV2": "2.1", "tA": "2.2.1", "tC": "2.2.2"},
    ),
    "a row of no table here": (ALONE.replace("tMIB 1", "ifTable 7"), {"tA": "0", "tB": "0"}),
}


@pytest.mark.parametrize("name", UNMOVED)
def test_objects_keep_their_oids(name: str, tmp_path: Path) -> None:
    """What is unusual, and can be as it is."""
    body, wanted = UNMOVED[name]
    schema, said, _ = accepted(tmp_path, module(body + BEHIND, more="\n    ifTable FROM IF-MIB"))
    assert oids(schema) == {**wanted, "tZ": "9"}
    assert "import-moved" not in {one.rule for one in said.findings}


def test_an_unknown_parent_that_another_module_of_the_vendor_has(tmp_path: Path) -> None:
    """Its file is there, and no IMPORTS say so, or they name a module that is missing."""
    root = module("tAll OBJECT IDENTIFIER ::= { tMIB 5 }\n" + BEHIND)
    put(tmp_path, root.replace("T-MIB", "T-ROOT-MIB").replace("tMIB", "tRoot"), "root.txt")
    body = thing("tA", 1).replace("tMIB", "tAll") + BEHIND
    for more in ("", "\n    tAll FROM T-OTHER-MIB", "\n    tAll, tMore FROM T-OTHER-MIB"):
        text = module(body, more=more).replace("32473 99", "32473 98")
        schema, said, _ = accepted(tmp_path, text)
        assert oids(schema)["tA"] == "5.1"
        moved = [one.message for one in said.findings if one.rule == "import-moved"]
        assert moved == ["nothing here tells the OID of 'tAll': it is read from 'T-ROOT-MIB'"]
    put(tmp_path, root.replace("T-MIB", "T-ELSE-MIB").replace("tMIB", "tElse"), "else.txt")
    schema, said, _ = accepted(tmp_path, module(body))
    assert oids(schema)["tA"] == "0", "two modules have a node of that name"


def test_a_node_with_a_comment_in_it(tmp_path: Path) -> None:
    """It is known, whatever else of the module is not."""
    node = NODE.replace("::=", "\n    -- 1 -- 2\n    ::=")
    rows = table("tFoo", 2, "tC", "tD", index="INDEX { tNowhere, tC }")
    text = node + thing("tA", 1) + thing("tB", 2).replace("tMIB", "tNode") + rows
    schema, said, _ = accepted(tmp_path, module(text + BEHIND))
    assert oids(schema) == {"tA": "10", "tB": "1.2", "tC": "2.1.1", "tD": "2.1.2", "tZ": "9"}
    assert not [one for one in said.findings if "nothing here" in one.message]


def test_oids_below_ccitt(tmp_path: Path) -> None:
    text = module(ROWS + BEHIND).replace("{ enterprises 32473 99 }", "{ tRoot 1 }")
    text = text.replace(
        "tFooTable OBJ", "tRoot OBJECT IDENTIFIER ::= { ccitt 0 8 341 }\ntFooTable OBJ"
    )
    schema, said, _ = accepted(tmp_path, text)
    assert items(schema)["tB"]["snmp"]["oid"] == "0.0.8.341.1.1.1.2"
    assert not [one for one in said.findings if one.rule in RULES]


WORDS = re.compile(r"smidump:|`[a-z]+'|[A-Z]_[A-Z]|_IDENTIFIER|grammar|unproc|Error\b")


@pytest.mark.parametrize(
    "body",
    [
        thing("tA", 1, "NO TYPE {"), thing("tA", "::="), "tA OBJECT-TYPE SYNTAX\n",
        thing("tA", 0), thing("tA", 1).replace("current", "often"), 'tA ::= "text" 5\n',
        table("tFoo", 1, "tA", "tB").replace("SEQUENCE {", "SEQUENCE { tC Counter32,"),
        table("tFoo", 1, "tA", "tB").replace("(1..9)", "(-5..9)"), "x\\y $ %\n",
    ],
)  # fmt: skip
def test_no_inner_words(body: str, tmp_path: Path) -> None:
    """Whatever smidump says, a finding says it in other words."""
    text = module(body + BEHIND, more="\n    tFar FROM FAR-MIB")
    _, said = importing.run(str(put(tmp_path, text)), smi_modules.base_path())
    words = [f"{one.message} {one.hint}" for one in said.findings]
    assert words and not [one for one in words if WORDS.search(one)], words


@pytest.mark.parametrize(
    ("where", "name", "bug", "mistake"),
    [
        (nodes._Placing, "_holder", lambda *_: "", "below an object"),
        (nodes._Placing, "_holder", lambda *_: "", "a table in a table"),
        (nodes._Placing, "_kind", lambda *_: "column", "row number 2"),
        (nodes._Placing, "_free", lambda _, above, arcs: arcs, "columns of one OID"),
        (nodes._Placing, "_free", lambda _, above, arcs: (*arcs[:-1], 2), "a node's OID"),
        (tables, "_INDEX", re.compile("(?!)"), "a row of no table"),
        (tables, "_SYNTAX", re.compile("(?!)"), "a table of one row"),
        (flaws, "_QUOTED", re.compile("(?!)"), "quotes"),
        (flaws, "_KNOWN", (), "BIT STRING"),
        (flaws, "_KNOWN", (), "Unsigned64"),
        (flaws, "_KNOWN", (), "a name in a range"),
        (imports, "_USED", re.compile(imports._USED.pattern.replace("[A-Za-z]", "[A-Z]", 1)),
         "an object for a type"),
        (meant, "LONGEST", 999, "a long label"),
        (imports, "tops", lambda *_: [], "an unknown parent"),
    ],
)  # fmt: skip
def test_a_mistake_that_is_not_seen(
    where: Any, name: str, bug: Any, mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted bug in a part of a repair."""
    monkeypatch.setattr(where, name, bug)
    with pytest.raises(AssertionError):
        test_a_mistake_costs_no_object(mistake, tmp_path)


@pytest.mark.parametrize(
    ("where", "name", "bug", "check"),
    [
        (imports._Far, "elsewhere", lambda *_: "",
         test_an_unknown_parent_that_another_module_of_the_vendor_has),
        (reading, "_ZERO", (), test_oids_below_ccitt),
        (source, "_SCAN", re.compile(source._SCAN.pattern.replace("|--[^\\n]*\\n)*::", ")*::")),
         test_a_node_with_a_comment_in_it),
    ],
)  # fmt: skip
def test_a_repair_with_a_bug(
    where: Any, name: str, bug: Any, check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted bug."""
    monkeypatch.setattr(where, name, bug)
    with pytest.raises(AssertionError):
        check(tmp_path)


def test_inner_words_that_come_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted bug."""
    monkeypatch.setattr(smidump, "meaning", lambda words: f"smidump: {words}")
    with pytest.raises(AssertionError):
        test_no_inner_words(thing("tA", 1, "NO TYPE {"), tmp_path)
