# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of real ports of DPDK next to those of an application: schemas/nic.yaml."""

from pathlib import Path

import pytest

from tests.integration.apps import CAPTURE, EAL, run, succeed
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import QUICK, Build, shared
from tests.support.paths import SCHEMAS
from tests.support.planted import PROJECT, Edit, Tree, planted

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
