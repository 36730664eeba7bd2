# SPDX-License-Identifier: BSD-3-Clause
"""What an application of real DPDK replies; tests/reach compares all values of another one."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.capabilities import needs_dpdk
from tests.support.process import run
from tests.support.strategies import SHARED
from tests.telemetry import lab

pytestmark = [needs_dpdk, pytest.mark.dpdk]


def test_what_the_module_is(asker: lab.Asker) -> None:
    assert asker.greeting["max_output_len"] >= 16384
    facts = asker.ask("/tel/info")
    about = facts.pop("description")
    assert about.startswith("What the tests of telemetry count. Its ") and about.endswith("...")
    names = ("global", "port", "queue", "drop", "session", "peer", "stats", "_module")
    lcores = [facts.pop(name) for name in list(facts) if name.startswith("lcores/")]
    assert lcores == ["0", "non_lcore"]
    assert facts == {
        "module": "tel",
        **{f"views/{n}": name for n, name in enumerate(("raw", "default", "cli", "billing"))},
        **{f"scopes/{n}": name for n, name in enumerate(names)},
    }


REPLIES = {
    "/tel/stats,drop,ttl,out": {"1/1/pkts": 1011},
    "/tel/stats,drop,1,1": {"1/1/pkts": 1011},
    "/tel/stats,drop,ttl,1": {"1/1/pkts": 1011},
    "/tel/stats,drop,ttl": {"1/0/pkts": 1010, "1/1/pkts": 1011},
    "/tel/stats,queue,1,2": {"1/2/pkts": 102},
    "/tel/stats,stats": {"0/pkts": 500, "1/pkts": 501},
    "/tel/stats,stats,1": {"1/pkts": 501},
    "/tel/stats,stats,1,0": {"1/pkts": 501},
    "/tel/stats,queue,1,1": {"1/1/pkts": 101, "1/2/pkts": 102},
    "/tel/lcore,0,port": {"0/frames": 10, "1/frames": 11},
    "/tel/lcore,1,port": {"0/frames": 0, "1/frames": 0},
    "/tel/view,raw,port": {"0/frames": 10, "1/frames": 11},
    "/tel/view,cli,queue,1,2": {"1/2/pkts": 102},
    "/tel/stats,peer": {
        "/key/42/0/address": "10.0.0.9", "/key/42/0/tcp": "179", "42/pkts": 4242, "43/pkts": 0,
    },
}  # fmt: skip


@pytest.mark.parametrize("command", REPLIES)
def test_replies(command: str, asker: lab.Asker) -> None:
    assert asker.ask(command) == REPLIES[command]


ERRORS = {
    "/tel/stats,nothing": "no scope 'nothing'",
    "/tel/stats,,0": "no scope ''",
    "/tel/stats,port,x": "port is 0 to 1, not 'x'",
    "/tel/stats,port,-1": "port is 0 to 1, not '-1'",
    "/tel/stats,port,2": "port is 0 to 1, not '2'",
    "/tel/stats,port,99999999999999999999999": "port is 0 to 1, not '9999999999999999999999",
    "/tel/stats,port,1,1": "port has 1 items, not '1'",
    "/tel/stats,port,1,x": "port has 1 items, not 'x'",
    "/tel/stats,port,1,0,0": "unexpected parameter '0'",
    "/tel/stats,queue,1,x": "queue is 0 to 2, not 'x'",
    "/tel/stats,drop,ttl,up": "direction is 0 to 1, not 'up'",
    "/tel/stats,global,99": "global has ",
    "/tel/lcore": "which lcore? A number, or non_lcore",
    "/tel/lcore,x": "an lcore is 0 to ",
    "/tel/lcore,4294967296": "an lcore is 0 to ",
    "/tel/lcore,0,stats": f"stats: {SHARED} does not keep lcores apart",
    "/tel/view": "which view? /tel/info has them",
    "/tel/view,none": "no view 'none'",
    "/tel/reset,cli": "resets are not allowed",
    "/tel/reset": "resets are not allowed",
    "/tel/info,1": "unexpected parameter '1'",
    "/tel/stats" + 70 * ",1": "more than 11 parameters",
    "/tel/stats,port,\x01\xff": "port is 0 to 1, not '\\x01\\x",
}


@pytest.mark.parametrize("command", ERRORS)
def test_what_cannot_be_asked(command: str, asker: lab.Asker) -> None:
    reply = asker.ask(command)
    assert reply.get("/error", "").startswith(ERRORS[command])
    assert not reply.keys() - {"/error"}


def test_every_page_has_what_the_next_lacks(asker: lab.Asker) -> None:
    """A page from each place on, so that boundaries are everywhere; instances are whole."""
    whole = asker.whole("/tel/stats", "session")
    assert len(whole) == 2 * 429
    for start in range(0, 3000, 97):
        found = asker.whole("/tel/stats", "session", str(start))
        assert found == {
            name: value
            for name, value in whole.items()
            if int(name.removeprefix("/key/").split("/")[0]) >= start
        }
    for page in asker.pages("/tel/stats", "session"):
        assert len(page.keys() - {"/next"}) % 2 == 0


def test_the_global_scope(asker: lab.Asker) -> None:
    """Texts are cut where the library would cut them silently."""
    reply = asker.ask("/tel/stats")
    title = reply.pop("title")
    assert len(title) == 127 and title.endswith("...") and title.startswith("\\x01\\x02")
    assert reply == {"next": 1007, "depth": 44}
    other = asker.ask("/tel/lcore,non_lcore")
    assert other["next"] == 1000 and "depth" not in other


def test_dpdk_telemetry_py(application: lab.Application) -> None:
    script = shutil.which("dpdk-telemetry.py")
    if script is None:
        pytest.skip("no dpdk-telemetry.py: ./dev setup")
    done = run(
        sys.executable, script, "-f", application.prefix, input="/tel/stats,drop,ttl,out\nquit\n"
    )
    assert '"1/1/pkts": 1011' in done.stdout, done.stdout + done.stderr


def test_instances_come_and_go(program: Path) -> None:
    """A page is whole, and what is in it belongs together: a key and its count."""
    application = lab.Application(program)
    application.lines("churn")
    asker = lab.Asker(application.socket)
    for _ in range(30):
        reply = asker.whole("/tel/stats", "session")
        counts = {int(n.split("/")[0]): v for n, v in reply.items() if not n.startswith("/")}
        keys = {int(n.split("/")[2]): v for n, v in reply.items() if n.startswith("/key")}
        for at in range(0, 3000, 7):
            assert counts[at] == at + 1 and (at == 7 or keys[at] == f"00101{at}")
        for at, value in counts.items():
            assert at % 7 == 0 or value in (0, 1)
            assert at % 7 == 0 or keys.get(at, f"x{at}") == f"x{at}"
    asker.close()
    application.lines("rest")
    assert application.end() == 0


def test_reset_in_one_view(program: Path) -> None:
    application = lab.Application(program, "reset")
    asker = lab.Asker(application.socket)
    assert asker.ask("/tel/reset,cli") == {"view": "cli", "instances": 1 + 2 + 4 + 429 + 2 + 2}
    assert asker.ask("/tel/view,cli,port") == {"0/frames": 0, "1/frames": 0}
    for view in ("raw", "default", "billing"):
        assert asker.ask(f"/tel/view,{view},port") == {"0/frames": 10, "1/frames": 11}
    # Scopes without reset are as ever, and so is what all others read.
    assert asker.ask("/tel/view,cli,queue,1,2") == {"1/2/pkts": 102}
    assert asker.ask("/tel/stats,port") == {"0/frames": 10, "1/frames": 11}
    assert "never reset" in asker.ask("/tel/reset,raw")["/error"]
    assert "no view" in asker.ask("/tel/reset,none")["/error"]
    assert "unexpected parameter" in asker.ask("/tel/reset,cli,port")["/error"]
    assert "which view" in asker.ask("/tel/reset")["/error"]
    assert asker.ask("/tel/reset,default")["view"] == "default"
    reply = asker.ask("/tel/stats,port")
    assert (reply["0/frames"], reply["1/frames"]) == (0, 0)
    asker.close()
    assert application.end() == 0


def test_a_module_that_is_not_there(program: Path) -> None:
    application = lab.Application(program)
    asker = lab.Asker(application.socket)
    application.lines("fini")
    for command in ("info", "stats", "stats,port,1", "reset,cli"):
        assert asker.ask(f"/tel/{command}") == {"/error": "not initialised"}
    assert application.lines("init") == ["0"]
    assert asker.ask("/tel/stats,port") == {"0/frames": 0, "1/frames": 0}
    assert application.lines("unregister") == ["0"]
    assert application.lines("unregister") == ["-2"]
    assert asker.ask("/tel/stats,port,1") == {"/error": "not registered"}
    assert application.lines("register") == ["0"]
    assert asker.ask("/tel/stats,port,1") == {"1/frames": 0}
    assert asker.ask("/").count("/tel/stats") == 1
    asker.close()
    assert application.end() == 0
