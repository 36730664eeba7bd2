# SPDX-License-Identifier: BSD-3-Clause
"""How each example is run: its ports, its arguments, and where its lcores are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.field import traffic

NULL, RING, PCAP = "net_null", "net_ring", "net_pcap"
PROCESSORS = 2
"""As many as are used, whatever the machine has."""
WORKERS = (1, 2, 4)
"""Numbers of lcores that do an example's work."""
LARGE = {"l3fwd_flows": (1, 2), "l3fwd_bills": (1, 2), "ovs": (1, 2)}
"""Applications that are run with fewer: for memory, or as more threads poll fewer processors."""
FLOWS = 256
"""For examples that give each flow to one worker at a time: net_null has only one."""


@dataclass(frozen=True)
class Case:
    """An example on ports of a driver with a number of lcores."""

    app: str
    workers: int
    driver: str
    lcores: str
    words: tuple[str, ...]
    """Of EAL and, behind "--", of the example."""
    memory: int = 256
    """MiB."""
    events: str = ""
    """The driver that schedules events, if any does."""
    shares: bool = False
    """Lcores share processors, and those without work let others run."""
    longer: int = 1
    """How many times as long its runs are, as its turns differ from each other by themselves."""
    flows: int = 0
    """Of the packets received, by their hash; 0: drivers give none."""
    equal: tuple[tuple[str, str], ...] = ()
    """What must be equal in the end: sums of counters, `a+b-c`, and what ethdev says ("": 0)."""
    resets: int = 100
    """Under load at the end of each run."""

    @property
    def drivers(self) -> str:
        """Those of its ports and events."""
        return f"{self.driver}, {self.events}" if self.events else self.driver

    @property
    def crowded(self) -> bool:
        """Whether there are more lcores with work than processors."""
        return self.shares or self.workers > PROCESSORS

    @property
    def unsteady(self) -> bool:
        """Whether a process that has stood still needs a while until it runs as before: what waits
        in rings between lcores is another amount then."""
        return self.crowded or self.flows > 0

    def arguments(self) -> tuple[str, ...]:
        """Of EAL and the example. Where lcores may be preempted in the middle of a mempool's ring,
        others do not wait for them (ring_mt_rts)."""
        pool = ("--mbuf-pool-ops-name=ring_mt_rts",) if self.crowded else ()
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


def l2fwd(workers: int, folder: Path, driver: str = NULL) -> Case:
    """A port for each lcore, but two at least."""
    count = max(2, workers)
    words = ("--", "-p", _mask(count), "-q", str(count // workers), "-T", "0")
    devices = _devices(driver, count, folder)
    equal = (*IN_OUT, ("port.rx-port.tx-port.dropped", ""))
    return Case("l2fwd", workers, driver, _spread(workers), devices + words, equal=equal)


def l3fwd(workers: int, folder: Path, driver: str = PCAP) -> Case:
    """Longest prefix match, a port for each lcore, but two at least."""
    count = max(2, workers)
    pairs = ",".join(f"({port},0,{port % workers})" for port in range(count))
    for version in (4, 6):
        (folder / f"v{version}.cfg").write_text(ROUTES[version], "utf-8")
    words = ("--", "-p", _mask(count), "-P", "--parse-ptype", f"--config={pairs}", "--no-numa")
    words += (f"--rule_ipv4={folder}/v4.cfg", f"--rule_ipv6={folder}/v6.cfg")
    devices = _devices(driver, count, folder, traffic.routed(count), workers)
    equal = (*IN_OUT, ("port.rx-port.tx-drop.pkts", ""))
    return Case(
        "l3fwd", workers, driver, _spread(workers), devices + words, memory=512, equal=equal
    )


ROUTES = {
    4: "".join(f"R198.18.{port}.0/24 {port}\n" for port in range(4)),
    6: "".join(f"R2001:0200:0000:000{port}:0000:0000:0000:0000/64 {port}\n" for port in range(4)),
}


def l3fwd_flows(workers: int, folder: Path, driver: str = PCAP) -> Case:
    """l3fwd that receives IMIX of a million flows, with a bill for each."""
    case = l3fwd(workers, folder, driver)
    words = list(case.words)
    for port in range(max(2, workers)):
        path = folder / f"imix-{port}-{workers}.pcap"
        traffic.write(path, traffic.imix(max(2, workers), seed=port))
        words[port] = f"--vdev={driver}{port}{workers * f',rx_pcap={path}'},infinite_rx=1"
    equal = (("flow.pkts", "received"), ("flow.bytes", "octets"))
    return replace(case, app="l3fwd_flows", words=tuple(words), memory=1024, equal=equal, resets=2)


def l3fwd_bills(workers: int, folder: Path, driver: str = PCAP) -> Case:
    """The same under a strategy whose bills are of whole packets."""
    return replace(l3fwd_flows(workers, folder, driver), app="l3fwd_bills")


def l3fwd_graph(workers: int, folder: Path, driver: str = PCAP) -> Case:
    """A graph for each worker, a port too, but two at least; the main lcore prints."""
    count = max(2, workers)
    pairs = ",".join(f"({port},0,{1 + port % workers})" for port in range(count))
    lcores = f"0@1,{','.join(f'{1 + at}@{at % PROCESSORS}' for at in range(workers))}"
    words = ("--", "-p", _mask(count), "-P", f"--config={pairs}", "--no-numa")
    devices = _devices(driver, count, folder, traffic.routed(count), workers + 1)
    equal = (("ethdev_rx.objs", "received"), ("ethdev_tx.objs", "sent"))
    return Case("l3fwd_graph", workers, driver, lcores, devices + words, memory=512, equal=equal)


def ovs(workers: int, folder: Path, driver: str = PCAP) -> Case:
    """Two ports; a PMD thread for both, or one each. tests/field/vswitch.py starts it."""
    frames = [traffic.ipv4(f"198.18.{at}.1") for at in range(64)]
    devices = _devices(driver, 2, folder, frames)
    words = (f"{_mask(workers):s}", *(word.removeprefix("--vdev=") for word in devices))
    equal = (("pmd.recv", "received"), ("pmd.sent_pkts", "sent"))
    return Case("ovs", workers, driver, "", words, memory=512, equal=equal)


def elsewhere(app: str) -> Callable[..., Case]:
    """The graph with the DPDK of another Debian."""

    def case(workers: int, folder: Path, driver: str = PCAP) -> Case:
        return replace(l3fwd_graph(workers, folder, driver), app=app)

    return case


def ip_fragmentation(workers: int, folder: Path, driver: str = PCAP) -> Case:
    """A port for each lcore, but two at least."""
    count = max(2, workers)
    words = ("--", "-p", _mask(count), "-q", str(count // workers))
    devices = _devices(driver, count, folder, traffic.mixed(count), workers)
    equal = (*IN_OUT, ("port.rx+port.made-port.cut-port.tx-drop.pkts", ""))
    return Case(
        "ip_fragmentation", workers, driver, _spread(workers), devices + words,
        memory=512, equal=equal,
    )  # fmt: skip


def distributor(workers: int, folder: Path, driver: str = NULL) -> Case:
    """Receiving and distributing has a processor, all else shares the other one."""
    lcores = f"0@1,1@0,2@1,{','.join(f'{3 + at}@1' for at in range(workers))}"
    words = ("--", "-p", "3", "-c")
    equal = (
        ("global.rx_pkts", "received"),
        ("global.tx_pkts-global.tx_enqdrop_pkts", "sent"),
        ("global.rx_enqueued_pkts-global.tx_dequeue_pkts", ""),
    )
    return Case(
        "distributor", workers, driver, lcores, _devices(driver, 2, folder) + words,
        memory=768, shares=True, longer=12, equal=equal,
    )  # fmt: skip


def eventdev_pipeline(workers: int, folder: Path, driver: str = NULL) -> Case:
    """event_dsw, which moves flows between workers; the first lcore receives and sends as well.
    Where lcores share processors they stand still with that now and then: event_sw, where the first
    lcore schedules, too."""
    shares = workers > PROCESSORS
    device = "event_sw" if shares else "event_dsw"
    words = (f"--vdev={device}0", "--", "-w", _mask(workers), "-r", "1", "-t", "1", "-n", "0", "-q")
    words += ("-e", "1") if shares else ()
    equal = (("global.received", "received"), ("global.sent", "sent"))
    return Case(
        "eventdev_pipeline", workers, driver, _spread(workers),
        _devices(driver, 2, folder) + words, shares=shares, longer=12 if shares else 1,
        events=device, flows=FLOWS, equal=equal,
    )  # fmt: skip


CASES: dict[str, Callable[..., Case]] = {
    "l2fwd": l2fwd, "l3fwd": l3fwd, "distributor": distributor,
    "eventdev_pipeline": eventdev_pipeline, "ip_fragmentation": ip_fragmentation,
    "l3fwd_flows": l3fwd_flows, "l3fwd_bills": l3fwd_bills, "l3fwd_graph": l3fwd_graph,
    **{app: elsewhere(app) for app in ("l3fwd_graph_24", "l3fwd_graph_25")}, "ovs": ovs,
}  # fmt: skip


def workers(app: str) -> tuple[int, ...]:
    """The numbers of lcores that an application is run with."""
    return LARGE.get(app, WORKERS)


def narrow(case: Case) -> Case:
    """The same without vectors that valgrind does not know."""
    return replace(case, words=("--force-max-simd-bitwidth=128", *case.words))
