# SPDX-License-Identifier: BSD-3-Clause
"""The same updates on both ports and in the kernel: equal names and values in every interface."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.agentx import lab as agentx
from tests.reach import interfaces
from tests.segment.lab import peek
from tests.support import cbuild, process
from tests.support.capabilities import needs, needs_agentx, needs_dpdk
from tests.xdp import lab

pytestmark = [
    lab.needs_bpf, needs_dpdk, needs_agentx, needs("snmpbulkwalk"), pytest.mark.dpdk,
    pytest.mark.slow,
]  # fmt: skip

SCHEMA = lab.HERE / "equal.yaml"
ROOT = (1, 3, 6, 1, 4, 1, 32473, 45)
MOMENTS = re.compile(r"_created\{|_age_|collect_seconds|_segment_bytes|^# EOF")
"""Lines of OpenMetrics that differ from one run to the next."""
WHOLE = ("descriptor", "segment in C", "OpenMetrics", "page", "top", "SNMP")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is generated, and the program for the kernel."""
    out = tmp_path_factory.mktemp("equal")
    only = [word for name in ("c", "agentx", "mib", "xdp") for word in ("--only", name)]
    schema = shutil.copy(SCHEMA, out)  # the lock file is written next to it
    process.succeed("ctrgen", "build", schema, "-o", out, *only)
    lab.compiled(lab.HERE / "equal.bpf.c", out)
    return out


def program(out: Path, where: str) -> Path:
    """The application on a port, or with its updates in the kernel."""
    kernel = where == "kernel"
    parts = ("agentx", "segment", *(["xdp"] if kernel else []))
    build = cbuild.Build(
        port="posix" if kernel else where,
        parts=parts,
        flags=cbuild.QUICK,
        own_flags=("-w", *(["-DXDP"] if kernel else [])),
    )
    own = [lab.HERE / "equal.c", out / f"eq_stats{'_xdp' * kernel}.c", out / "eq_stats_agentx.c"]
    target = out / where
    cbuild.shared().link(target, build, own, [out, lab.HERE])
    return target


def shown(out: Path, where: str) -> dict[str, list[str]]:
    """What each interface shows, line by line."""
    folder = out / f"run-{where}"
    folder.mkdir()
    segment, master = folder / "eq.seg", agentx.Master(folder)
    words = [program(out, where), segment, master.socket, out / "equal.bpf.o"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    try:
        with subprocess.Popen([*map(str, words)], **pipes) as running:
            lines = [line.rstrip() for line in iter(running.stdout.readline, "ready\n") if line]
            master.wait((*ROOT, 1, 1, 1, 0), 30)
            metrics = process.succeed("ctrgen", "export", "--once", segment).splitlines()
            words = ("top", "--once", "--all", "--json", "--interval", "0.1", segment)
            page = interfaces.page(json.loads(process.succeed("ctrgen", *words)), "eq")
            peeked = process.succeed(peek(cbuild.shared()), "dump", segment).splitlines()
            top = process.succeed("ctrgen", "top", "--once", "--all", segment).splitlines()
            walk = process.succeed(
                "snmpbulkwalk", "-On", "-v2c", "-c", "public", f"127.0.0.1:{master.port}",
                "." + ".".join(map(str, ROOT)),
            )  # fmt: skip
            running.communicate("")
    finally:
        master.stop()
    assert running.returncode == 0
    found = {
        "descriptor": lines,
        "segment in C": peeked,
        "page": [f"{key}: {value}" for key, value in page.items() if "age" not in key[-1]],
        "OpenMetrics": [line for line in metrics if not MOMENTS.search(line)],
        "top": [line for line in top if "stale for" not in line],
        "SNMP": [line for line in walk.splitlines() if "Timeticks" not in line],
    }
    assert all(len(found[name]) > 70 for name in WHOLE), {name: len(found[name]) for name in WHOLE}
    return found


def test_every_interface_shows_the_same(out: Path) -> None:
    """500 updates of every kind with amounts at their bounds, indexes out of range, instances that
    do not exist, two resets and an end, on POSIX threads, on DPDK and in the kernel."""
    posix, dpdk, kernel = (shown(out, where) for where in ("posix", "dpdk", "kernel"))
    for name in WHOLE:
        assert kernel[name] == posix[name], name
        assert dpdk[name] == posix[name], name
