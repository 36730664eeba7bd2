# SPDX-License-Identifier: BSD-3-Clause
"""What `ctrgen import` writes is what `check` accepts: a module's faults are mended or left out,
each with a finding at its line."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.pipeline import importing
from ctrgen.pipeline import repair as corrections
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from tests.frontends.smi.mutants import FIRST_SMI
from tests.frontends.smi.test_dirty import module, put, thing
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

TABLE = """\
{0}Table OBJECT-TYPE SYNTAX SEQUENCE OF {1}Entry MAX-ACCESS not-accessible STATUS current
    DESCRIPTION "t" ::= {{ tMIB {2} }}
{0}Entry OBJECT-TYPE SYNTAX {1}Entry MAX-ACCESS not-accessible STATUS current
    DESCRIPTION "t" {3} ::= {{ {0}Table 1 }}
{1}Entry ::= SEQUENCE {{ {4} }}
"""


def table(name: str, number: int, *columns: str, index: str = "") -> str:
    """A table whose columns are counters; the index is the first one without another."""
    capital = f"{name[:1].upper()}{name[1:]}"
    index = index or f"INDEX {{ {columns[0]} }}"
    listed = ", ".join(f"{column} Counter32" for column in columns)
    head = TABLE.format(name, capital, number, index, listed)
    parts = (
        thing(column, place, "Integer32 (1..9)" if place == 1 else "Counter32")
        for place, column in enumerate(columns, start=1)
    )
    return head + "".join(parts).replace("tMIB", f"{name}Entry")


def accepted(folder: Path, text: str) -> tuple[dict[str, Any], Diagnostics, list[str]]:
    """The schema of a module, which `check` accepts; what the import said, as `RULE NAME`."""
    file, target = put(folder, text), folder / "t.yaml"
    schema, said = importing.run(str(file), smi_modules.base_path())
    assert schema is not None, said.findings
    target.write_text(schema, "utf-8")
    checked = check(str(target), mib_path=smi_modules.base_path())
    assert checked.module is not None, checked.diagnostics.findings
    assert check(str(file), mib_path=smi_modules.base_path()).module is not None
    lines = text.splitlines()
    found = [f"{f.rule} {lines[f.span.line - 1].split()[0]}" for f in said.findings]
    return yaml.safe_load(schema), said, found


def items(schema: dict[str, Any]) -> dict[str, Any]:
    """The items of a schema by the names of their objects."""
    return {
        item["snmp"]["name"]: item
        for scope in schema["scopes"].values()
        for kind in ("counters", "gauges", "states")
        for item in scope.get(kind, {}).values()
    }


def test_write_only(tmp_path: Path) -> None:
    text = module(thing("tA", 1).replace("MAX-ACCESS read-only", "ACCESS write-only"))
    schema, _, found = accepted(tmp_path, text)
    assert items(schema)["tA"]["snmp"]["access"] == "read-write"
    assert "import-inexact tA" in found


def test_names_that_collide_in_c(tmp_path: Path) -> None:
    tables = table("tFoo", 1, "tFooIndex", "tFooBar") + table("tFooBar", 2, "tFooBarIndex", "tX")
    tables = tables.replace(
        "tFooBar OBJECT-TYPE\n    SYNTAX Counter32",
        "tFooBar OBJECT-TYPE\n    SYNTAX INTEGER { up(1), down(2) }",
    )
    schema, _, found = accepted(tmp_path, module(tables))
    assert items(schema).keys() == {"tFooBar"}
    assert [one for one in found if one.startswith("import-left-out")] != []


def test_a_schema_over_a_module_with_faults(tmp_path: Path) -> None:
    put(tmp_path, module(thing("tA", 1) + thing("tB", 2) + thing("tC", 7).replace("tMIB", "tA")))
    over = "ctrgen: 1\nimport: T-MIB\n"
    (tmp_path / "over.yaml").write_text(over, "utf-8")
    checked = check(str(tmp_path / "over.yaml"), mib_path=smi_modules.base_path())
    assert checked.module is not None, checked.diagnostics.findings
    assert "import-left-out" in {finding.rule for finding in checked.diagnostics.findings}
    (tmp_path / "over.yaml").write_text(over + "scopes: {global: {maximum: 3}}\n", "utf-8")
    wrong = check(str(tmp_path / "over.yaml"), mib_path=smi_modules.base_path()).diagnostics
    errors = [one for one in wrong.findings if one.severity.value == "error"]
    assert [(Path(one.span.path).name, one.span.line) for one in errors] == [("over.yaml", 3)]


def test_a_row_has_the_index_of_the_row_that_it_augments(tmp_path: Path) -> None:
    far = table("tFoo", 1, "tA", "tB", index="INDEX { tA, IMPLIED tB }")
    far = far.replace("SYNTAX Counter32", "SYNTAX OCTET STRING (SIZE (1..9))")
    put(tmp_path, module(far).replace("T-MIB", "FAR-MIB"), "FAR-MIB")
    rows = table("tBar", 2, "tC", "tD", index="AUGMENTS { tFooEntry }")
    schema, _, _ = accepted(tmp_path, module(rows, more="\n    tFooEntry FROM FAR-MIB"))
    scope = schema["scopes"]["bar"]
    assert [index["object"] for index in scope["index"]] == ["FAR-MIB::tA", "FAR-MIB::tB"]
    assert scope["index"][1]["syntax"] == "OCTET STRING (SIZE (1..9))"
    assert scope["snmp"]["implied"] is True


def test_names_that_stand_in_imports_of_a_missing_module(tmp_path: Path) -> None:
    rows = table("tFoo", 1, "tA", "tB", index="INDEX { farIndex, tA }")
    rows += table("tBar", 2, "tC", "tD", index="AUGMENTS { farEntry }")
    more = "\n    FarType, farIndex, farEntry FROM FAR-AWAY-MIB"
    text = module(rows + thing("tJ", 3, "FarType"), more=more)
    schema, _, _ = accepted(tmp_path, text)
    assert "FAR-AWAY-MIB::farIndex" in str(schema["scopes"]["foo"]["index"])
    assert schema["scopes"]["bar"]["augments"] == "FAR-AWAY-MIB::farEntry"
    assert items(schema)["tJ"]["snmp"]["syntax"] == "FAR-AWAY-MIB::FarType"


@pytest.mark.parametrize(
    "second",
    [
        "ifIndex OBJECT IDENTIFIER ::= {{ tMIB 7 }}\n",
        "ifindex OBJECT IDENTIFIER ::= {{ tMIB 7 }}\n",
        "{}",
    ],
)
def test_a_second_definition_of_an_imported_index(tmp_path: Path, second: str) -> None:
    rows = table("tFoo", 1, "tA", "tB", index="INDEX { ifIndex }")
    text = module(second.format(thing("ifIndex", 7)) + rows, more="\n    ifIndex FROM IF-MIB")
    schema, _, found = accepted(tmp_path, text)
    assert items(schema).keys() == {"tA", "tB"}
    assert {"import-left-out ifIndex", "import-left-out ifindex"} & {*found}


def test_an_index_that_nobody_knows(tmp_path: Path) -> None:
    rows = table("tFoo", 1, "tA", "tB", index="INDEX { nowhereIndex }")
    schema, _, found = accepted(tmp_path, module(rows))
    assert {"tA", "tB"} <= items(schema).keys()
    assert "import-left-out tFooTable" in found or "import-syntax tFooEntry" in found


def test_a_node_and_an_object_of_one_name(tmp_path: Path) -> None:
    text = module("tA OBJECT IDENTIFIER ::= { tMIB 5 }\n" + thing("tA", 1) + thing("tB", 2))
    schema, _, found = accepted(tmp_path, text)
    assert "tB" in items(schema)
    assert "import-duplicate tA" in found or "import-lost-object tA" in found


def test_a_node_called_as_the_identity_would_be(tmp_path: Path) -> None:
    """A module of the first SMI has no identity: its name is made from the module's."""
    text = FIRST_SMI.replace("{ old 1 }", "{ oldMIB 1 }")
    node = "oldMIB OBJECT IDENTIFIER ::= { enterprises 32473 8 }\n"
    text = text.replace("oldIn OBJ", f"{node}oldIn OBJ")
    schema, _, _ = accepted(tmp_path, text)
    assert {"oldIn", "oldReset", "oldUsed"} <= items(schema).keys()
    assert schema["snmp"]["nodes"]["oldMIB"].endswith(".8")


def test_labels_of_one_name(tmp_path: Path) -> None:
    syntax = "INTEGER { one(1), two(2), one(3), alcatel14(4), alcatel1-4(5), end-(6), again(2) }"
    schema, _, found = accepted(tmp_path, module(thing("tA", 1, syntax) + thing("tB", 2)))
    assert sorted(items(schema)["tA"]["labels"].values()) == [1, 2, 3, 4, 5, 6]
    assert "import-duplicate tA" in found


def test_an_oid_that_ends_with_0(tmp_path: Path) -> None:
    schema, _, _ = accepted(tmp_path, module(thing("tA", 0) + thing("tB", 2)))
    assert items(schema)["tA"]["snmp"]["oid"].endswith(".99.0")


def test_a_module_with_a_name_that_no_module_can_have(tmp_path: Path) -> None:
    text = module(thing("tA", 1)).replace("T-MIB DEF", "T__A_MIB DEF")
    schema, _, found = accepted(tmp_path, text)
    assert schema["snmp"]["name"] == "T-A-MIB"
    assert "import-renamed tMIB" in found


def test_a_table_that_only_others_use(tmp_path: Path) -> None:
    alone = table("tFoo", 1, "tA").replace("read-only", "not-accessible")
    schema, _, found = accepted(tmp_path, module(alone + thing("tB", 2)))
    assert items(schema)["tA"]["snmp"]["access"] == "not-accessible"
    assert "import-inexact tFooTable" in found


def test_what_is_no_flaw_is_not_changed(tmp_path: Path) -> None:
    syntax = "INTEGER { routing-III(1), area(3), a-SIZE(4) }"
    rows = table("tFoo", 1, "tA", "tB", index="INDEX { IMPLIED tA }")
    rows = rows.replace("Integer32 (1..9)", "OCTET STRING (SIZE (1..9))")
    schema, said, found = accepted(tmp_path, module(thing("tZ", 9, syntax) + rows))
    assert "routing-III" in items(schema)["tZ"]["snmp"]["labels"].values()
    assert schema["scopes"]["foo"]["snmp"]["implied"] is True
    assert not [one for one in found if one.startswith(("import-left", "import-dup"))]
    assert not [one for one in said.findings if "is read" in one.message], said.findings


def test_units_come_back_as_they_are(tmp_path: Path) -> None:
    text = thing("tA", 1, "Gauge32").replace("MAX-", 'UNITS "kilobits per second"\n    MAX-')
    text += thing("tB", 2, "Integer32").replace("MAX-", 'UNITS "0.1 dBm / step"\n    MAX-')
    schema, _, found = accepted(tmp_path, module(text))
    assert items(schema)["tA"]["unit"] == "kilobits/second"
    assert items(schema)["tA"]["snmp"]["units"] == "kilobits per second"
    assert not [one for one in found if one.startswith("import-inexact")]
    built = build(BuildRequest(str(tmp_path / "t.yaml"), str(tmp_path / "out"), only=("mib",)))
    assert built.exit_code == 0
    (mib,) = (tmp_path / "out").glob("*.txt")
    assert 'UNITS       "kilobits per second"' in mib.read_text("utf-8")
    assert 'UNITS       "0.1 dBm / step"' in mib.read_text("utf-8")


def test_each_thing_that_a_schema_has_no_words_for_is_said(tmp_path: Path) -> None:
    body = thing("tA", 1, "Integer32").replace("::=", "DEFVAL { down } ::=")
    body += thing("tB", 2).replace("MAX-ACCESS read-only", "MAX-ACCESS read-write")
    body += 'tFell NOTIFICATION-TYPE STATUS current DESCRIPTION "f" ::= { tNone 3 }\n'
    body += "tGroup OBJECT-GROUP OBJECTS { tNone } STATUS current\n"
    body += '    DESCRIPTION "g" ::= { tMIB 5 }\n'
    body += 'tAgent AGENT-CAPABILITIES PRODUCT-RELEASE "1" STATUS current\n'
    body += '    DESCRIPTION "a" ::= { tMIB 6 }\n'
    _, _, found = accepted(tmp_path, module(body))
    left = [one.split()[1] for one in found if one.startswith("import-not-imported")]
    assert sorted(left) == ["tA", "tAgent", "tB", "tFell", "tGroup", "tGroup"]


def test_without_corrections_these_tests_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrections._Corrections, "make", lambda *_: False)
    with pytest.raises(AssertionError):
        test_names_that_collide_in_c(tmp_path)
