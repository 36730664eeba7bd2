# SPDX-License-Identifier: BSD-3-Clause
"""The YANG module, by pyang and libyang; what applications write as its data, by libyang."""

import json
import re
import shutil
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from ctrgen.findings.printers import print_findings
from ctrgen.model.naming import yang
from ctrgen.pipeline.build import BuildRequest, build
from tests.mib.repository import FIRST
from tests.support.capabilities import COMPILERS, PORTS, needs
from tests.support.cbuild import QUICK, SANITIZED, WARNINGS, Build, shared
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import run, succeed
from tests.support.schemas import EVERYTHING, NAMES, sources

HERE = Path(__file__).parent
PYANG = which("pyang") or which("pyang", path=str(Path(sys.executable).parent))
MODULES = Path(PYANG or "/").parent.parent / "share/yang/modules/ietf"
UPDATE = ("--check-update-from-path", MODULES, "--check-update-from")
"""How pyang compares two revisions, by section 11 of RFC 7950."""
needs_pyang = pytest.mark.skipif(PYANG is None, reason="no pyang: ./dev setup")
needs_yanglint = needs("yanglint")


def pyang(*words: str | Path) -> str:
    """What pyang has to say."""
    assert PYANG is not None
    return run(PYANG, *words, merged=True).stdout


def made(schema: Path, output: Path) -> Path:
    """The YANG module of a schema."""
    result = build(BuildRequest(str(schema), str(output), only=("yang",)))
    assert result.exit_code == 0, print_findings(result.diagnostics)
    (path,) = output.glob("*.yang")
    return path


@needs_pyang
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_pyang_has_nothing_to_say(name: str, tmp_path: Path) -> None:
    module = made(sources(tmp_path / "s")[name], tmp_path / "o")
    assert pyang("--lint", "--strict", "--max-line-length", "100", module) == ""


@needs_yanglint
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_libyang_has_nothing_to_say(name: str, tmp_path: Path) -> None:
    module = made(sources(tmp_path / "s")[name], tmp_path / "o")
    assert run("yanglint", module, merged=True).stdout == ""


@pytest.mark.parametrize(
    ("name", "start", "wanted"),
    [
        ("epSessionPkts", ("ep", "session"), "pkts"),
        ("epSession", ("ep", "session"), "ep-session"),
        ("epSession10g", ("ep", "session10g"), "ep-session10g"),
        ("inIPv6Pkts", (), "in-ipv6-pkts"),
        ("foo-bar", (), "foo-bar"),
        ("TCPFlags2Seen", (), "tcp-flags2-seen"),
    ],
)
def test_names(name: str, start: tuple[str, ...], wanted: str) -> None:
    assert yang.kebab(name, start) == wanted


@pytest.mark.parametrize(
    ("mib", "wanted"), [("EP-STATS-MIB", "ep-stats"), ("IP-MIB", "ip-mib"), ("FOO", "foo")]
)
def test_module_names(mib: str, wanted: str) -> None:
    assert yang.module_name(mib) == wanted


TWICE = """\
ctrgen: 1
module: tw
scopes:
  host:
    max: 4
    index: [BRIDGE-MIB::dot1dBasePort, BRIDGE-MIB::dot1dBasePort]
    counters:
      pkts: {unit: packets, description: Packets.}
"""


@needs_pyang
def test_an_index_may_have_an_object_twice(tmp_path: Path) -> None:
    (tmp_path / "tw.yaml").write_text(TWICE)
    module = made(tmp_path / "tw.yaml", tmp_path / "o")
    assert 'key "dot1d-base-port dot1d-base-port-2";' in module.read_text()
    assert pyang("--lint", module) == ""
    result = build(BuildRequest(f"{tmp_path}/tw.yaml", f"{tmp_path}/o", only=("snmp_exporter",)))
    assert result.exit_code == 0
    text = (tmp_path / "o" / "tw_stats_snmp.yml").read_text()
    assert "labelname: dot1dBasePort\n" in text and "labelname: dot1dBasePort_2\n" in text


def test_text_is_quoted(tmp_path: Path) -> None:
    text = made(sources(tmp_path / "s")["everything"], tmp_path / "o").read_text("utf-8")
    assert r'"Hostile \"text\" -- with */ and %s and \\é — “quotes”' in text
    assert max(map(len, text.splitlines())) <= 100


def test_numbers_of_other_modules_have_values(tmp_path: Path) -> None:
    """A leaf of a type of RFC 6991 whose name does not begin with that of a number."""
    schema = tmp_path / "in.yaml"
    schema.write_text(
        "ctrgen: 1\nmodule: in\nscopes:\n  global:\n    states:\n"
        + "".join(
            f"      {name}: {{type: uint32, description: D., snmp: {{syntax: Inet{syntax}}}}}\n"
            for name, syntax in (("port", "PortNumber"), ("system", "AutonomousSystemNumber"))
        )
    )
    module = made(schema, tmp_path / "out")
    types = {"port": "inet:port-number", "system": "inet:as-number"}
    assert leaves(module).items() >= types.items()
    rows = re.findall(r'\{ "(\w+)", (\d), false,', (tmp_path / "out/in_stats_yang.c").read_text())
    assert rows == [("port", "0"), ("system", "1")]


def test_the_namespace_is_the_schemas(tmp_path: Path) -> None:
    schema = tmp_path / "ep.yaml"
    schema.write_text(FIRST)
    assert 'namespace "urn:oid:1.3.6.1.4.1.32473.1";' in made(schema, tmp_path / "o").read_text()
    own = FIRST.replace("snmp:\n", "snmp:\n  yang_namespace: http://example.net/yang/ep?a='b'\n")
    schema.write_text(own)
    assert (
        "namespace \"http://example.net/yang/ep?a='b'\";"
        in made(schema, tmp_path / "o").read_text()
    )
    schema.write_text(own.replace("http:", "no uri:"))
    assert build(BuildRequest(str(schema), str(tmp_path / "o"), only=("yang",))).exit_code == 1


BOUNDED = """\
ctrgen: 1
module: bo
snmp:
  enterprise: 32473
  revisions: [{date: "2026-01-15", description: First.}]
scopes:
  global:
    gauges:
      narrow: {unit: packets, width: 32, max: 4096, description: Narrow.}
      wide: {unit: packets, max: 4096, description: Wide.}
      high: {unit: packets, min: 10, max: 9223372036854775807, description: High.}
      least: {unit: packets, min: 1, description: Least.}
      free: {unit: packets, description: Free.}
    peaks:
      deepest: {of: wide, description: Greatest.}
    states:
      level: {type: int32, min: -5, max: 5, description: Level.}
      few: {type: uint32, min: 1, max: 4294967295, description: Few.}
      title: {type: string, length: 40, description: Title.}
      station: {type: ipv4, description: Address.}
      mode: {type: enum, labels: {idle: 1, up: 2}, description: Mode.}
  interface:
    max: 4
    index: [IF-MIB::ifIndex, IF-MIB::ifName]
    counters:
      pkts: {unit: packets, description: Packets.}
  a_peer_of_a_name_that_takes_half_a_line:
    max: 64
    storage: dynamic
    key:
      - {name: address, type: ip_address, description: Address.}
      - {name: name, type: string, length: 16, description: Name.}
      - {name: cookie, type: octets, length: 8, description: Cookie.}
    counters:
      pkts: {unit: packets, description: Packets of the peer.}
  vlan:
    max: 8
    key: [{name: number, type: uint32, description: Number.}]
    counters:
      pkts: {unit: packets, description: Packets of the VLAN.}
notifications:
  deep:
    of: global.wide
    rises_above: 4000
    lasts: 5s
    carries: [station, mode]
    cleared: true
    description: The queue is deep.
  busy:
    of: a_peer_of_a_name_that_takes_half_a_line.pkts
    rises_above: 9
    lasts: 5s
    description: A peer is busy.
"""


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module of leaves with bounds and of notifications."""
    folder = tmp_path_factory.mktemp("bounded")
    (folder / "bo.yaml").write_text(BOUNDED)
    return made(folder / "bo.yaml", folder / "o")


@needs_pyang
@needs_yanglint
def test_notifications_and_bounds_are_valid(bounded: Path) -> None:
    assert pyang("--lint", "--strict", "--max-line-length", "100", bounded) == ""
    assert run("yanglint", bounded, merged=True).stdout == ""


def leaves(module: Path) -> dict[str, str]:
    """The types of leaves, what restricts them behind them; of notifications the paths."""
    found: dict[str, str] = {}
    above = ""
    text = module.read_text().replace('"\n           + "', "")
    for line in text.splitlines():
        if match := re.match(r" *(?:notification|list) (\S+) \{$", line):
            above = f"{match[1]}/"
        elif match := re.match(r" *leaf (\S+) \{$", line):
            name = above + match[1]
        elif match := re.match(r" *(?:type|range|length|path) (\S+?)(?:;| \{)$", line):
            found[name] = f"{found.get(name, '')} {match[1]}".strip()
    return found


def test_leaves_have_the_bounds_of_their_items(bounded: Path) -> None:
    found = leaves(bounded)
    peer = "a-peer-of-a-name-that-takes-half-a-line"
    assert {name: kind for name, kind in found.items() if not name.endswith("time")} == {
        "narrow": 'yang:gauge32 "0..4096"', "wide": 'yang:gauge64 "min..4096"',
        "high": 'yang:gauge64 "10..9223372036854775807"', "least": 'yang:gauge64 "1..max"',
        "free": "yang:gauge64", "deepest": 'yang:gauge64 "min..4096"',
        "level": 'int32 "-5..5"', "few": 'uint32 "1..4294967295"', "title": 'string "0..40"',
        "station": "inet:ipv4-address-no-zone", "mode": "enumeration",
        "interface/if-index": 'int32 "1..2147483647"', "interface/if-name": 'string "0..255"',
        f"{peer}/{peer}-address": "inet:ip-address-no-zone",
        f"{peer}/{peer}-name": 'string "1..16"', f"{peer}/{peer}-cookie": 'binary "8"',
        f"{peer}/pkts": "yang:counter64",
        "interface/pkts": "yang:counter64", "vlan/pkts": "yang:counter64",
        "vlan/vlan-number": 'uint32 "0..4294967295"',
        **{f"{name}/{leaf}": f'leafref "/bo-stats/global/{leaf}"'
           for name in ("deep", "deep-cleared") for leaf in ("wide", "station", "mode")},
        **{f"busy/{leaf}": f'leafref "/bo-stats/{peer}/{leaf}"'
           for leaf in (f"{peer}-address", f"{peer}-name", f"{peer}-cookie", "pkts")},
    }  # fmt: skip


NOTIFIED = '{"bo-stats:deep": {"wide": "4096", "station": "192.0.2.1", "mode": "up"}}'


@needs_yanglint
@pytest.mark.parametrize(
    ("wrong", "right"),
    [("", ""), ("4097", "4096"), ("down", "up"), ("192.0.2.256", "192.0.2.1"),
     ("cookie", "station")],
)  # fmt: skip
def test_a_notification_has_the_types_of_its_leaves(
    wrong: str, right: str, bounded: Path, tmp_path: Path
) -> None:
    (tmp_path / "n.json").write_text(NOTIFIED.replace(right, wrong))
    said = run("yanglint", "-t", "notif", bounded, tmp_path / "n.json", merged=True).stdout
    assert (said == "") is (wrong == "")


@needs("gcc")
def test_instances_with_keys_are_not_numbered(bounded: Path) -> None:
    text = bounded.with_name("bo_stats_yang.c").read_text()
    assert '"vlan"' not in text and '"global"' in text


TREE, TYPES = "generator/backends/tree.py", "generator/model/smitypes.py"
MODULE_BUGS = {
    "a gauge without bounds": Edit(TREE, ', "yang:gauge64")', ")"),
    "the type of an address is a key": Edit(TREE, 'after.syntax.base == "Inet',
                                            'after.syntax.base == "'),
    "a notification without keys": Edit(
        "generator/backends/yang.py", "(*node.keys, leaf)", "(leaf,)"),
    "an index of another module without a range": Edit(
        TYPES, '"InterfaceIndex": Shown("int32", "1..2147483647")',
        '"InterfaceIndex": Shown("int32")'),
}  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", MODULE_BUGS)
def test_a_bug_in_the_module_is_seen(bug: str, bounded: Path, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [MODULE_BUGS[bug]])
    (tmp_path / "bo.yaml").write_text(BOUNDED)
    tree.succeed("build", tmp_path / "bo.yaml", "-o", tmp_path / "o", "--only", "yang")
    assert leaves(tmp_path / "o" / "bo-stats.yang") != leaves(bounded)


# ---- updates ----

DATES = "revisions:\n    - {date: '2026-03-01', description: Third.}\n    - "
EDITS = {
    "renamed": ("      pkts: {unit: packets, description: Packets.}\n  ",
                "      frames: {renamed_from: pkts, unit: packets, description: Packets.}\n  "),
    "removed": ("      drops: {unit: packets, description: Drops.}\n", ""),
    "inserted": ("  session:\n    max: 4\n    counters:\n",
                 "  session:\n    max: 4\n    counters:\n"
                 "      first: {unit: packets, description: New.}\n"),
    "label": ("[idle, up]", "[idle, up, down]"),
    "max": ("max: 4", "max: 400"),
    "scope removed": (FIRST[FIRST.index("  session:"):], ""),
    "scope renamed": ("  session:\n", "  meeting:\n    renamed_from: session\n"),
    "scope of the name of a scalar": ("  session:\n", "  pkts:\n    max: 2\n    counters:\n"
                                      "      x: {unit: packets, description: X.}\n  session:\n"),
    "scalar of the name of a scope": ("    states:", "      session: {unit: packets, "
                                      "description: S.}\n    states:"),
}  # fmt: skip
"""Edits of a published schema: what was there, and what is."""


def identifiers(text: str) -> set[str]:
    """The paths of all nodes."""
    path: list[str] = []
    found = set()
    for line in text.splitlines():
        if match := re.match(r" *(?:module|container|list|leaf|enum) (\S+) \{$", line):
            path.append(match[1])
            found.add("/".join(path))
        elif line.endswith("{"):
            path.append("")
        elif line.strip() == "}":
            path.pop()
    return found


def updated(tmp_path: Path, edit: tuple[str, str], tree: Tree = PROJECT) -> tuple[Path, Path]:
    """A published module, and the next revision of it."""
    schema, out = tmp_path / "ep.yaml", tmp_path / "o"
    schema.write_text(FIRST)
    tree.succeed("build", schema, "-o", out, "--only", "mib,yang")
    old = out.rename(tmp_path / "old") / "ep-stats.yang"
    assert edit[0] in FIRST
    dated = FIRST.replace("revisions: [{", DATES + "{").replace("First.}]", "First.}")
    schema.write_text(dated.replace(*edit))
    tree.succeed("build", schema, "-o", out, "--only", "mib,yang", "--force")
    return old, out / "ep-stats.yang"


@needs_pyang
@pytest.mark.one_in(4)
@pytest.mark.parametrize("edit", EDITS)
def test_what_was_published_stays(edit: str, tmp_path: Path) -> None:
    old, new = updated(tmp_path, EDITS[edit])
    assert identifiers(old.read_text()) <= identifiers(new.read_text())
    assert pyang("--lint", new) == ""
    assert pyang(*UPDATE, old, new) == ""


@needs_pyang
@pytest.mark.parametrize(
    ("edit", "bug"),
    [
        ("removed", Edit("generator/publish/lock.py", 'if entry.kind == "object":',
                         "if not entry.gone:")),
        ("renamed", Edit(TREE, "named(names, entry.name, start)",
                         "free(names, yang.kebab(entry.key.item or entry.name))")),
    ],
)  # fmt: skip
def test_a_name_that_changes_is_seen(edit: str, bug: Edit, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [bug])
    (tmp_path / "w").mkdir()
    old, new = updated(tmp_path / "w", EDITS[edit], tree)
    assert not identifiers(old.read_text()) <= identifiers(new.read_text())
    assert pyang(*UPDATE, old, new) != ""


# ---- data of an application ----


def program(
    folder: Path, target: Path, port: str = "posix", compiler: str = "gcc", tree: Tree = PROJECT
) -> Path:
    """The application that writes JSON."""
    sanitized = port == "posix" and compiler == "gcc"
    flags = SANITIZED if sanitized else QUICK
    made = Build(port=port, compiler=compiler, flags=flags, tree=tree)
    out = folder / "out"
    own = [HERE / "yang_main.c", out / "mon_stats.c", out / "mon_stats_yang.c"]
    shared().link(target, made, own, [out])
    return target


@pytest.fixture(scope="module")
def written(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("yang")
    path = program(folder, found / "program")
    (found / "data.json").write_text(succeed(path), "utf-8")
    (found / "empty.json").write_text(succeed(path, "empty"), "utf-8")
    return found


def validated(module: Path, data: Path) -> str:
    """What libyang has to say about operational data."""
    return run("yanglint", "-t", "get", module, data, merged=True).stdout


@needs("gcc")
@needs_yanglint
@pytest.mark.parametrize("name", ["data", "empty"])
def test_data_is_that_of_the_module(name: str, folder: Path, written: Path) -> None:
    assert validated(folder / "out" / "mon-stats.yang", written / f"{name}.json") == ""


def values(path: Path) -> Any:
    """The members of the container."""
    return json.loads(path.read_text("utf-8"))["mon-stats:mon-stats"]


@needs("gcc")
def test_values(written: Path) -> None:
    found = values(written / "data.json")
    only = found["global"]
    touched = only.pop("touched")
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", touched)
    assert only == {
        "wide-packets": str(0xFEDCBA9876543210), "narrow-errors": 4000000000, "sizes-to64": "2",
        "sizes-to512": "1", "sizes-above512": "1", "sizes-sum": "9189", "depth": 4,
        "fill": str(2**40), "deepest": 9, "up": True, "down": False, "level": -5,
        "serial": str(2**64 - 1), "mode": "half-open", "since": 12345, "address": "192.0.2.200",
        "remote": "2001:db8::ff", "station": "02:00:00:00:80:ab", "wide-total": 11,
        "title": '"\\ é \ufffd \ufffd \ufffd\ufffd\ufffd \ufffd\ufffd \U0001f600', "title-info": 12,
    }  # fmt: skip
    jumped = found["port"][1].pop("discontinuity-time")
    assert touched[:10] <= jumped[:10]
    assert found["port"] == [
        {"port-index": 1, "frames": "0", "phase": "closed"},
        {"port-index": 2, "frames": "10", "phase": "opened"},
    ]
    assert [row["pkts"] for row in found["queue"]] == ["0", "1", "2", "100", "101", "102"]
    assert found["drop"][2] == {"drop-reason": "ttl", "drop-direction": "in", "pkts": "3"}
    assert found["flow"] == [{"flow-index": 8, "hits": "70"}, {"flow-index": 1000, "hits": "0"}]
    assert found["many"] == [{"many-index": 20000, "lost-packets": "0"}]


@needs("gcc")
def test_what_never_was_is_left_out(written: Path) -> None:
    found = values(written / "empty.json")
    assert not {"never", "mode", "touched", "untouched"} & found["global"].keys()
    assert "flow" not in found and found["global"]["title"] == ""


@pytest.mark.one_in(8)
@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_it_compiles(compiler: str, port: str, folder: Path, tmp_path: Path) -> None:
    program(folder, tmp_path / "program", port, compiler)


@needs("gcc")
def test_all_that_a_schema_can_say_compiles(tmp_path: Path) -> None:
    (tmp_path / "everything.yaml").write_text(EVERYTHING, "utf-8")
    out = tmp_path / "o"
    PROJECT.succeed("build", tmp_path / "everything.yaml", "-o", out, "--only", "c,yang")
    flags = PROJECT.succeed("runtime", "--port", "posix", "--cflags").split()
    source = out / "my_app_stats_yang.c"
    succeed("gcc", "-std=gnu11", *WARNINGS, *flags, "-c", source, "-o", tmp_path / "o.o")


YANG = "runtime/src/parts/yang/ctr_yang.c"
BUGS = {
    "64 bits are a number": Edit("templates/yang/module.c.j2", '.endswith("64")', '.endswith("x")'),
    "keys from 0": Edit(YANG, "index[i] + 1);\n\t}\n}", "index[i]);\n\t}\n}"),
    "any octets": Edit(YANG, "code >= 0x20 && code != 0x7f", "code != 0"),
}  # fmt: skip


@needs("gcc")
@needs_yanglint
@pytest.mark.deep
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, folder: Path, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [BUGS[bug]])
    shutil.copy(HERE / "mon.yaml", tmp_path)
    tree.succeed("build", tmp_path / "mon.yaml", "-o", tmp_path / "out", "--only", "c,yang")
    text = succeed(program(tmp_path, tmp_path / "program", tree=tree), errors="surrogateescape")
    (tmp_path / "data.json").write_text(text, "utf-8", errors="surrogateescape")
    assert validated(folder / "out" / "mon-stats.yang", tmp_path / "data.json") != ""
