# SPDX-License-Identifier: BSD-3-Clause
"""What agx.yaml and main.c must show to a manager."""

from dataclasses import dataclass, field

from tests.agentx import lab
from tests.agentx.snmp import COUNTER32, COUNTER64, GAUGE32, INTEGER, IPADDRESS, OCTETS, TICKS, Oid

ROOT: Oid = (1, 3, 6, 1, 4, 1, 32473, 7)
OBJECTS: Oid = (*ROOT, 1)
SCALARS, PORT, QUEUE, FLOW, PEER, FEW = ((*OBJECTS, 1), *((*OBJECTS, n, 1) for n in range(2, 7)))
HEALTH: Oid = (*ROOT, 4)
FIRST: Oid = (*SCALARS, 1, 0)
U32 = 2**32 - 1


def peer_index(number: int) -> Oid:
    """What peer_index() of main.c does."""
    if number % 3:
        return (number * 2654435761 & U32,)
    return (3000000000 + number % 4, number, U32 - number)


@dataclass
class Model:
    """What the application must show: every object's tag and value (None: any)."""

    flows: dict[int, int] = field(default_factory=dict)
    peers: dict[int, int] = field(default_factory=dict)
    few: set[int] = field(default_factory=set)

    def row(
        self, shown: dict[Oid, tuple[int, object]], row: Oid, index: Oid, *cells: object
    ) -> None:
        for column, cell in enumerate(cells, 2):
            if cell is not None:
                shown[(*row, column, *index)] = cell  # type: ignore[assignment]

    def shown(self) -> dict[Oid, tuple[int, object]]:
        """All objects of the module."""
        found: dict[Oid, tuple[int, object]] = {}
        wide = 0xFEDCBA9876543210
        narrow = 5_000_000_000 & U32
        remote = bytes.fromhex("20010db8") + bytes(11) + b"\xff"
        scalars: list[tuple[int, object]] = [
            (COUNTER64, wide), (COUNTER32, wide & U32), (COUNTER32, narrow), (GAUGE32, U32),
            (COUNTER64, 1 << 40), (INTEGER, 1), (INTEGER, -5), (INTEGER, 2), (TICKS, 12345),
            (IPADDRESS, bytes((192, 0, 2, 200))), (INTEGER, 2), (OCTETS, remote),
            (OCTETS, bytes((2, 0, 0, 0, 128, 1))), (OCTETS, b'A "title"'), (TICKS, None),
        ]  # fmt: skip
        for number, scalar in enumerate(scalars, 1):
            found[(*SCALARS, number, 0)] = scalar
        jump = (TICKS, None)
        reports: list[tuple[int, object]] = []
        for there, most in ((self.flows, 5000), (self.peers, 300), (self.few, 200)):
            reports += [(GAUGE32, len(there)), (GAUGE32, most), (COUNTER64, 0), (COUNTER32, 0)]
        reports += [(COUNTER64, None), (COUNTER32, None), (COUNTER64, 0), (COUNTER32, 0), jump]
        for number, scalar in enumerate(reports, 1):
            found[(*HEALTH, number, 0)] = scalar
        for port in range(5):
            n = port * 10
            self.row(found, PORT, (port + 1,), (COUNTER64, n), (COUNTER32, n), jump)
            for queue in range(7):
                n, index = port * 100 + queue, (port + 1, queue + 1)
                drops = (COUNTER32, U32 - port)
                self.row(found, QUEUE, index, (COUNTER64, n), (COUNTER32, n), drops, jump)
        for flow, n in self.flows.items():
            hits = ((COUNTER64, n), (COUNTER32, n & U32))
            self.row(found, FLOW, (flow + 1,), *hits, (COUNTER64, 0), (COUNTER32, 0), jump)
        for peer, n in self.peers.items():
            cells = ((COUNTER64, n), (COUNTER32, n & U32), (COUNTER32, 0), jump)
            self.row(found, PEER, peer_index(peer), *cells)
        for one in sorted(self.few)[:10]:
            self.row(found, FEW, (one + 1,), (COUNTER64, 0), (COUNTER32, 0), jump)
        return found


MOVING = {
    FLOW: {(number + 1,) for number in range(3000, 3032)},
    PEER: {peer_index(number) for number in range(200, 232)},
}
"""Indexes of the rows that come and go while main.c is told to `churn`."""


def agrees(got: tuple[int, object], wanted: tuple[int, object]) -> bool:
    return got[0] == wanted[0] and wanted[1] in (None, got[1])


def populate(application: lab.Application) -> Model:
    model = Model()
    for flow in (0, 1, 63, 64, 2048, 4999):
        model.flows[flow] = flow << 30
    for peer in (0, 1, 2, 3, 7, 8, 150, 297, 298, 299):
        model.peers[peer] = peer
    model.few = set(range(5, 200, 7))
    for flow, n in model.flows.items():
        assert application.do(f"create flow {flow}") == "0"
        application.do(f"add flow {flow} {n}")
    for peer, n in model.peers.items():
        assert application.do(f"create peer {peer}") == "0"
        application.do(f"add peer {peer} {n}")
    for one in model.few:
        application.do(f"create few {one}")
    application.do("changed")
    return model
