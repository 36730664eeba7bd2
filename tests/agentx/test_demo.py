# SPDX-License-Identifier: BSD-3-Clause
"""`./dev demo --snmp`: the DPDK application, snmpd, snmpwalk."""

import sys
from pathlib import Path

import pytest

from tests.support.capabilities import needs, needs_agentx, needs_dpdk
from tests.support.paths import ROOT
from tests.support.process import run

DEMO = ROOT / "schemas/apps/ep/demo.py"


@pytest.mark.deep
@needs("snmpbulkwalk")
@needs_agentx
@needs_dpdk
def test_the_demo_for_managers(tmp_path: Path) -> None:
    done = run(sys.executable, DEMO, "--snmp", "--work", tmp_path, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("  yes: ") == 6
