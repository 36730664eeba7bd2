# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of real ports of DPDK beside those of an application: schemas/nic.yaml."""

from __future__ import annotations

from pathlib import Path

from tests.integration.apps import CAPTURE, EAL, STRICT, flags, succeed
from tests.support.capabilities import needs_dpdk
from tests.support.paths import SCHEMAS

pytestmark = needs_dpdk

HERE = Path(__file__).parent
QUEUES = f"rx_pcap={CAPTURE},rx_pcap={CAPTURE},tx_pcap=out0.pcap,tx_pcap=out1.pcap"


def build(work: Path, runtime: Path | None = None) -> Path:
    """The program of devices.c, with the runtime of a folder in place of that of the project."""
    out = work / "nic"
    succeed("ctrgen", "build", SCHEMAS / "nic.yaml", "--only", "c", "-o", out, cwd=work)
    installed = succeed("ctrgen", "runtime", "--path", cwd=work).strip()
    words = [
        *flags("dpdk", "--cflags"), *flags("dpdk", "--sources"), *flags("dpdk", "--libs")
    ]  # fmt: skip
    if runtime is not None:
        words = [word.replace(installed, str(runtime)) for word in words]
    binary = out / "devices"
    sources = (HERE / "devices.c", out / "nic_stats.c")
    succeed("gcc", *STRICT, f"-I{out}", *sources, *words, "-pthread", "-o", binary, cwd=work)
    return binary


def command(binary: Path) -> list[str | Path]:
    """The program, with its ports."""
    return [binary, *EAL, "--lcores=0", "--vdev=net_null0", f"--vdev=net_pcap0,{QUEUES}"]


def test_values_are_those_of_dpdk(tmp_path: Path) -> None:
    """Of net_null and net_pcap; what a driver lacks, a port that is closed, or another number of
    queues are flagged."""
    assert "all agree" in succeed(*command(build(tmp_path)), cwd=tmp_path)
