# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose index are keys: as net-snmp's programs show them, in order, and none under a key that
it does not have."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import BULK, GET, NO_OBJECT, Bind, Oid
from tests.support import smi_tools
from tests.support.capabilities import needs, needs_agentx
from tests.support.cbuild import SANITIZED
from tests.support.planted import Edit, planted
from tests.support.process import succeed

pytestmark = [needs("snmpwalk", "snmptable", "snmpget"), needs_agentx]

ROOT: Oid = (1, 3, 6, 1, 4, 1, 32473, 9, 1)
COUNT: Oid = (*ROOT, 1, 1, 0)
SESSIONS: Oid = (*ROOT, 2, 1, 2)
MANY = 2000


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[lab.Master, lab.Application]]:
    folder = tmp_path_factory.mktemp("keys")
    with lab.serving(folder, "keys", COUNT, flags=SANITIZED) as both:
        yield both


def tool(master: lab.Master, program: str, *words: str, module: str = "AGK-STATS-MIB") -> list[str]:
    """The lines that a program of net-snmp prints, with the module at hand."""
    modules = ("SNMPv2-SMI", "SNMPv2-TC", "INET-ADDRESS-MIB", "SNMP-FRAMEWORK-MIB")
    smi_tools.needs(program, modules=modules)
    (master.folder / "cert_indexes").mkdir(exist_ok=True)  # or it says that it makes the folder
    *options, name = words
    command = [program, *options, "-v2c", "-c", "public"]
    command += ["-M", f"{smi_tools.BASE}:{master.folder}/out", "-m", module]
    command += [f"127.0.0.1:{master.port}", f"{module}::{name}"]
    environment = {**smi_tools.PLAIN, "MIBS": "", "SNMP_PERSISTENT_DIR": str(master.folder)}
    printed = succeed(*command, env=environment)
    return [line.removeprefix(f"{module}::") for line in printed.splitlines()]


@pytest.mark.deep
def test_strings(served: tuple[lab.Master, lab.Application]) -> None:
    assert tool(served[0], "snmpwalk", "agkSessionPkts") == [
        'agkSessionPkts."201" = Counter64: 101 packets',
        'agkSessionPkts."26201" = Counter64: 100 packets',
    ]
    assert tool(served[0], "snmpget", 'agkSessionPkts."26201"') == [
        'agkSessionPkts."26201" = Counter64: 100 packets'
    ]
    assert tool(served[0], "snmpwalk", "agkTagPkts") == ["agkTagPkts.'abc' = Counter64: 33 packets"]


def test_several_levels(served: tuple[lab.Master, lab.Application]) -> None:
    """A session without a key shows neither itself nor what is inside of it."""
    assert tool(served[0], "snmpwalk", "agkBearerPkts") == [
        'agkBearerPkts."26201".data = Counter64: 11 packets',
        'agkBearerPkts."26201".voice = Counter64: 10 packets',
    ]
    assert tool(served[0], "snmpwalk", "agkLanePkts") == [
        'agkLanePkts."26201".data.1 = Counter64: 0 packets',
        'agkLanePkts."26201".data.2 = Counter64: 21 packets',
        'agkLanePkts."26201".voice.1 = Counter64: 0 packets',
        'agkLanePkts."26201".voice.2 = Counter64: 20 packets',
    ]


def test_addresses_and_ports(served: tuple[lab.Master, lab.Application]) -> None:
    long = ":".join(["20:01:0d:b8", *["00"] * 11, "01"])
    assert tool(served[0], "snmpwalk", "agkPeerPkts") == [
        'agkPeerPkts.ipv4."10.0.0.1".65533 = Counter64: 2 packets',
        'agkPeerPkts.ipv4."192.0.2.9".65534 = Counter64: 1 packets',
        f'agkPeerPkts.ipv6."{long}".65535 = Counter64: 0 packets',
    ]
    table = tool(served[0], "snmptable", "-Ci", "-Cf", "|", "agkPeerTable")
    assert [line.split("|")[:2] for line in table[2:]] == [
        ["index", "agkPeerPkts"],
        ['ipv4."10.0.0.1".65533', "2 packets"],
        ['ipv4."192.0.2.9".65534', "1 packets"],
        [f'ipv6."{long}".65535', "0 packets"],
    ]


def test_octets(served: tuple[lab.Master, lab.Application]) -> None:
    """The index as numbers, too: a MAC, two addresses, octets, a number, a name."""
    numbers = (2, 0, 0, 0, 128, 1, 1, 4, 192, 0, 2, 200, 2, 16, 32, 1, 13, 184, *[0] * 12)
    numbers += (1, 2, 255, 4000000000, *b"north")
    _, (bind,) = served[0].manager.ask(GET, [(*ROOT, 6, 1, 9, *numbers)])
    assert bind.value == 55
    (line,) = tool(served[0], "snmpwalk", "agkHostPkts")
    prefix = ":".join(["20:01:0d:b8", *["00"] * 12])
    assert line == (
        f"agkHostPkts.'......'.ipv4.\"192.0.2.200\".ipv6.\"{prefix}\".'...'.4000000000.'north'"
        " = Counter64: 55 packets"
    )
    (line,) = tool(served[0], "snmpwalk", "-OX", "agkHostPkts")
    assert line.startswith('agkHostPkts[STRING: 2:0:0:0:80:1][ipv4]["192.0.2.200"][ipv6]')


def sessions(master: lab.Master) -> list[Bind]:
    """Every session's count, in the order that the agent gives them."""
    found: list[Bind] = []
    last = SESSIONS
    while True:
        status, binds = master.manager.ask(BULK, [last], 0, 40)
        assert status == 0
        for bind in binds:
            if bind.name[: len(SESSIONS)] != SESSIONS or bind.tag >= NO_OBJECT:
                return found
            found.append(bind)
        last = found[-1].name


def number(bind: Bind) -> int:
    """The number that a session is called."""
    length, *octets = bind.name[len(SESSIONS) :]
    assert length == len(octets)
    return int(bytes(octets))


def test_many_rows_are_in_order(served: tuple[lab.Master, lab.Application]) -> None:
    master, application = served
    assert application.do("many") == "0"
    found = sessions(master)
    names = [bind.name for bind in found]
    assert names == sorted(names) and len(set(names)) == MANY + 2
    assert all(number(bind) == bind.value for bind in found if number(bind) not in (201, 26201))


def wrong(master: lab.Master, application: lab.Application, walks: int) -> int:
    """How many rows show the count of another, while sessions come and go."""
    assert application.do("churn") == "0"
    binds = [bind for _ in range(walks) for bind in sessions(master)]
    assert int(application.do("rest")) > 100 and len(binds) > walks
    counts = [(number(bind), bind.value) for bind in binds]
    return sum(value not in (0, n) for n, value in counts if n not in (201, 26201))


def test_no_row_has_the_counts_of_another(tmp_path: Path) -> None:
    with lab.serving(tmp_path, "keys", COUNT) as (master, application):
        assert wrong(master, application, 40) == 0


BUGS = {
    "a-row-has-the-counts-of-another": Edit(
        "runtime/src/parts/agentx/ctr_agentx_serve.c", " || values->life != place->life)", ")"
    ),
    "rows-are-not-sorted": Edit(
        "runtime/src/parts/agentx/ctr_agentx_rows.c", "if (!sorted)", "if (false)"
    ),
}


@pytest.mark.deep
def test_a_planted_bug_shows_the_counts_of_others(tmp_path: Path) -> None:
    """The agent takes a row of its list for what is there now."""
    tree = planted(tmp_path, [BUGS["a-row-has-the-counts-of-another"]])
    with lab.serving(tmp_path, "keys", COUNT, tree=tree) as (master, application):
        assert any(wrong(master, application, 20) for _ in range(10))


@pytest.mark.deep
def test_a_planted_bug_leaves_rows_unsorted(tmp_path: Path) -> None:
    tree = planted(tmp_path, [BUGS["rows-are-not-sorted"]])
    with lab.serving(tmp_path, "keys", COUNT, tree=tree) as (master, application):
        assert application.do("many") == "0"
        assert len(sessions(master)) < MANY + 2
