# SPDX-License-Identifier: BSD-3-Clause
"""What an application of real DPDK replies, and what the client makes of it."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.tools.live.model import LiveError
from ctrgen.tools.live.telemetry import Telemetry, find
from tests.support.capabilities import needs_dpdk
from tests.support.planted import Edit, planted
from tests.support.process import run
from tests.telemetry import judge, lab

pytestmark = [needs_dpdk, pytest.mark.dpdk]


def test_the_limits_are_those_of_the_library(asker: lab.Asker) -> None:
    """Of the release at hand. Those of dictionaries and arrays are asserted when it is compiled."""
    assert asker.greeting["max_output_len"] >= 16384
    facts = asker.ask("/tel/info")
    assert facts["page_octets"] + 64 < asker.greeting["max_output_len"]
    assert (facts["page_values"], facts["resets"]) == (250, 0)
    assert [facts[f"views/{n}"] for n in range(4)] == ["raw", "default", "cli", "billing"]
    assert facts["pid"] == asker.greeting["pid"]


REPLIES = {
    "/tel/drop,ttl,out": {"pkts": 1011},
    "/tel/drop,1,1": {"pkts": 1011},
    "/tel/drop,ttl,1": {"pkts": 1011},
    "/tel/scope,drop,no_route,in": {"pkts": 1000},
    "/tel/queue,1,2": {"pkts": 102},
    "/tel/stats,stats": {"0/pkts": 500, "1/pkts": 501},
    "/tel/scope,stats,1": {"pkts": 501},
    "/tel/peer,=10.0.0.9,=179": {"/key/0/address": "10.0.0.9", "/key/0/tcp": "179", "pkts": 4242},
    "/tel/session,7": {"/key/0/imsi": 'a,"b\\\\c %\\x09\\xc3\\xa9', "pkts": 8},
    '/tel/session,=a\\x2c"b\\\\c %\\x09\\xc3\\xa9': {
        "/key/0/imsi": 'a,"b\\\\c %\\x09\\xc3\\xa9', "pkts": 8,
    },
    "/tel/stats,queue,4": {"1/1/pkts": 101, "1/2/pkts": 102},
    "/tel/stats,queue,6": {},
    "/tel/lcore,0,port": {"0/frames": 10, "1/frames": 11},
    "/tel/lcore,1,port": {"0/frames": 0, "1/frames": 0},
    "/tel/view,raw,port": {"0/frames": 10, "1/frames": 11},
    "/tel/view,cli,queue,5": {"1/2/pkts": 102},
}  # fmt: skip


@pytest.mark.parametrize("command", REPLIES)
def test_replies(command: str, asker: lab.Asker) -> None:
    assert asker.ask(command) == REPLIES[command]


ERRORS = {
    "/tel/stats,nothing": "no scope 'nothing'",
    "/tel/stats,,0": "no scope ''",
    "/tel/stats,port,x": "where to start is a number, not 'x'",
    "/tel/stats,port,-1": "where to start is a number, not '-1'",
    "/tel/stats,port,3": "port ends before 3",
    "/tel/stats,port,18446744073709551615": "port ends before 18446744073709551615",
    "/tel/stats,port,18446744073709551616": "where to start is a number, not '184467440737",
    "/tel/stats,port,1,1": "unexpected parameter '1'",
    "/tel/scope": "no scope ''",
    "/tel/scope,none": "no scope 'none'",
    "/tel/port": "which port?",
    "/tel/port,2": "port is 0 to 1, not 2",
    "/tel/port,99999999999999999999999": "no port '99999999999999999999999'",
    "/tel/queue,1": "which queue?",
    "/tel/queue,1,x": "no queue 'x'",
    "/tel/queue,1,1,0,0": "unexpected parameter '0'",
    "/tel/drop,ttl,up": "no direction 'up'",
    "/tel/session,1": "there is no such session now",
    "/tel/session,=nobody": "no instance has that key",
    "/tel/session,=" + 41 * "x": "imsi cannot be 'xxxx",
    "/tel/peer,=10.0.0.9": "the key also has tcp: write =VALUE",
    "/tel/peer,=10.0.0,=179": "address cannot be '10.0.0'",
    "/tel/peer,=10.0.0.9,=70000": "tcp cannot be '70000'",
    "/tel/peer,=10.0.0.9,=": "tcp cannot be ''",
    "/tel/lcore": "which lcore? A number, or non_lcore",
    "/tel/lcore,x": "an lcore is a number, not 'x'",
    "/tel/lcore,4294967296": "an lcore is 0 to ",
    "/tel/lcore,0,stats": "stats: shared_atomic does not keep lcores apart",
    "/tel/view": "which view? /tel/info has them",
    "/tel/view,none": "no view 'none'",
    "/tel/reset,cli": "resets are not allowed",
    "/tel/reset": "resets are not allowed",
    "/tel/info,999999": "",
    "/tel/list,999999": "the list ends before 999999",
    "/tel/list,\\": "write a backslash as two",
    "/tel/list,\\x0": "write a backslash as two",
    "/tel/list" + 70 * ",1": "more than 64 parameters",
    "/tel/list,\x01\xff": "where to start is a number, not '",
}


@pytest.mark.parametrize("command", ERRORS)
def test_what_cannot_be_asked(command: str, asker: lab.Asker) -> None:
    reply = asker.ask(command)
    assert reply.get("/error", "").startswith(ERRORS[command])
    assert not reply.keys() - {"/error"}


def test_every_page_has_what_the_next_lacks(application: lab.Application, asker: lab.Asker) -> None:
    """A page from each place on, so that boundaries are everywhere."""
    whole = asker.whole("/tel/stats", "session")
    places = [int(name.split("/")[0]) for name in whole if not name.startswith("/")]
    for start in range(0, 3000, 97):
        found = asker.whole("/tel/stats", "session", str(start))
        assert found == {
            name: value
            for name, value in whole.items()
            if int(name.removeprefix("/key/").split("/")[0]) >= start
        }
    assert len(places) == 429
    lines = [line for page in asker.pages("/tel/list") for line in page["lines"]]
    for start in range(len(lines)):
        assert asker.ask(f"/tel/list,{start}")["lines"] == lines[start:]
    facts = asker.ask("/tel/info")
    for start in range(len(facts) - 1):
        rest = asker.ask(f"/tel/info,{start}")
        assert rest and set(rest.items()) <= set(facts.items())


def test_the_client_reads_everything(application: lab.Application) -> None:
    source = Telemetry(application.socket)
    assert source.name == application.prefix
    assert application.socket in find()
    (module,) = source.modules()
    assert module.description.endswith('has "quotes", a \\ and an é.')
    assert module.views == ("raw", "default", "cli", "billing")
    scopes = {scope.name: scope for scope in module.scopes}
    pkts = scopes["global"].items[0]
    assert pkts.description == 'A "wide" counter: 100 % of é.'
    assert (pkts.kind, pkts.type, pkts.unit, pkts.width) == ("counter", "u64", "packets", 64)
    assert scopes["global"].histograms[0].bounds == (64, 512)
    (row,) = source.read(module, scopes["global"])
    values = dict(zip((item.name for item in scopes["global"].items), row.values, strict=True))
    title = bytes(range(1, 201)).decode("utf-8", "backslashreplace")
    assert values.pop("title") == title
    touched = values.pop("touched")
    assert isinstance(touched, int) and abs(touched / 1e9 - row.since) < 60
    assert values == {
        "pkts": 2**64 - 6, "errors": 2**32 - 1, "next": 1007, "sizes_to_64": 1, "sizes_to_512": 1,
        "sizes_above_512": 1, "sizes_sum": 9164, "depth": 44, "up": True, "level": -40,
        "mode": '1/2 "open" \\ ✓', "never": None, "untouched": None, "address": "192.0.2.1",
        "remote": "2001:db8::ff", "station": "02:00:00:00:80:ab",
    }  # fmt: skip
    names = {row.indexes: row.names for row in source.read(module, scopes["session"])}
    assert (names[7,], names[14,]) == (('a,"b\\c %\té',), ("0010114",))
    drops = [(row.names, row.values) for row in source.read(module, scopes["drop"])]
    assert (('T "TL" \\ ✓', "in"), (1010,)) in drops
    assert source.lcores(module) == ("0", "non_lcore")
    (other,) = source.read_lcore(module, scopes["global"], "non_lcore")
    assert other.values[2] == 1000 and other.values[7] is None
    assert judge.compare(application) == 12 + 2 + 6 + 4 + 429 + 2 + 2 + 8
    source.close()


def test_dpdk_telemetry_py(application: lab.Application) -> None:
    script = shutil.which("dpdk-telemetry.py")
    if script is None:
        pytest.skip("no dpdk-telemetry.py: ./dev setup")
    done = run(sys.executable, script, "-f", application.prefix, input="/tel/drop,ttl,out\nquit\n")
    assert '"pkts": 1011' in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope="module")
def many(wide: Path) -> Iterator[lab.Application]:
    found = lab.Application(wide)
    yield found
    assert found.end() == 0


@pytest.mark.deep
def test_five_thousand_counters(many: lab.Application) -> None:
    assert judge.compare(many) > 5000
    judge.compare_pages(many)


def test_a_thousand_counters_are_five_replies(many: lab.Application) -> None:
    asker = lab.Asker(many.socket)
    pages = asker.pages("/tel/stats", "global")
    assert len(pages) == 5
    assert {f"c{n}": n + 1 for n in range(1000)}.items() <= asker.whole("/tel/stats").items()
    assert len(asker.pages("/tel/global")) == 5
    assert asker.whole("/tel/scope", "global") == asker.whole("/tel/global")
    asker.close()


def test_metrics_that_do_not_fit(many: lab.Application) -> None:
    assert many.do("metrics")[0] == "-28"  # ENOSPC


def test_metrics(application: lab.Application) -> None:
    registered, again, updated, *lines = application.do("metrics")
    assert (registered, again, updated) == ("34", "-17", "0")
    told = {name: int(value) for name, value in map(str.split, lines)}
    wanted = {
        "tel_" + "_".join(words if words[0] not in ("global", "_module") else words[1:]): value
        for words, value in application.values().items()
        if words[0] not in ("session", "peer", "drop")
        and words[-1] not in ("title", "address", "remote", "station", "touched", "untouched")
    }
    for name in ("no_route_in", "no_route_out", "ttl_in", "ttl_out"):
        reason, _, direction = name.rpartition("_")
        value = 1000 + 10 * (reason == "ttl") + (direction == "out")
        wanted[f"tel_drop_{name}_pkts"] = value
    assert told == wanted and len(told) == 26 + 8


def test_instances_come_and_go(program: Path) -> None:
    """A page is whole, and what is in it belongs together: a key and its count."""
    application = lab.Application(program)
    application.do("churn")
    source = Telemetry(application.socket)
    (module,) = source.modules()
    (scope,) = (scope for scope in module.scopes if scope.name == "session")
    for _ in range(30):
        rows = {row.indexes[0]: row for row in source.read(module, scope)}
        for at in range(0, 3000, 7):
            if at % 7 == 0 and at != 7:
                assert (rows[at].names, rows[at].values) == ((f"00101{at}",), (at + 1,))
        for at, row in rows.items():
            assert at % 7 == 0 or row.values[0] in (0, 1)
            assert at % 7 == 0 or row.names[0] in ("", f"x{at}")
    application.do("rest")
    assert application.end() == 0


def test_reset_in_one_view(program: Path) -> None:
    application = lab.Application(program, "reset")
    asker = lab.Asker(application.socket)
    assert asker.ask("/tel/reset,cli") == {"view": "cli", "instances": 1 + 2 + 4 + 429 + 2 + 2}
    assert asker.ask("/tel/view,cli,port") == {"0/frames": 0, "1/frames": 0}
    for view in ("raw", "default", "billing"):
        assert asker.ask(f"/tel/view,{view},port") == {"0/frames": 10, "1/frames": 11}
    # Scopes without reset are as ever, and so is what all others read.
    assert asker.ask("/tel/view,cli,queue,5") == {"1/2/pkts": 102}
    assert asker.ask("/tel/stats,port") == {"0/frames": 10, "1/frames": 11}
    assert "never reset" in asker.ask("/tel/reset,raw")["/error"]
    assert "no view" in asker.ask("/tel/reset,none")["/error"]
    assert "unexpected parameter" in asker.ask("/tel/reset,cli,port")["/error"]
    assert "which view" in asker.ask("/tel/reset")["/error"]
    assert asker.ask("/tel/reset,default")["view"] == "default"
    reply = asker.ask("/tel/stats,port")
    assert (reply["0/frames"], reply["1/frames"]) == (0, 0)
    started = asker.ask("/tel/info")["start_unix_ns"]
    assert reply["/since/0"] >= started and reply["/since/1"] >= started
    asker.close()
    assert application.end() == 0


def test_a_module_that_is_not_there(program: Path) -> None:
    application = lab.Application(program)
    asker, source = lab.Asker(application.socket), Telemetry(application.socket)
    (module,) = source.modules()
    application.do("fini")
    for command in ("info", "list", "stats", "scope,port,1", "port,1", "reset,cli"):
        assert asker.ask(f"/tel/{command}") == {"/error": "not initialised"}
    assert source.modules() == ()
    with pytest.raises(LiveError, match="not initialised"):
        list(source.read(module, module.scopes[0]))
    assert application.do("init") == ["0"]
    assert asker.ask("/tel/stats,port") == {"0/frames": 0, "1/frames": 0}
    assert application.do("unregister") == ["0"]
    assert application.do("unregister") == ["-2"]
    assert asker.ask("/tel/port,1") == {"/error": "not registered"}
    assert source.modules() == ()
    assert application.do("register") == ["0"]
    assert source.modules() == (module,)
    assert asker.ask("/").count("/tel/port") == 1
    asker.close()
    source.close()
    assert application.end() == 0


def test_an_ordinary_user(program: Path) -> None:
    """The socket is below $XDG_RUNTIME_DIR then. Root does not find it: it is another user's."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o755)
        user = 65534 if os.geteuid() == 0 else None
        (home / "run").mkdir()
        if user is not None:
            os.chown(home / "run", user, -1)
        copy = Path(shutil.copy(program, home))
        application = lab.Application(copy, user=user, home=str(home / "run"))
        assert application.socket.is_relative_to(home / "run")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
            assert (application.socket in find()) == (user is None)
        assert judge.compare(application) > 400
        application.kill()
        with pytest.raises(LiveError):
            Telemetry(application.socket).modules()
        assert application.socket not in find()


BUGS = {
    "a boundary is lost": Edit(
        "runtime/src/parts/telemetry/ctr_telemetry_stats.c",
        "next = at * items + reached;", "next = at * items + reached + 1;",
    ),
    "a boundary comes twice": Edit(
        "runtime/src/parts/telemetry/ctr_telemetry_stats.c",
        "walk->page->in = before;\n\t\t\treached = item;", "reached = item;",
    ),
    "pages are larger than replies": Edit(
        "runtime/src/parts/telemetry/ctr_telemetry_answer.h",
        "#define CTR_PAGE_JSON 15872u", "#define CTR_PAGE_JSON 31000u",
    ),
    "another label": Edit(
        "runtime/src/core/ctr_values.c",
        "index[i] = (uint32_t)(at % scope->index_maxima[i]);",
        "index[i] = (uint32_t)(at % scope->index_maxima[0]);",
    ),
}  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [BUGS[bug]])
    application = lab.Application(lab.build(tmp_path, many=True, tree=tree))
    with pytest.raises((AssertionError, LiveError, json.JSONDecodeError)):
        judge.compare(application)
        judge.compare_pages(application)
    assert application.end() == 0
