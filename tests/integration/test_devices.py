# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of real ports of DPDK beside those of an application: schemas/nic.yaml."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import Source
from ctrgen.tools.live.segment import Segment
from tests.agentx import lab
from tests.agentx.snmp import GET, NO_INSTANCE
from tests.integration.apps import CAPTURE, EAL, run, succeed
from tests.live.made import collected
from tests.support.capabilities import needs_agentx, needs_dpdk
from tests.support.cbuild import QUICK, Build, shared
from tests.support.paths import SCHEMAS
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.telemetry.lab import Asker

pytestmark = needs_dpdk

HERE = Path(__file__).parent
QUEUES = f"rx_pcap={CAPTURE},rx_pcap={CAPTURE},tx_pcap=out0.pcap,tx_pcap=out1.pcap"


def build(work: Path, tree: Tree = PROJECT) -> Path:
    """The program of devices.c, with the runtime of a tree."""
    out = work / "nic"
    succeed("ctrgen", "build", SCHEMAS / "nic.yaml", "--only", "c", "-o", out, cwd=work)
    binary = out / "devices"
    made = Build(port="dpdk", flags=QUICK, tree=tree)
    shared().link(binary, made, [HERE / "devices.c", out / "nic_stats.c"], [out])
    return binary


def command(binary: Path) -> list[str | Path]:
    """The program, with its ports."""
    return [binary, *EAL, "--lcores=0", "--vdev=net_null0", f"--vdev=net_pcap0,{QUEUES}"]


def test_values_are_those_of_dpdk(tmp_path: Path) -> None:
    """Of net_null and net_pcap; what a driver lacks, a port that is closed, or another number of
    queues are flagged."""
    assert "all agree" in succeed(*command(build(tmp_path)), cwd=tmp_path)


DEVICE = "runtime/src/port/dpdk/ctr_device.c"
_COUNT = "(int)names->count == count"
_QUEUES = "names->rx_queues == info.nb_rx_queues &&\n\t    names->tx_queues == info.nb_tx_queues &&"
BUGS = {
    "names-are-kept": (Edit(DEVICE, _QUEUES, ""), Edit(DEVICE, _COUNT, "true"),
                       Edit(DEVICE, "ports[i].current = false;", ";")),
    "another-is-taken": (
        Edit(DEVICE, "if (found == NULL)\n\t\treturn;",
             "if (found == NULL)\n\t\tfound = names->name;"),
    ),
}  # fmt: skip
"""What nobody would see who did not compare with DPDK."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", BUGS)
def test_planted_bugs_are_seen(tmp_path: Path, bug: str) -> None:
    binary = build(tmp_path, planted(tmp_path, BUGS[bug]))
    assert run(*command(binary), cwd=tmp_path).returncode != 0


# ---- every way to read them ----


class Nic:
    """The running program of everywhere.c."""

    def __init__(self, folder: Path, master: str) -> None:
        out = folder / "nic"
        outputs = ("--only", "c", "--only", "agentx", "--only", "mib")
        succeed("ctrgen", "build", SCHEMAS / "nic.yaml", *outputs, "-o", out, cwd=folder)
        parts = ("telemetry", "segment", "agentx")
        own = (HERE / "everywhere.c", out / "nic_stats.c", out / "nic_stats_agentx.c")
        program = out / "everywhere"
        made = Build(port="dpdk", parts=parts, flags=QUICK)
        shared().link(program, made, own, [out])
        prefix = f"ctrgen_nic_{os.getpid()}"
        self.folder = Path("/var/run" if os.geteuid() == 0 else folder) / "dpdk" / prefix
        self.segment = folder / "nic.seg"
        words = [word for word in EAL if word not in ("--no-telemetry", "--no-shconf")]
        self.process = subprocess.Popen(
            [program, *words, "--lcores=0@0", f"--file-prefix={prefix}", "--vdev=net_null0", "--",
             self.segment, master],
            env={**os.environ, "XDG_RUNTIME_DIR": str(folder)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.values = self.dump()

    def dump(self) -> dict[tuple[str, int, int, str], int | None]:
        """What C says of each item."""
        assert self.process.stdout is not None
        found = {}
        for line in iter(self.process.stdout.readline, "end\n"):
            assert line, "the program has ended"
            scope, first, second, item, value = line.split()
            found[scope, int(first), int(second), item] = None if value == "-" else int(value)
        return found

    def end(self) -> int:
        self.process.communicate("quit\n", timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.process.returncode


@pytest.fixture(scope="module")
def nic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Nic, lab.Master]]:
    folder = tmp_path_factory.mktemp("everywhere")
    master = lab.Master(folder)
    with contextlib.closing(master.manager.socket):
        try:
            found = Nic(folder, master.socket)
            yield found, master
            assert found.end() == 0
        finally:
            master.stop()


def read(source: Source) -> dict[tuple[str, int, int, str], int | None]:
    """What a reader in Python has of the instances that C was asked for."""
    found = {}
    (module,) = source.modules()
    for scope in (one for one in module.scopes if one.indexes):
        for instance in source.read(module, scope):
            first, second = (*instance.indexes, 0, 0)[:2]
            if first < (8 if scope.name == "port" else 2):
                for item, value in zip(scope.items, instance.values, strict=True):
                    assert value is None or isinstance(value, int)
                    found[scope.name, first, second, item.name] = value
    return found


RATE = "rx_rate"
"""The item that depends on when it is read."""


@needs_agentx
def test_every_output_has_the_same(nic: tuple[Nic, lab.Master]) -> None:
    """What is not available is not there, and never 0."""
    app, master = nic
    expected = {key: value for key, value in app.values.items() if key[3] != RATE}
    assert expected["port", 0, 0, "received"] == expected["port", 0, 0, "rx"] == 32
    assert expected["port", 0, 0, "dropped"] == 5
    assert expected["port", 0, 0, "length_errors"] is None
    assert expected["port", 1, 0, "waiting"] is None
    assert expected["port", 2, 0, "waiting"] == 72
    assert expected["port", 3, 0, "received"] is None
    assert expected["queue", 0, 0, "received"] == 32
    assert expected["queue", 0, 1, "received"] is None
    segment = Segment(app.segment)
    found = {key: value for key, value in read(segment).items() if key[3] != RATE}
    assert found == expected
    assert_replies(app, expected)
    assert_series(segment, expected)
    assert_columns(master, expected)
    segment.close()


def assert_replies(app: Nic, expected: dict[tuple[str, int, int, str], int | None]) -> None:
    """Telemetry replies with each value, and with nothing else."""
    asker = Asker(app.folder / "dpdk_telemetry.v2")
    for scope, most in (("port", 8), ("queue", 2)):
        found = {}
        for name, value in asker.whole("/nic/stats", scope).items():
            *indexes, item = name.split("/")
            first, second = (*map(int, indexes), 0)[:2]
            if first < most and item != RATE:
                found[scope, first, second, item] = value
        wanted = {at: n for at, n in expected.items() if at[0] == scope and n is not None}
        assert found == wanted
    asker.close()


def assert_series(source: Source, expected: dict[tuple[str, int, int, str], int | None]) -> None:
    """OpenMetrics has a series for each value, and none without."""
    found: Iterator[tuple[str, Source]] = iter([("nic", source)])
    samples = {
        (sample.name, sample.labels.get("port"), sample.labels.get("queue")): sample.value
        for metric in collected(Applications(lambda: found))
        for sample in metric.samples
    }
    for (scope, first, second, item), value in expected.items():
        queue = str(second) if scope == "queue" else None
        names = (f"nic_{scope}_{item}", f"nic_{scope}_{item}_total")
        found_of = ((name, str(first), queue) for name in names)
        series = [samples[key] for key in found_of if key in samples]
        assert series == ([] if value is None else [value]), (scope, first, second, item)


def assert_columns(
    master: lab.Master, expected: dict[tuple[str, int, int, str], int | None]
) -> None:
    """SNMP has an instance for each value: columns are in the order of items, behind the index."""
    table = (1, 3, 6, 1, 4, 1, 32473, 1, 1)
    order: dict[str, list[str]] = {}
    for scope, _, _, item in expected:
        order.setdefault(scope, [])
        if item not in order[scope]:
            order[scope].append(item)
    master.wait((*table, 2, 1, 2, 1))
    for (scope, first, second, item), value in expected.items():
        column = order[scope].index(item) + 2
        index = (first + 1, second + 1) if scope == "queue" else (first + 1,)
        oid = (*table, list(order).index(scope) + 2, 1, column, *index)
        (bind,) = master.manager.ask(GET, [oid])[1]
        got = None if bind.tag == NO_INSTANCE else bind.value
        assert got == value, (scope, first, second, item)
