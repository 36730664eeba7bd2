# SPDX-License-Identifier: BSD-3-Clause
"""Bad modules: a finding with its line, no traceback, nothing half-written, nothing lost unsaid."""

from pathlib import Path

import pytest

from ctrgen.frontends.smi import places, smidump
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump
from tests.support.process import ctrgen

pytestmark = [needs_smidump, needs_base_mibs]

HEAD = """\
T-MIB DEFINITIONS ::= BEGIN
IMPORTS
    MODULE-IDENTITY, OBJECT-TYPE, Integer32, Counter32, enterprises FROM SNMPv2-SMI
    TEXTUAL-CONVENTION FROM SNMPv2-TC{more};
tMIB MODULE-IDENTITY
    LAST-UPDATED "202601010000Z"
    ORGANIZATION "o"
    CONTACT-INFO "c"
    DESCRIPTION  "{text}"
    ::= {{ enterprises 32473 99 }}
"""


def module(body: str, text: str = "d", more: str = "") -> str:
    return f"{HEAD.format(text=text, more=more)}{body}\nEND\n"


def thing(name: str, number: int | str, syntax: str = "Counter32", text: str = "A count.") -> str:
    return (
        f"{name} OBJECT-TYPE\n    SYNTAX {syntax}\n    MAX-ACCESS read-only\n"
        f'    STATUS current\n    DESCRIPTION "{text}"\n    ::= {{ tMIB {number} }}\n'
    )


def put(folder: Path, text: str | bytes, name: str = "T-MIB") -> Path:
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_what_is_not_smi(tmp_path: Path) -> None:
    file = put(tmp_path, b"\x7fELF\0\0 nothing of the kind")
    target = tmp_path / "x.yaml"
    result = ctrgen("import", file, "-o", target)
    assert result.exit_code == 1
    assert "import-unreadable" in result.output
    assert not target.exists()


def test_a_file_of_50_mb(tmp_path: Path) -> None:
    file = put(tmp_path, module(thing("tA", 1)) + "-- x\n" * (10 << 20))
    result = ctrgen("import", file)
    assert result.exit_code == 1
    assert "file-too-large" in result.output


def test_cycles(tmp_path: Path) -> None:
    types = "".join(
        f'{a} ::= TEXTUAL-CONVENTION STATUS current DESCRIPTION "x" SYNTAX {b}\n'
        for a, b in (("A", "B"), ("B", "A"))
    )
    schema, diagnostics = smi_modules.load(put(tmp_path, module(types + thing("tA", 1, "A"))))
    assert schema is None
    assert ("import-cycle", 11) in smi_modules.found(diagnostics)
    nodes = "a OBJECT IDENTIFIER ::= { b 1 }\nb OBJECT IDENTIFIER ::= { a 1 }\n"
    schema, diagnostics = smi_modules.load(put(tmp_path, module(nodes + thing("tA", 1))))
    assert schema is None
    assert ("import-cycle", 11) in smi_modules.found(diagnostics)


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    one = module(thing("tA", 1), more="\n    uA FROM U-MIB")
    put(
        tmp_path, one.replace("tMIB", "uMIB").replace("T-MIB", "U-MIB").replace("tA", "uA"), "U-MIB"
    )
    smi_modules.loaded(put(tmp_path, one))


TABLE = """\
tTable OBJECT-TYPE SYNTAX SEQUENCE OF TEntry MAX-ACCESS not-accessible STATUS current
    DESCRIPTION "t" ::= { tMIB 1 }
tEntry OBJECT-TYPE SYNTAX TEntry MAX-ACCESS not-accessible STATUS current
"""


def test_400_columns(tmp_path: Path) -> None:
    names = [f"tC{number}" for number in range(1, 401)]
    table = (
        TABLE + '    DESCRIPTION "t" INDEX { tIndex } ::= { tTable 1 }\n'
        "TEntry ::= SEQUENCE { tIndex Integer32, "
        + ", ".join(f"{name} Counter32" for name in names)
        + " }\ntIndex OBJECT-TYPE SYNTAX Integer32 (1..9) MAX-ACCESS not-accessible\n"
        '    STATUS current DESCRIPTION "i" ::= { tEntry 1 }\n'
    )
    columns = "".join(
        thing(name, number).replace("tMIB", "tEntry") for number, name in enumerate(names, start=2)
    )
    schema, _ = smi_modules.loaded(put(tmp_path, module(table + columns)))
    (scope,) = schema["scopes"].values()
    assert len(scope["counters"]) == 400
    assert scope["max"] == 9


def test_a_long_name_that_is_cut_behind_a_word(tmp_path: Path) -> None:
    """As a name in a schema it is too long, and the 55th character is the one between words."""
    long = "a" * 54 + "Bcdefghij"
    file = put(tmp_path, module(thing(long, 1) + thing(f"{long}R", 2)))
    done = ctrgen("import", file, "-o", tmp_path / "t.yaml")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "t.yaml").read_text("utf-8").count("_value") == 2


def test_enumerations_beyond_32_bits(tmp_path: Path) -> None:
    body = thing("tA", 1, "INTEGER { one(1), far(4294967296) }") + thing("tB", 2)
    schema, rules = smi_modules.loaded(put(tmp_path, module(body)))
    assert {"import-large-number", "import-lost-object"} & dict(rules).keys()
    assert "b" in schema["scopes"]["global"]["counters"]


def test_rows_without_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = (
        TABLE
        + '    DESCRIPTION "no INDEX { tA } -- here" -- "INDEX { tB }"\n    ::= { tTable 1 }\n'
        "TEntry ::= SEQUENCE { tA Counter32, tB Counter32 }\n"
    )
    text = module(table + (thing("tA", 1) + thing("tB", 2)).replace("tMIB", "tEntry"))
    schema, rules = smi_modules.loaded(put(tmp_path, text))
    assert "import-lost-object" not in dict(rules)
    (scope,) = schema["scopes"].values()
    assert list(scope["counters"]) == ["a", "b"]
    assert "index" not in scope


ROW = """\
    DESCRIPTION "t" INDEX { tFlags } ::= { tTable 1 }
TEntry ::= SEQUENCE { tFlags BITS, tA Counter32 }
tFlags OBJECT-TYPE SYNTAX BITS { tall(0), deep(1) } MAX-ACCESS not-accessible
    STATUS current DESCRIPTION "f" ::= { tEntry 1 }
"""


def test_an_index_of_bits_has_a_type_with_their_names(tmp_path: Path) -> None:
    text = TABLE + ROW + thing("tA", 2).replace("tMIB", "tEntry")
    schema, _ = smi_modules.loaded(put(tmp_path, module(text)))
    (scope,) = schema["scopes"].values()
    assert scope["index"][0]["syntax"] == "TFlagsType"
    type_ = schema["snmp"]["types"]["TFlagsType"]
    assert (type_["syntax"], type_["labels"]) == ("BITS", {"tall": 0, "deep": 1})


def test_a_row_below_a_node_that_is_no_table(tmp_path: Path) -> None:
    node = "tTable OBJECT IDENTIFIER ::= { tMIB 1 }\n" + TABLE.partition("{ tMIB 1 }\n")[2]
    text = module(node + ROW + thing("tA", 2).replace("tMIB", "tEntry"))
    schema, rules = smi_modules.loaded(put(tmp_path, text))
    (scope,) = schema["scopes"].values()
    assert list(scope["counters"]) == ["a"] and scope["snmp"]["table"] == "tTable"
    assert ("import-syntax", 11) in rules


@pytest.mark.parametrize("between", ["", thing("tB", 2).replace("tMIB", "tTable")])
def test_only_one_row_below_a_node_is_a_table(tmp_path: Path, between: str) -> None:
    """What is in others is reported, and the rest of the module is imported."""
    row = TABLE.partition("{ tMIB 1 }\n")[2] + ROW + thing("tA", 2).replace("tMIB", "tEntry")
    other = row.replace("tTable 1", "tTable 3")
    for name in ("tEntry", "TEntry", "tFlags", "tA"):
        other = other.replace(name, f"{name}2")
    node = "tTable OBJECT IDENTIFIER ::= { tMIB 1 }\n"
    text = module(node + row + between + other + thing("tC", 2))
    schema, found = smi_modules.load(put(tmp_path, text))
    assert schema is not None
    scopes = schema["scopes"]
    assert scopes["t"]["snmp"]["entry"] == "tEntry" and list(scopes["t"]["counters"]) == ["a"]
    assert "c" in scopes["global"]["counters"] and len(scopes) == 2
    lost = {f.message.split("'")[1] for f in found.findings if f.rule == "import-lost-object"}
    assert lost == {"tEntry2", "tFlags2", "tA2"}


def test_smidump_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = put(tmp_path, "#!/bin/sh\nexec sleep 60\n", "smidump")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(smidump, "SECONDS", 0.2)
    assert smidump.run("", places.Library([])).failure == "smidump took more than 0.2 s"


def test_smidump_that_writes_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = put(tmp_path, "#!/bin/sh\nexec yes\n", "smidump")
    endless.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(smidump, "MAX_OUTPUT", 1 << 20)
    assert smidump.run("", places.Library([])).failure == "smidump wrote too much"


def test_latin_1(tmp_path: Path) -> None:
    text = module(thing("tA", 1, text="Gr\xf6\xdfe in \xb5m")).encode("latin-1")
    schema, _ = smi_modules.loaded(put(tmp_path, text))
    assert schema["scopes"]["global"]["counters"]["a"]["description"] == "Gr\xf6\xdfe in \xb5m"


@pytest.mark.parametrize(
    "text",
    [
        "ends */ a comment /* and -- one, %s %n %99999d \\ \\n ??/",
        "<!ENTITY x 'y'> &amp; &x; ]]> <description> </scalar>",
        "\x01\x1b[31m\x7f\x0b red",
        "' : # {{ }} [ ] {% raw %} !!python/object * & |",
        "x" * 3000,
        "\u202e\u200b mirrored",
        "",
    ],
)
def test_hostile_descriptions(text: str, tmp_path: Path) -> None:
    file = put(tmp_path, module(thing("tA", 1, text=text) + thing("tB", 2), text=text))
    target = tmp_path / "x.yaml"
    result = ctrgen("import", file, "-o", target)
    assert result.exit_code == 0, result.output
    checked = ctrgen("check", target)
    assert checked.exit_code == 0, checked.output
    built = ctrgen("build", file, "-o", tmp_path / "out")
    assert built.exit_code == 0, built.output


def test_a_quote_in_a_string_loses_nothing_unsaid(tmp_path: Path) -> None:
    file = put(tmp_path, module(thing("tA", 1, text='a "" b" c') + thing("tB", 2)))
    schema, diagnostics = smi_modules.load(file)
    lost = {rule for rule, _ in smi_modules.found(diagnostics)}
    assert schema is not None or diagnostics.failed
    if schema is not None and "a" not in schema["scopes"]["global"]["counters"]:
        assert "import-lost-object" in lost


def test_two_modules_of_one_name(tmp_path: Path) -> None:
    text = module(thing("tA", 1))
    schema, rules = smi_modules.loaded(put(tmp_path, text + text.replace("tA", "tB")))
    assert list(schema["scopes"]["global"]["counters"]) == ["a"]
    second = text.count("\n") + 1
    assert ("import-several-modules", second) in rules


def test_a_module_in_two_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    other = module(thing("uA", 1)).replace("tMIB", "uMIB").replace("T-MIB", "U-MIB")
    put(tmp_path / "a", other, "U-MIB")
    put(tmp_path / "b", other + "\n", "U-MIB.txt")
    file = put(tmp_path, module(thing("tA", 1), more="\n    uA FROM U-MIB"))
    _, rules = smi_modules.loaded(file, str(tmp_path / "a"), str(tmp_path / "b"))
    assert ("import-ambiguous-module", 5) in rules


def test_a_missing_base_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put(tmp_path, module(thing("tA", 1), more="\n    CounterBasedGauge128 FROM HCNUM-TCX"))
    assert ("import-missing-import", 5) in smi_modules.loaded(file)[1]
    monkeypatch.setattr("ctrgen.frontends.smi.places.folders", lambda given, own: [tmp_path])
    schema, diagnostics = smi_modules.load(file)
    assert schema is None
    (finding,) = [f for f in diagnostics.findings if "SNMPv2-SMI" in f.message]
    assert (finding.rule, finding.span.line) == ("import-missing-module", 3)
    assert "erlang-snmp" in finding.hint


def test_no_smidump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smidump, "installed", lambda: False)
    schema, diagnostics = smi_modules.load(put(tmp_path, module(thing("tA", 1))))
    assert schema is None
    assert ("import-tools", 1) in smi_modules.found(diagnostics)
    (finding,) = diagnostics.findings
    assert "smitools" in finding.hint


def test_syntax_of_a_file_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, module(thing("tA", 1) + thing("tB", 2, "NO TYPE {")))
    monkeypatch.chdir(tmp_path)
    _, diagnostics = smi_modules.load(Path("T-MIB"))
    assert "import-syntax" in {finding.rule for finding in diagnostics.findings}
