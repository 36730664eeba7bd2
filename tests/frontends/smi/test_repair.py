# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes of vendors' modules, each in a small one: all objects are imported, and a finding at the
mistake has its replacement."""

import re
from pathlib import Path
from typing import Any

import pytest

from ctrgen.frontends.smi import reading, repair, source, types
from ctrgen.pipeline import importing
from tests.frontends.smi.test_accepted import accepted, items, table
from tests.frontends.smi.test_dirty import module, put, thing
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

BEHIND = thing("tZ", 9)
ROWS = table("tFoo", 1, "tA", "tB")
LONG = f"l{'o' * 63}ng"


CAPITAL = thing("tA", 1).replace("tA OBJ", "TA OBJ")
MISTAKES: dict[str, tuple[str, str, tuple[str, str]]] = {
    "underscore": (thing("t_one__more", 1), "tOneMore", ("t_one", "it is read as 'tOneMore'")),
    "hyphen": (thing("tA-", 1), "tA", ("tA-", "'tA-' ends with a hyphen")),
    "capital": (CAPITAL, "tA", ("TA OBJ", "'TA' begins with a capital: it is read as 'tA'")),
    "a row as its type": (ROWS.replace("tFooEntry", "TFoo_Entry"), "tB",
                          ("TFoo_Entry OBJ", "it is read as 'tFooEntry'")),
    "Integer32": (thing("tA", 1, "Integer32 { up(1) }"), "tA",
                  ("Integer32 {", "has no labels: it is read as INTEGER")),
    "UInteger32": (thing("tA", 1, "UInteger32 (0..9)"), "tA", ("UInteger32", "of RFC 1442")),
    "comma": (thing("tA", 1, "INTEGER { up(1), down(2), }"), "tA", ("down", "this comma")),
    "no comma": (thing("tA", 1, "INTEGER { up(1),\n  down(2) off(3) }"), "tA",
                 ("INTEGER", "labels here are no names")),
    "labels": (thing("tA", 1, "INTEGER { Up(1), 10/100(2), auto negotiate(3) }"), "tA",
               ("INTEGER", "labels here are no names")),
    "a long label": (thing("tA", 1, f"INTEGER {{ {LONG}(1), {LONG}er(2) }}"), "tA",
                     ("tA OBJ", "' of 'tA' has over 64 characters: it is cut")),
    "no import": (thing("tA", 1, "Gauge32"), "tA",
                  ("Gauge32", "'Gauge32' is not imported: it is read from 'SNMPv2-SMI'")),
}  # fmt: skip
"""Definitions, the names of the objects in them, and a message with its line."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_costs_no_object(mistake: str, tmp_path: Path) -> None:
    body, names, (where, message) = MISTAKES[mistake]
    imports = " IpAddress FROM SNMPv2-SMI TruthValue, DisplayString FROM SNMPv2-TC"
    text = module(body + BEHIND, more=imports)
    schema, said, _ = accepted(tmp_path, text)
    columns = {one["object"] for s in schema["scopes"].values() for one in s.get("index", ())}
    assert items(schema).keys() | columns >= {*names.split(), "tZ"}
    line = text[: text.index(where)].count("\n") + 1
    found = [one.message for one in said.findings if one.span.line in (line, line + 1)]
    assert [one for one in found if message in one], said.findings
    assert not [one for one in said.findings if one.rule in ("import-lost-object",)]


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
NOT_IMPORTED = module(thing("tA", 1)).replace(", Counter32, enterprises", "")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (OLD, {"'enterprises' is not imported: it is read from 'RFC1155-SMI'": 3,
               "'Counter' is not imported: it is read from 'RFC1155-SMI'": 5}),
        (OLD.replace("IMPORTS OBJECT-TYPE FROM RFC-1212;\n", ""),
         {"'enterprises' is not imported: it is read from 'RFC1155-SMI'": 2,
          "'Counter' is not imported: it is read from 'RFC1155-SMI'": 4}),
        (NOT_IMPORTED, {"'enterprises' is not imported: it is read from 'SNMPv2-SMI'": 10,
                        "'Counter32' is not imported: it is read from 'SNMPv2-SMI'": 12}),
    ],
)  # fmt: skip
def test_names_that_are_not_imported(text: str, messages: dict[str, int], tmp_path: Path) -> None:
    schema, found, _ = accepted(tmp_path, text)
    assert items(schema).keys() == {"tA"}
    syntax = [one for one in found.findings if one.rule == "import-syntax"]
    assert {one.message: one.span.line for one in syntax} == messages
    assert all(one.hint and one.span.column > 1 for one in syntax)


def test_a_module_with_a_common_name_of_its_own(tmp_path: Path) -> None:
    own = module("security OBJECT IDENTIFIER ::= { tMIB 5 }\n")
    put(tmp_path, own.replace("T-MIB", "OWN-SMI").replace("tMIB", "own"), "OWN-SMI")
    text = module(thing("tA", "7"), more=" security FROM OWN-SMI").replace("tMIB 7", "security 7")
    schema, said, _ = accepted(tmp_path, text)
    assert items(schema)["tA"]["snmp"]["oid"] == "1.3.6.1.4.1.32473.99.5.7"
    assert not [one for one in said.findings if one.rule == "import-syntax"]


def test_an_imported_node_that_begins_with_a_capital(tmp_path: Path) -> None:
    root = module("TROOT OBJECT IDENTIFIER ::= { tMIB 2 }\n" + thing("tA", 1).replace(
        "tMIB", "TROOT"))  # fmt: skip
    schema, found, _ = accepted(tmp_path, root)
    assert items(schema)["tA"]["snmp"]["oid"].endswith(".32473.99.2.1")
    assert "'TROOT' begins with a capital" in str([one.message for one in found.findings])


def test_comments_that_end_before_the_line_does(tmp_path: Path) -> None:
    """A second -- ends a comment for smidump; a line that begins as one is all of it here."""
    ruled = f"-- -- {'-' * 35}\n-- -- All that follows\n-----\n-- a -- b -- c --- d\n"
    behind = "INTEGER { up(1), -- one -- down(2) }"
    text = module(ruled + thing("tA", 1, behind) + f"{'-' * 41}\n" + BEHIND, 'One\n-- two -- "')
    text = text.replace('"\n    ::= { ent', "\n    ::= { ent").replace('""', '"')
    schema, _, found = accepted(tmp_path, text)
    assert items(schema).keys() == {"tA", "tZ"}
    assert schema["description"] == "One -- two --"
    assert not [one for one in found if "lost" in one]


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


def test_a_type_made_for_an_object_with_a_long_name(tmp_path: Path) -> None:
    long = [f"t{'o' * 62}{end}" for end in "AB"]
    things = "".join(thing(name, n, "BITS { a(0), b(1) }") for n, name in enumerate(long, start=1))
    schema, _, _ = accepted(tmp_path, module(things))
    assert items(schema).keys() == {*long}
    assert sorted(map(len, schema["snmp"]["types"])) == [63, 64]


def test_names_of_tables_that_no_schema_can_have(tmp_path: Path) -> None:
    """A hyphen before Table; an index over 64 characters that is made for it."""
    rows = table("tFoo-", 1, "tA", "tB") + table("tBar", 2, "tG", "tC")
    bare = table("tMany", 3, "tD", "tF", index=" ").replace("tManyTable", f"t{'m' * 58}")
    schema, _, found = accepted(tmp_path, module(rows + bare))
    assert {"tB", "tC", "tF"} <= items(schema).keys()
    assert not [one for one in found if one.startswith(("import-left", "import-lost"))]


def test_a_name_that_is_defined_twice(tmp_path: Path) -> None:
    """The first definition is imported, with a finding at the second one."""
    text = module(thing("tA", 1) + thing("tB", 2) + thing("tA", 3))
    schema, said, _ = accepted(tmp_path, text)
    assert items(schema)["tA"]["snmp"]["oid"].endswith(".99.1")
    lines = [one.span.line for one in said.findings if one.rule == "import-duplicate"]
    assert [n for n, line in enumerate(text.split("\n"), 1) if line.startswith("tA ")][1] in lines


@pytest.mark.parametrize("imported", ["", " Conter32 FROM SNMPv2-SMI"])
def test_a_type_that_nothing_defines(tmp_path: Path, imported: str) -> None:
    """The object is no string: it is left out, and the finding names the type that is alike."""
    rows = table("tFoo", 2, "tB", "tC", "tD")
    text = module(thing("tA", 1, "Conter32") + rows + BEHIND, more=imported)
    text = text.replace("SYNTAX Counter32", "SYNTAX Conter32", 1)
    schema, said, found = accepted(tmp_path, text)
    assert items(schema).keys() == {"tD", "tZ"}
    assert {"import-lost-object tA", "import-lost-object tC"} <= {*found}
    (hint,) = {one.hint for one in said.findings if "Conter32" in one.message}
    assert hint == "did you mean 'Counter32'?"


def test_an_unknown_parent(tmp_path: Path) -> None:
    text = module(ROWS.replace("tMIB 1", "tNowhere 1") + BEHIND)
    schema, _, found = accepted(tmp_path, text)
    assert items(schema).keys() == {"tZ"} and "import-lost-object tA" in found


def test_a_parent_in_a_module_with_mistakes(tmp_path: Path) -> None:
    """Imported modules are repaired as well."""
    root = module("").replace("T-MIB", "ROOT-MIB").replace("tMIB", "TROOT")
    put(
        tmp_path, root.replace("END\n", "tAll OBJECT IDENTIFIER ::= { TROOT 5 }\nEND\n"), "ROOT-MIB"
    )
    more = " tAll FROM ROOT-MIB"
    text = module(thing("tA", 1), more=more).replace("enterprises 32473 99", "tAll 99")
    schema, _, _ = accepted(tmp_path, text)
    assert items(schema)["tA"]["snmp"]["oid"] == "1.3.6.1.4.1.32473.99.5.99.1"


def test_oids_below_ccitt(tmp_path: Path) -> None:
    text = module(ROWS + BEHIND).replace("{ enterprises 32473 99 }", "{ tRoot 1 }")
    text = text.replace(
        "tFooTable OBJ", "tRoot OBJECT IDENTIFIER ::= { ccitt 0 8 341 }\ntFooTable OBJ"
    )
    schema, _, _ = accepted(tmp_path, text)
    assert items(schema)["tB"]["snmp"]["oid"] == "0.0.8.341.1.1.1.2"


def test_a_module_with_a_byte_order_mark(tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-8-sig"):
        put(tmp_path, module(thing("tA", 1)).encode(encoding))
        schema, _ = smi_modules.loaded(tmp_path / "T-MIB")
        assert items(schema).keys() == {"tA"}


WORDS = re.compile(r"smidump:|`[a-z]+'|[A-Z]_[A-Z]|_IDENTIFIER|unproc|Error\b")


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
    """Messages of smidump are in our words."""
    text = module(body + BEHIND, more="\n    tFar FROM FAR-MIB")
    _, said = importing.run(str(put(tmp_path, text)), smi_modules.base_path())
    words = [f"{one.message} {one.hint}" for one in said.findings]
    assert words and not [one for one in words if WORDS.search(one)], words


PLANTED: list[tuple[Any, str, Any, Any, list[str]]] = [
    (repair, "KNOWN", (), test_a_mistake_costs_no_object, ["comma"]),
    (repair, "_names", lambda *_: (), test_a_mistake_costs_no_object, ["underscore"]),
    (repair, "_names", lambda *_: (), test_a_mistake_costs_no_object, ["capital"]),
    (repair, "_labels", lambda *_: (), test_a_mistake_costs_no_object, ["labels"]),
    (repair, "_MODULES", {}, test_a_mistake_costs_no_object, ["no import"]),
    (types, "LONGEST", 999, test_a_mistake_costs_no_object, ["a long label"]),
    (source, "_UTF16", (), test_a_module_with_a_byte_order_mark, []),
    (reading, "_BELOW_ZERO", re.compile("(?!)"), test_oids_below_ccitt, []),
]  # fmt: skip


@pytest.mark.parametrize(("where", "name", "bug", "check", "given"), PLANTED)
def test_a_planted_bug_is_seen(
    where: Any, name: str, bug: Any, check: Any, given: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(where, name, bug)
    with pytest.raises(AssertionError):
        check(*given, tmp_path)
