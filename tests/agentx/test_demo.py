# SPDX-License-Identifier: BSD-3-Clause
"""`./dev demo --snmp`: the DPDK application, snmpd, snmpwalk."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.support.cbuild import ROOT, have_dpdk

DEMO = ROOT / "schemas/apps/ep/demo.py"


@pytest.mark.skipif(
    not (lab.usable() and have_dpdk() and shutil.which("snmpbulkwalk")),
    reason="needs DPDK, snmpd, snmp and libsnmp-dev",
)
def test_the_demo_for_managers(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(DEMO), "--snmp", "--work", str(tmp_path)],
        capture_output=True, text=True, timeout=180,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("  yes: ") == 6
