# SPDX-License-Identifier: BSD-3-Clause
"""The gateway of schemas/: keys, thresholds and optional groups, before tools of net-snmp."""

from collections.abc import Iterator

import pytest

from tests.agentx import lab
from tests.agentx.test_keys import tool
from tests.notifications.test_traps import TRAP, Receiver, after
from tests.notifications.test_watch import HERE
from tests.support.capabilities import SNMPTRAPD, needs, needs_agentx
from tests.support.cbuild import SANITIZED
from tests.support.paths import ROOT as PROJECT

pytestmark = [
    needs("snmptable", "snmpwalk"),
    needs_agentx,
    pytest.mark.skipif(SNMPTRAPD is None, reason="no snmptrapd: ./dev setup"),
]

ROOT = "1.3.6.1.4.1.32473.14"
CONGESTED, NO_LONGER, LOST = (f".{ROOT}.0.{n}" for n in (3, 4, 5))
PEER = "1.4.192.0.2.17.2123"
"""The index of peer 9: InetAddressType, InetAddress with its length, port."""


@pytest.fixture(scope="module")
def gateway(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[lab.Master, lab.Application, Receiver]]:
    folder = tmp_path_factory.mktemp("gateway")
    lab.generate(PROJECT / "schemas/gateway.yaml", folder)
    program = lab.build(folder, [HERE / "gateway_main.c"], flags=SANITIZED)
    receiver = Receiver(folder)
    master = lab.Master(folder, more=f"trap2sink 127.0.0.1:{receiver.port} public\n")
    try:
        application = lab.Application(program, master.socket, forgive="libnetsnmp")
        master.wait((*map(int, ROOT.split(".")), 1, 1, 1, 0))
        yield master, application, receiver
        assert application.end() == 0
    finally:
        master.stop()
        receiver.stop()


Gateway = tuple[lab.Master, lab.Application, Receiver]


def table(master: lab.Master, name: str) -> list[list[str]]:
    """The rows that snmptable shows: the index, and the first columns."""
    lines = tool(master, "snmptable", "-Ci", "-Cf", "|", name, module="GATEWAY-STATS-MIB")
    return [line.split("|") for line in lines[2:]]


def test_tables(gateway: Gateway) -> None:
    sessions = table(gateway[0], "gatewaySessionTable")
    assert [row[:2] for row in sessions[1:]] == [
        ['"26201"', "0 bytes"],
        ['"262019876543210"', "1500 bytes"],
    ]
    peers = table(gateway[0], "gatewayPeerTable")
    index = [
        'ipv4."192.0.2.17".2123',
        'ipv6."20:01:0d:b8:00:00:00:00:00:00:00:00:00:00:00:09".2152',
    ]
    assert [row[0] for row in peers[1:]] == index
    assert peers[1][1] == "41 packets"


@pytest.mark.deep
def test_one_trap_at_the_threshold(gateway: Gateway) -> None:
    """With the row of the peer; none while it flutters inside of the hysteresis."""
    _, application, receiver = gateway
    after(application)
    receiver.traps()
    after(application, "backlog 9 1001")
    (trap,) = receiver.traps(at_least=1)
    assert trap[TRAP] == CONGESTED
    assert trap[f".{ROOT}.1.4.1.6.{PEER}"] == "1001"
    assert trap[f".{ROOT}.1.4.1.4.{PEER}"] == "41"
    for backlog in (801, 1500, 900, 1001, 800):
        after(application, f"backlog 9 {backlog}")
    assert receiver.traps() == []
    after(application, "backlog 9 799")
    assert receiver.ids(at_least=1) == [NO_LONGER]


def test_a_peer_is_lost(gateway: Gateway) -> None:
    _, application, receiver = gateway
    after(application)
    receiver.traps()
    after(application, "reachable 9 0")
    (trap,) = receiver.traps(at_least=1)
    assert trap[TRAP] == LOST
    assert trap[f".{ROOT}.1.4.1.7.{PEER}"] == "2"
