# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the kernel that fail in an attach: an error, its reason, and nothing is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import process
from tests.support.paths import APPS
from tests.xdp import lab

pytestmark = [lab.needs_bpf, pytest.mark.slow]

REASONS = (
    "cannot query the map '.data.flows_stats_", "cannot query the map 'flows_stats_slots'",
    "cannot query the map 'flows_stats_flow_keys'", "query the map 'flows_stats_flow_key_events'",
    "cannot query the map 'flows_stats_flow_key_free'", "cannot be mapped: that needs Linux 5.5",
    "cannot map 'flows_stats_slots'", "cannot map 'flows_stats_flow_key_events'",
    "cannot read the number of possible CPUs", "for 4000 possible CPUs: call the module's",
    "dynamic scopes need MEMBARRIER_CMD_GLOBAL",
)  # fmt: skip


def failures(out: Path, planted: tuple[str, str] | None = None) -> tuple[int, str]:
    """Exit status and output of the program that has each call fail."""
    lab.generate(APPS / "xdp/flows.yaml", out)
    made = lab.compiled(APPS / "xdp/flows.bpf.c", out)
    done = process.run(lab.reader(lab.HERE / "failures.c", out, planted), made, merged=True)
    return done.returncode, done.stdout


def test_each_failure_has_its_reason_and_leaves_nothing(tmp_path: Path) -> None:
    """Each call in turn; and more possible CPUs than there are."""
    status, text = failures(tmp_path)
    assert status == 0, text
    assert not [reason for reason in REASONS if reason not in text], text


def test_what_a_failure_leaves_is_seen(tmp_path: Path) -> None:
    """Planted: an attach that fails stays half done."""
    status, text = failures(tmp_path, ("ctr_module_fini(module);\n\t\treturn rc;", "return rc;"))
    assert status == 1 and "wrong: " in text, text
