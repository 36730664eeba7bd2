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
    "dynamic scopes need MEMBARRIER_CMD_GLOBAL", "cannot read /proc/",
)  # fmt: skip


PROGRAM = """
#include "flows_stats.bpf.h"

SEC("%s") int count(void *ctx)
{
	struct flows_stats_flow_key key = { 0 };
	uint32_t flow;

	(void)ctx;
	if (flows_stats_flow_key_find(&key, &flow) == 0)
		flows_stats_update_known(flow, 1);
	return 0;
}

char _license[] SEC("license") = "GPL";
"""
PROGRAMS = (
    ("cpus", "xdp", ""), ("cpus", "tc", ""),
    ("cpus", "kprobe", "another program may interrupt 'count'"),
    ("one", "kprobe", ""), ("one", "syscall", "'count' may sleep"),
    ("one", "uprobe.s", "'count' may sleep"),
)  # fmt: skip
"""Strategies, sections, and why the library does not admit such a program."""


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
    status, text = failures(tmp_path, ("\t\tif (rc != 0)\n\t\t\tctr_module_fini(module);\n", ""))
    assert status == 1 and "wrong: " in text, text


@pytest.mark.parametrize(("instances", "section", "reason"), PROGRAMS)
def test_programs_that_it_does_not_admit(
    instances: str, section: str, reason: str, tmp_path: Path
) -> None:
    """Of types that others interrupt on their CPU, and those that sleep in dynamic scopes."""
    lab.generate(APPS / "xdp/flows.yaml", tmp_path, "--sync", lab.kept(instances))
    (tmp_path / "count.bpf.c").write_text(PROGRAM % section, "utf-8")
    made = lab.compiled(tmp_path / "count.bpf.c", tmp_path)
    done = process.run(lab.reader(lab.HERE / "attach.c", tmp_path), made, merged=True)
    assert (done.returncode, reason in done.stdout) == (1 if reason else 0, True), done.stdout
