# SPDX-License-Identifier: BSD-3-Clause
"""How each example is run: its ports, its arguments, and where its lcores are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.field import traffic

NULL, PCAP = "net_null", "net_pcap"
PROCESSORS = 2
"""As many as are used, whatever the machine has."""
WORKERS = (1, 2, 4)
"""Numbers of lcores that do an example's work."""


@dataclass(frozen=True)
class Case:
    """An example on ports of a driver with a number of lcores."""

    app: str
    workers: int
    lcores: str
    words: tuple[str, ...]
    """Of EAL and, behind "--", of the example."""
    memory: int = 256
    """MiB."""
    equal: tuple[tuple[str, str], ...] = ()
    """What must be equal in the end: sums of counters, `a+b-c`, and what ethdev says ("": 0)."""

    def arguments(self) -> tuple[str, ...]:
        """Of EAL and the example. Where lcores may be preempted in the middle of a mempool's ring,
        others do not wait for them (ring_mt_rts)."""
        crowded = self.workers > PROCESSORS
        pool = ("--mbuf-pool-ops-name=ring_mt_rts",) if crowded else ()
        return (*pool, *self.words)


def _spread(workers: int) -> str:
    """lcores for workers, from 0 on, by turns on the processors; none moves to another one."""
    return ",".join(f"{lcore}@{lcore % PROCESSORS}" for lcore in range(workers))


def _devices(
    driver: str, count: int, folder: Path, frames: Sequence[bytes] = (), queues: int = 1
) -> tuple[str, ...]:
    """Ports; those of net_pcap with frames to receive, and drops for what is sent."""
    if driver == PCAP:
        path = folder / f"{len(frames)}-{count}.pcap"
        traffic.write(path, frames)
        more = f"{queues * f',rx_pcap={path}'},infinite_rx=1"
    else:
        more = ""
    return tuple(f"--vdev={driver}{at}{more}" for at in range(count))


def _mask(count: int) -> str:
    return f"{(1 << count) - 1:x}"


IN_OUT = (("port.rx", "received"), ("port.tx", "sent"))


def l2fwd(workers: int, folder: Path) -> Case:
    """A port for each lcore, but two at least."""
    count = max(2, workers)
    words = ("--", "-p", _mask(count), "-q", str(count // workers), "-T", "0")
    devices = _devices(NULL, count, folder)
    equal = (*IN_OUT, ("port.rx-port.tx-port.dropped", ""))
    return Case("l2fwd", workers, _spread(workers), devices + words, equal=equal)


def l3fwd(workers: int, folder: Path) -> Case:
    """Longest prefix match, a port for each lcore, but two at least."""
    count = max(2, workers)
    pairs = ",".join(f"({port},0,{port % workers})" for port in range(count))
    for version in (4, 6):
        (folder / f"v{version}.cfg").write_text(ROUTES[version], "utf-8")
    words = ("--", "-p", _mask(count), "-P", "--parse-ptype", f"--config={pairs}", "--no-numa")
    words += (f"--rule_ipv4={folder}/v4.cfg", f"--rule_ipv6={folder}/v6.cfg")
    devices = _devices(PCAP, count, folder, traffic.routed(count), workers)
    equal = (*IN_OUT, ("port.rx-port.tx-drop.pkts", ""))
    return Case("l3fwd", workers, _spread(workers), devices + words, memory=512, equal=equal)


ROUTES = {
    4: "".join(f"R198.18.{port}.0/24 {port}\n" for port in range(4)),
    6: "".join(f"R2001:0200:0000:000{port}:0000:0000:0000:0000/64 {port}\n" for port in range(4)),
}


CASES: dict[str, Callable[..., Case]] = {"l2fwd": l2fwd, "l3fwd": l3fwd}
