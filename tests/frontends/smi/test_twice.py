# SPDX-License-Identifier: BSD-3-Clause
"""Names that a module defines twice, and tables that it writes as nodes: no object is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.smi.test_accepted import accepted, items, table
from tests.frontends.smi.test_dirty import module, thing
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))


def oids(schema: dict[str, Any]) -> dict[str, str]:
    """The last numbers of the OIDs of all items and indexes, by the names of the objects."""
    start = f"{schema['snmp']['oid']}."
    found = {name: item["snmp"]["oid"] for name, item in items(schema).items()}
    for scope in schema["scopes"].values():
        for index in scope.get("index", ()):
            if isinstance(index, dict) and "oid" in index:
                found[index["object"]] = index["oid"]
    return {name: oid.removeprefix(start) for name, oid in found.items()}


def test_another_oid_is_another_object(tmp_path: Path) -> None:
    text = module(thing("tA", 1) + thing("tB", 2) + thing("tA", 3) + thing("tA", 4))
    schema, said, found = accepted(tmp_path, text)
    assert oids(schema) == {"tA": "1", "tB": "2", "tAV2": "3", "tAV3": "4"}
    assert [rule for rule in found if rule.startswith("import-")] == ["import-duplicate tA"] * 2
    lines = [one.span.line for one in said.findings if one.rule == "import-duplicate"]
    assert lines == [n for n, line in enumerate(text.split("\n"), 1) if line.startswith("tA ")][1:]


def test_the_same_oid_counts_once(tmp_path: Path) -> None:
    again = "tN OBJECT IDENTIFIER ::= { tMIB 9 }\n"
    below = thing("tA", 1).replace("tMIB", "tN")
    text = module(again + below + thing("tB", 2) + again + below.replace("{ tN", "{ tMIB 9"))
    schema, _, found = accepted(tmp_path, text)
    assert oids(schema) == {"tA": "9.1", "tB": "2"}
    assert found.count("import-duplicate tA") == 1
    assert found.count("import-duplicate tN") == 1


def test_names_that_differ_by_case(tmp_path: Path) -> None:
    text = module(thing("tFooBAR", 1) + thing("tFooBar", 2) + thing("tfoobar", 3))
    schema, _, _ = accepted(tmp_path, text)
    assert oids(schema) == {"tFooBAR": "1", "tFooBar": "2", "tfoobar": "3"}


def test_the_name_that_is_free_is_taken(tmp_path: Path) -> None:
    text = module(thing("tA", 1) + thing("tAV2", 2) + thing("tA", 3) + thing("b" * 64, 4)
                  + thing("b" * 64, 5))  # fmt: skip
    schema, _, _ = accepted(tmp_path, text)
    assert oids(schema) == {"tA": "1", "tAV2": "2", "tAV3": "3", "b" * 64: "4",
                            "b" * 60 + "V2": "5"}  # fmt: skip


def test_a_table_that_was_copied(tmp_path: Path) -> None:
    """What is below a name, and its INDEX, go with the definition that is nearest."""
    text = module(table("tFoo", 1, "tFooA", "tFooB") + table("tFoo", 2, "tFooA", "tFooB"))
    schema, _, found = accepted(tmp_path, text)
    assert oids(schema) == {"tFooA": "1.1.1", "tFooB": "1.1.2", "tFooAV2": "2.1.1",
                            "tFooBV2": "2.1.2"}  # fmt: skip
    tables = {scope["snmp"]["table"]: scope["index"] for scope in schema["scopes"].values()}
    assert [index["object"] for index in tables["tFooTable"]] == ["tFooA"]
    assert [index["object"] for index in tables["tFooTableV2"]] == ["tFooAV2"]
    assert found.count("import-duplicate tFooA") == 1


def test_columns_of_another_table_with_the_same_names(tmp_path: Path) -> None:
    text = module(table("tFoo", 1, "tKey", "tUsed") + table("tBar", 2, "tKey", "tUsed", "tFree"))
    schema, _, _ = accepted(tmp_path, text)
    assert oids(schema) == {"tKey": "1.1.1", "tUsed": "1.1.2", "tKeyV2": "2.1.1",
                            "tUsedV2": "2.1.2", "tFree": "2.1.3"}  # fmt: skip


def test_a_node_and_an_object(tmp_path: Path) -> None:
    node = "tA OBJECT IDENTIFIER ::= { tMIB 5 }\n" + thing("tC", 1).replace("tMIB", "tA")
    schema, _, _ = accepted(tmp_path, module(node + thing("tA", 1) + thing("tB", 2)))
    assert oids(schema) == {"tC": "5.1", "tAV2": "1", "tB": "2"}
    schema, _, _ = accepted(tmp_path, module(thing("tA", 1) + node + thing("tB", 2)))
    assert oids(schema) == {"tC": "5.1", "tA": "1", "tB": "2"}
    assert schema["snmp"]["nodes"]["tAV2"].endswith(".99.5")


NODES = (
    "tFooTable OBJECT IDENTIFIER ::= {{ tMIB 1 }}\n{}",
    'tFooTable OBJECT-IDENTITY STATUS current DESCRIPTION "t"\n    ::= {{ tMIB 1 }}\n{}',
    "{}tFooTable OBJECT IDENTIFIER ::= {{ tMIB 1 }}\n",
)


@pytest.mark.parametrize("form", NODES)
def test_a_table_that_is_a_node(form: str, tmp_path: Path) -> None:
    rows = table("tFoo", 1, "tA", "tB")
    rows = form.format(rows[rows.index("tFooEntry") :])
    schema, _, found = accepted(tmp_path, module(rows + thing("tC", 2)))
    assert oids(schema) == {"tA": "1.1.1", "tB": "1.1.2", "tC": "2"}
    assert "import-syntax tFooTable" in found
    assert "foo" in schema["scopes"]
    assert not [rule for rule in found if "lost" in rule or "left" in rule]


def test_a_node_with_more_than_a_row(tmp_path: Path) -> None:
    """It is no table: the row gets one."""
    rows = table("tFoo", 1, "tA", "tB")
    rows = "tFooTable OBJECT IDENTIFIER ::= { tMIB 1 }\n" + rows[rows.index("tFooEntry") :]
    more = thing("tC", 2).replace("tMIB", "tFooTable")
    schema, _, found = accepted(tmp_path, module(rows + more + thing("tD", 2)))
    assert oids(schema).keys() == {"tA", "tB", "tC", "tD"}
    assert "import-syntax tFooEntry" in found


def test_a_node_at_the_oid_of_a_table(tmp_path: Path) -> None:
    node = "tFoo OBJECT IDENTIFIER ::= { tMIB 1 }\n"
    below = "tDeep OBJECT IDENTIFIER ::= { tFoo 7 }\n"
    text = module(node + table("tFoo", 1, "tA", "tB") + below + thing("tZ", 9))
    schema, _, found = accepted(tmp_path, text)
    assert oids(schema) == {"tA": "1.1.1", "tB": "1.1.2", "tZ": "9"}
    assert "import-syntax tFoo" in found
    assert not [one for one in found if one.startswith("import-lost")]
