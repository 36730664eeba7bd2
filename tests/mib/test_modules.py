# SPDX-License-Identifier: BSD-3-Clause
"""Modules are clean for every tool, and keep the rules that no tool checks."""

import re
from pathlib import Path

import pytest

from ctrgen.model.naming import smi
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.publish.assign import assign
from ctrgen.publish.lock import parse_oid
from tests.support import schemas, smi_tools
from tests.support.capabilities import IETF_MIBS, needs_ietf

NEEDED = ("IF-MIB", "INET-ADDRESS-MIB", "SNMP-FRAMEWORK-MIB", "HCNUM-TC")
DEFINITION = re.compile(
    r"^([a-z][\w-]*)\s+OBJECT-TYPE\n(.*?)^    ::= \{ (\S+) (\d+) \}$", re.MULTILINE | re.DOTALL
)


@pytest.fixture(scope="module", params=schemas.NAMES)
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("modules")
    return schemas.module(schemas.sources(folder / "schemas")[request.param], folder / "out")


def test_every_tool_reads_it(module: Path) -> None:
    smi_tools.needs("smilint", "snmptranslate", modules=NEEDED)
    assert smi_tools.smilint(module) == ""
    assert smi_tools.pysmi(module) == "compiled"
    printed, messages = smi_tools.tree(module.parent, module)
    assert messages == ""
    for name in definitions(module.read_text("ascii")):
        assert re.search(rf"\b{name}\(", printed), name


@needs_ietf
def test_clean_beside_the_modules_of_the_ietf(module: Path) -> None:
    """HCNUM-TC and all others as they were published, where they are at hand."""
    smi_tools.needs("smilint")
    assert smi_tools.smilint(module, base=IETF_MIBS) == ""


def outside_of_strings(text: str) -> str:
    """A module without its texts; what begins as a comment has none."""
    return re.sub(r'(--[^\n]*)|"[^"]*"', lambda match: match[1] or "", text)


def test_comments_end_with_their_line_and_hold_what_is_printable(module: Path) -> None:
    text = module.read_text("ascii")
    comments = [line.strip() for line in outside_of_strings(text).splitlines() if "--" in line]
    for line in comments:
        rest = line.partition("--")[2]
        assert "--" not in rest or set(rest.strip()) == {"-"}, line


def definitions(text: str) -> dict[str, str]:
    """The OBJECT-TYPEs of a module: what is between the macro and the OID, by name."""
    return {match[1]: match[2] for match in DEFINITION.finditer(text)}


def plain(body: str) -> str:
    return " ".join(body.split())


def test_what_no_linter_checks(module: Path) -> None:
    text = module.read_text("ascii")
    assert all(len(line) <= smi.COLUMNS for line in text.splitlines())
    assert "\t" not in text and text.isprintable() is False  # line breaks only
    assert all(line.isprintable() for line in text.splitlines())
    names = definitions(text)
    for name, body in names.items():
        assert len(name) <= 32 and "-" not in name, name
        counter = re.search(r"SYNTAX +Counter(32|64)\n", body)
        if counter:
            assert 'UNITS       "' in body, name
            assert "Discontinuities in the value of this counter can occur" in plain(body), name
        unit = re.search(r'UNITS       "(.*)"', body)
        if counter and unit and unit[1].endswith("s"):
            assert name.removesuffix("Low").endswith("s"), f"{name} is no plural"
        if "CounterBasedGauge64" in body or "Gauge32" in body:
            assert "UNITS" in body, name
    for number in re.findall(r"[a-zA-Z0-9]+\((-?\d+)\)[,\n]", text):
        assert int(number) >= 1


def test_every_counter_names_the_time_of_its_discontinuities(module: Path) -> None:
    """Those of scopes without resets, too: their application restarts while snmpd stays up."""
    text, named = module.read_text("ascii"), set()
    for name, body in definitions(text).items():
        if re.search(r"SYNTAX +Counter(32|64)\n", body):
            times = re.findall(r"indicated by the value of (\w+)\.", plain(body))
            assert len(times) == 1, name
            named.update(times)
    assert named
    for name in named:
        assert "SYNTAX      TimeStamp" in definitions(text)[name]
        assert "value of sysUpTime on the most recent occasion" in plain(definitions(text)[name])


def test_every_object_is_in_a_group_and_every_group_in_a_compliance(module: Path) -> None:
    text = module.read_text("ascii")
    grouped = set(",".join(re.findall(r"OBJECTS \{([^}]*)\}", text)).replace(",", " ").split())
    readable = {n for n, body in definitions(text).items() if "not-accessible" not in body}
    assert grouped == readable
    groups = set(re.findall(r"^(\w+) (?:OBJECT|NOTIFICATION)-GROUP", text, re.MULTILINE))
    complied = re.findall(r"MANDATORY-GROUPS \{([^}]*)\}", text)
    optional = set(re.findall(r"^ +GROUP +(\w+)", text, re.MULTILINE))
    assert groups == set(",".join(complied).replace(",", " ").split()) | optional


def test_it_names_its_source_and_nothing_of_the_machine(module: Path) -> None:
    text = module.read_text("ascii")
    assert "do not edit" in text and ".yaml" in text
    assert str(module.parents[1]) not in text and "/tmp" not in text


@pytest.mark.parametrize("name", schemas.NAMES)
def test_no_two_things_have_one_oid(name: str, tmp_path: Path) -> None:
    module = schemas.module_of(schemas.sources(tmp_path)[name])
    lock = assign(module, None).lock
    oids = [entry.oid for entry in lock.entries if entry.oid]
    assert len(oids) == len(set(oids))
    root = parse_oid(module.snmp.oid)
    assert all(oid[: len(root)] == root for oid in oids)


def test_embedded_scopes_are_not_in_the_module(tmp_path: Path) -> None:
    text = schemas.module(schemas.sources(tmp_path)["upf"], tmp_path / "out").read_text("ascii")
    assert "upfSessionTable" in text and "upfFlowTable" not in text


def test_nested_scopes_have_the_index_of_the_parent_first(tmp_path: Path) -> None:
    schema = schemas.sources(tmp_path)["everything"]
    text = schemas.module(schema, tmp_path / "out").read_text("ascii")
    assert "INDEX       { ifIndex, myAppQueueNumber, myAppDeepIndex }" in text
    assert "AUGMENTS    { ifEntry }" in text


def test_nodes_come_before_those_below_them(tmp_path: Path) -> None:
    """Two references forward in a row, into the tree of a known module, hang smidump for ever."""
    schema = tmp_path / "ep.yaml"
    schema.write_text(
        "ctrgen: 1\nmodule: ep\nsnmp:\n  oid: 1.3.6.1.4.1.32473.5\n"
        "  nodes: {far: 1.3.6.1.2.1.43.2.6, further: 1.3.6.1.2.1.43.30}\n"
        "scopes:\n  global:\n    counters:\n"
        "      a: {unit: x, description: A., snmp: {oid: 1.3.6.1.2.1.43.30.7.1}}\n"
    )
    text = schemas.module(schema, tmp_path / "out").read_text("ascii")
    nodes = re.findall(r"(?m)^(\w+) OBJECT IDENTIFIER\s+::= \{ ([\w-]+) \d+ \}", text)
    names = [name for name, _ in nodes]
    assert "far" in names
    for number, (name, above) in enumerate(nodes):
        assert above not in names[number:], name


def test_without_objects_there_is_no_module(tmp_path: Path) -> None:
    schema = tmp_path / "ep.yaml"
    schema.write_text(
        "ctrgen: 1\nmodule: ep\nscopes:\n  flow:\n    storage: embedded\n    sync: caller\n"
        "    counters:\n      pkts: {unit: packets, description: P.}\n"
    )
    assert build(BuildRequest(str(schema), str(tmp_path / "out"))).exit_code == 0
    assert not list((tmp_path / "out").glob("*-MIB.txt"))
    assert not list(tmp_path.glob("*.lock"))


# ---- text ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('say "no"', "say 'no'"),
        ("a -- b", "a -- b"),
        ("naïve café", "naive cafe"),
        ("5 µs ≤ x", "5 us <= x"),
        ("tab\there", "tab here"),
        ("\u4e2d\x07", "U+4E2DU+0007"),
        ("“quotes” … —", "'quotes' ... -"),
    ],
)
def test_escape(text: str, expected: str) -> None:
    assert smi.escape(text) == expected


def test_a_comment_is_not_ended_by_its_text() -> None:
    assert "--" not in smi.comment("a --- b ---- c")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("rx_pkts", "rxPkts"), ("a", "a"), ("tx_10g", "tx10g"), ("RxPkts", "rxPkts")],
)
def test_camel(name: str, expected: str) -> None:
    assert smi.camel(name) == expected


def test_names_of_modules() -> None:
    assert smi.module_name("my_app") == "MY-APP-STATS-MIB"
    assert smi.identity("MY-APP-STATS-MIB") == "myAppStatsMIB"
    assert smi.identity("IF-MIB") == "ifMIB"
