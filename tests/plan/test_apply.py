# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan --apply`: the strategies that are recommended get into the schema, nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrgen.pipeline.check import check
from ctrgen.plan.apply import Applied, apply
from tests.plan import example
from tests.support.paths import SCHEMAS
from tests.support.process import Result, ctrgen

LOCK = "{strategy: shared_lock, lock: ticket, granularity: instance}"

BLOCK = """\
# A comment\twith a tab.
ctrgen: 1
module: "ep"   # its name
SYNCdescription: 'Endpoint; § ü.'
scopes:
  # Once.
  global:
    # What it is.
    counters: {pkts: {unit: packets, description: P.}}
  flow:   # One flow.

    max: 16
    FLOWcounters:
      pkts:  {unit: packets, description: P.}   # aligned
      bytes: {unit: bytes, description: B.}
  queue:
    parent: flow
    max: 4
    counters: {pkts: {unit: packets, description: P.}}
updates:
  packet: {args: {size: uint16}, add: {global.pkts: 1, flow.bytes: size, queue.pkts: 1}}
"""
ALL = ("global", "flow", "queue")


def schema(sync: str = "", flow: str = "") -> str:
    """A schema with a text in front of its description, and in front of flow's counters."""
    return BLOCK.replace("SYNC", sync).replace("FLOW", flow)


def changed(folder: Path, text: str | bytes, **picks: str) -> tuple[str, Applied]:
    """What becomes of a text with strategies by scope, and what is said of it."""
    path = folder / "schema.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = apply(check(str(path), only=("c",)), picks, "", ())
    return path.read_bytes().decode(), done


def same(name: str, *scopes: str) -> dict[str, str]:
    return dict.fromkeys(scopes or ALL, name)


def has(folder: Path, picks: dict[str, str]) -> None:
    """Whether the schema is clean, with these strategies."""
    found = check(str(folder / "schema.yaml"), only=("c",))
    assert found.module is not None and not found.diagnostics.failed
    assert {s.name: s.sync.strategy for s in found.module.scopes} == picks


EDITS = {
    "inserted for all": (schema(), same("shared_atomic"), schema("sync: shared_atomic\n")),
    "changed for all": (
        schema("sync: per_core # why\n"),
        same("shared_atomic"),
        schema("sync: shared_atomic # why\n"),
    ),
    "quoted": (
        schema("sync: \"per_core\"\n", "sync: 'per_core'\n    "),
        same("shared_atomic"),
        schema("sync: \"shared_atomic\"\n", "sync: 'shared_atomic'\n    "),
    ),
    "one of several": (
        schema(),
        same("per_core") | {"flow": "shared_atomic"},
        schema().replace("One flow.\n", "One flow.\n    sync: shared_atomic\n"),
    ),
    "below a comment": (
        schema(),
        same("per_core") | {"global": "shared_atomic"},
        schema().replace("global:\n", "global:\n    sync: shared_atomic\n"),
    ),
    "only one that has its own": (
        schema("", f"sync: {LOCK} # tuned\n    "),
        same("per_core") | {"flow": "shared_atomic"},
        schema("", "sync: {strategy: shared_atomic} # tuned\n    "),
    ),
    "tunables of the same stay": (
        schema("", f"sync: {LOCK}\n    "),
        same("shared_atomic") | {"flow": "shared_lock"},
        schema("sync: shared_atomic\n", f"sync: {LOCK}\n    "),
    ),
    "tunables in front": (
        schema("sync: {lock: mcs, granularity: instance, strategy: shared_lock}\n"),
        same("per_core"),
        schema("sync: {strategy: per_core}\n"),
    ),
    "tunables that both have": (
        schema("sync: {strategy: shared_atomic, pad: line}\n"),
        same("shared_unsync"),
        schema("sync: {strategy: shared_unsync, pad: line}\n"),
    ),
    "tunables in lines": (
        schema("sync:\n  # one\n  lock: mcs # two\n  strategy: shared_lock # three\n"
               "  granularity: instance\n"),
        same("per_core"),
        schema("sync:\n  # one\n  strategy: per_core # three\n"),
    ),
    "of defaults": (
        schema("defaults: {scopes: {sync: shared_lock}}\n"),
        {"global": "per_core"} | same("shared_atomic", "flow", "queue"),
        schema("defaults: {scopes: {sync: shared_atomic}}\n"),
    ),
    "beside defaults": (
        schema("defaults: {scopes: {sync: shared_lock}}\n"),
        {"global": "shared_lock", "flow": "shared_lock", "queue": "per_core"},
        schema("sync: shared_lock\ndefaults: {scopes: {sync: shared_lock}}\n").replace(
            "queue:\n", "queue:\n    sync: per_core\n"
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("edit", EDITS)
def test_only_what_must_change_does(tmp_path: Path, edit: str, ending: str) -> None:
    before, picks, after = EDITS[edit]
    before, after = (text.replace("\n", ending) for text in (before, after))
    assert changed(tmp_path, before, **picks)[0] == after
    has(tmp_path, picks)
    mark = b"\xef\xbb\xbf"
    changed(tmp_path, mark + before.rstrip().encode(), **picks)
    assert (tmp_path / "schema.yaml").read_bytes() == mark + after.rstrip().encode()
    again, done = changed(tmp_path, after, **picks)
    assert again == after and not done.changes and not done.diagnostics.failed


FLOW = (
    '{ctrgen: 1, module: ep, scopes: {global: {counters: {a: {unit: x, description: A.}}},\n'
    '  f: { "max": 4, counters: {a: {unit: x, description: A.}} }},\n'
    ' updates: {u: {add: {global.a: 1, f.a: 1}}}}'
)  # fmt: skip


def test_mappings_in_braces(tmp_path: Path) -> None:
    new, _ = changed(tmp_path, FLOW, **same("per_core_lock", "global", "f"))
    assert new == FLOW.replace("{ctrgen", "{sync: per_core_lock, ctrgen")
    new, done = changed(tmp_path, FLOW, **{"global": "per_core", "f": "shared_lock"})
    assert new == FLOW.replace('"max"', '"sync": "shared_lock", "max"')
    assert [(c.line, c.scope, c.old, c.new) for c in done.changes] == [
        (2, "f", "per_core", "shared_lock")
    ]


def test_where_module_is_in_the_last_line(tmp_path: Path) -> None:
    head, tail = schema().split('module: "ep"   # its name\n')
    text = f"{head}{tail}module: ep"
    new, _ = changed(tmp_path, text, **same("per_core_lock"))
    assert new == f"{text}\nsync: per_core_lock"


REFUSED = {
    "alias": (
        schema("sync: &s per_core\n", "sync: *s\n    "),
        same("per_core") | {"flow": "shared_atomic"},
        "14:11",
        "alias",
    ),
    "anchor": (schema("sync: &s per_core\n"), same("shared_atomic"), "4:7", "anchor"),
    "anchored strategy": (
        schema("sync: {strategy: &s per_core}\n"), same("shared_atomic"), "4:18", "anchor"
    ),
    "alias of a scope": (
        schema().replace("  queue:\n    parent: flow\n", "  queue: &q\n")
        .replace("updates:", "  twin: *q\nupdates:"),
        same("per_core") | {"twin": "shared_atomic"},
        "19:9",
        "alias",
    ),
    "comment between tunables": (
        schema("sync: {strategy: shared_lock, # why\n  lock: mcs}\n"),
        same("per_core"),
        "5:9",
        "comment",
    ),
    "explicit key": (
        schema().replace("counters: {pkts", "? counters\n    : {pkts", 1),
        same("per_core") | {"global": "shared_atomic"},
        "9:7",
        "does not begin a line",
    ),
    "broken rule": (
        schema("requires: {exact: true}\n"), same("shared_unsync"), "3:9", "would break its rules"
    ),
    "nothing": (schema(), {}, "3:9", "nothing is recommended"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path: Path, case: str) -> None:
    text, picks, place, message = REFUSED[case]
    new, done = changed(tmp_path, text, **picks)
    assert new == text and not done.changes
    (found,) = done.diagnostics.findings
    assert f"{found.span.line}:{found.span.column}" == place and message in found.message
    for name in {picks[scope] for scope in picks} - {"per_core"}:
        assert name in found.hint


def test_a_file_that_is_included(tmp_path: Path) -> None:
    more = "scopes:\n  port:\n    max: 4\n    counters: {pkts: {unit: packets, description: P.}}\n"
    (tmp_path / "more.yaml").write_text(more)
    text = schema("include: [more.yaml]\n")
    new, done = changed(tmp_path, text, **same("per_core"), port="shared_atomic")
    (found,) = done.diagnostics.findings
    assert new == text and found.span[:3] == (str(tmp_path / "more.yaml"), 2, 3)
    assert "included" in found.message and "`sync: shared_atomic`" in found.hint
    picks = same("shared_atomic", *ALL, "port")
    assert changed(tmp_path, text, **picks)[0] == text.replace(
        "# its name\n", "# its name\nsync: shared_atomic\n"
    )
    has(tmp_path, picks)
    assert (tmp_path / "more.yaml").read_text() == more


@pytest.fixture
def gtp(tmp_path: Path) -> Path:
    """A schema that a better strategy is known for."""
    path = tmp_path / "gtp.yaml"
    text = example.SCHEMA.read_text("utf-8").replace("sync: shared_buffered", "sync: per_core")
    path.write_text(text, "utf-8")
    return path


def plan(*words: object) -> Result:
    return ctrgen("plan", *words, "--apply")


def test_the_command(gtp: Path) -> None:
    """A link stays one, the permissions stay, and what is printed is the plan and the change."""
    gtp.chmod(0o640)
    link = gtp.with_name("link.yaml")
    link.symlink_to("gtp.yaml")
    before, told = gtp.read_text("utf-8"), ctrgen("plan", link, *example.OPTIONS)
    done = plan(link, *example.OPTIONS)
    assert done.exit_code == 0
    assert done.stdout == (
        f"{told.stdout}\n{link}:6: global: per_core -> shared_buffered\n"
        f"{link}:6: tunnel: per_core -> shared_buffered\n"
    )
    assert gtp.read_text("utf-8") == before.replace("sync: per_core", "sync: shared_buffered")
    assert link.is_symlink() and gtp.stat().st_mode & 0o777 == 0o640
    assert sorted(gtp.parent.iterdir()) == [gtp, link]
    stamp = gtp.stat().st_mtime_ns
    done = plan(link, *example.OPTIONS)
    assert done.exit_code == 0 and "\nNothing to change: " in done.stdout
    assert gtp.stat().st_mtime_ns == stamp


def test_a_mix_and_its_json(gtp: Path) -> None:
    text = gtp.read_text("utf-8").replace("lcores: 20}", "lcores: 20, propagation: 1ms}")
    gtp.write_text(text, "utf-8")
    words = (gtp, *example.OPTIONS, "--api", "single", "--format", "json")
    assert "applied" not in json.loads(ctrgen("plan", *words).stdout)
    done = plan(*words)
    tunnel = {"path": str(gtp), "line": 14, "scope": "tunnel"}
    change = {"old": "per_core", "new": "shared_atomic"}
    assert json.loads(done.stdout)["applied"] == [tunnel | change]
    assert gtp.read_text("utf-8").splitlines()[13] == "    sync: shared_atomic"
    assert json.loads(plan(*words).stdout)["applied"] == []


def test_no_recommendation(gtp: Path) -> None:
    text = gtp.read_text("utf-8").replace("memory: 128MiB", "memory: 1KiB")
    gtp.write_text(text, "utf-8")
    done = plan(gtp)
    assert done.exit_code == 1 and gtp.read_text("utf-8") == text
    assert f"{gtp}:4:9: error[not-applied]: not applied: nothing is recommended" in done.stderr


def test_what_is_no_file_to_change() -> None:
    for words in (["--validate"], [], ["-"]):
        done = plan(*words)
        assert done.exit_code == 2 and "SCHEMA" in done.stderr


@pytest.fixture
def smi(tmp_path: Path) -> Path:
    """A module with a scalar and a table."""
    path = tmp_path / "T-MIB.txt"
    path.write_text(
        "T-MIB DEFINITIONS ::= BEGIN\nIMPORTS MODULE-IDENTITY, OBJECT-TYPE, Counter64, Unsigned32,"
        " enterprises FROM SNMPv2-SMI;\n"
        "t MODULE-IDENTITY LAST-UPDATED \"202601010000Z\" ORGANIZATION \"a\""
        "\n  CONTACT-INFO \"a\" DESCRIPTION \"a\" ::= { enterprises 32473 }\n"
        "pkts OBJECT-TYPE SYNTAX Counter64 MAX-ACCESS read-only STATUS current\n"
        "  DESCRIPTION \"Packets.\" ::= { t 1 }\n"
        "portTable OBJECT-TYPE SYNTAX SEQUENCE OF PortEntry MAX-ACCESS not-accessible\n"
        "  STATUS current DESCRIPTION \"Ports.\" ::= { t 2 }\n"
        "portEntry OBJECT-TYPE SYNTAX PortEntry MAX-ACCESS not-accessible STATUS current\n"
        "  DESCRIPTION \"A port.\" INDEX { portIndex } ::= { portTable 1 }\n"
        "PortEntry ::= SEQUENCE { portIndex Unsigned32, portPkts Counter64 }\n"
        "portIndex OBJECT-TYPE SYNTAX Unsigned32 (1..9) MAX-ACCESS not-accessible STATUS current\n"
        "  DESCRIPTION \"Its number.\" ::= { portEntry 1 }\n"
        "portPkts OBJECT-TYPE SYNTAX Counter64 MAX-ACCESS read-only STATUS current\n"
        "  DESCRIPTION \"Its packets.\" ::= { portEntry 2 }\nEND\n"
    )  # fmt: skip
    return path


def test_a_module_in_smi(smi: Path) -> None:
    before = smi.read_bytes()
    picks = {"global": "shared_atomic", "port": "shared_atomic"}
    done = apply(check(str(smi), only=("c",)), picks, "", ())
    (found,) = done.diagnostics.findings
    assert "SMI" in found.message and "import:" in found.hint and smi.read_bytes() == before


def test_an_overlay(smi: Path, tmp_path: Path) -> None:
    """It gets the strategy of all; that of one scope only where the overlay has this scope."""
    path, before = tmp_path / "t.yaml", smi.read_bytes()
    plain = f"ctrgen: 1\nimport: {smi.name}  # as it was\nsync: per_core\n"
    for text in (plain, plain + "scopes:\n  port: {max: 4} # few\n"):
        path.write_text(text)
        done = apply(
            check(str(path), only=("c",)), dict.fromkeys(("global", "port"), NAMES[2]), "", ()
        )
        assert not done.diagnostics.findings
        assert path.read_text() == text.replace("sync: per_core", "sync: shared_atomic")
        path.write_text(text)
        picks = {"global": "per_core", "port": "shared_atomic"}
        done = apply(check(str(path), only=("c",)), picks, "", ())
        if text == plain:
            (found,) = done.diagnostics.findings
            assert found.span.path == str(smi)
            assert "`port: {sync: shared_atomic}` under `scopes`" in found.hint
            assert path.read_text() == text
        else:
            assert not done.diagnostics.findings
            assert path.read_text() == text.replace("{max: 4}", "{sync: shared_atomic, max: 4}")
    assert smi.read_bytes() == before


NAMES = ("per_core", "per_core_lock", "shared_atomic", "shared_lock", "shared_unsync")
SYNCS = st.sampled_from(["", *NAMES, LOCK, "{strategy: shared_atomic, pad: line}"])


@settings(max_examples=25, deadline=None)
@given(
    module=SYNCS, own=st.lists(SYNCS, min_size=3, max_size=3), braces=st.booleans(),
    picks=st.lists(st.sampled_from(NAMES), min_size=3, max_size=3),
)  # fmt: skip
def test_made_up_schemas(
    tmp_path_factory: pytest.TempPathFactory,
    module: str,
    own: list[str],
    braces: bool,
    picks: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("made")
    text = "ctrgen: 1\nmodule: ep\n" + (f"sync: {module}\n" if module else "") + "scopes:\n"
    for scope, sync in zip(ALL, own, strict=True):
        keys = ["max: 4"] * (scope != "global") + [f"sync: {sync}"] * bool(sync)
        keys.append("counters: {pkts: {unit: packets, description: P.}}")
        text += f"  {scope}: {{{', '.join(keys)}}} # {scope}\n" if braces else (
            f"  {scope}: # {scope}\n    " + "\n    ".join(keys) + "\n"
        )  # fmt: skip
    wanted = dict(zip(ALL, picks, strict=True))
    once, done = changed(folder, text, **wanted)
    assert not done.diagnostics.failed
    has(folder, wanted)
    again, done = changed(folder, once, **wanted)
    assert again == once and not done.changes
    kept = [line for line in text.splitlines() if "sync" not in line]
    assert braces or [line for line in once.splitlines() if "sync" not in line] == kept


@pytest.mark.parametrize("name", sorted(path.name for path in SCHEMAS.glob("*.yaml")))
def test_schemas(tmp_path: Path, name: str) -> None:
    shutil.copytree(SCHEMAS, tmp_path / "schemas")
    path = tmp_path / "schemas" / name
    before = path.read_text("utf-8")
    done = plan(path, "--lcores", "2", "--format", "json")
    assert done.exit_code == 0, done.stderr
    found, after = json.loads(done.stdout), path.read_text("utf-8")
    assert bool(found["applied"]) is (after != before)
    kept = [line for line in before.splitlines() if "sync:" not in line]
    assert [line for line in after.splitlines() if "sync:" not in line] == kept
    again = plan(path, "--lcores", "2", "--format", "json")
    assert json.loads(again.stdout)["applied"] == [] and path.read_text("utf-8") == after
    if found["applied"]:
        assert ctrgen("build", path, "-o", tmp_path / "out", "--only", "c").exit_code == 0
