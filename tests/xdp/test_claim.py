# SPDX-License-Identifier: BSD-3-Clause
"""One process at a time is attached to the maps of a program."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.support import process
from tests.support.paths import APPS
from tests.xdp import lab

pytestmark = [lab.needs_bpf, pytest.mark.slow]

OWNER = "process != 0 && claim_of(process) == *former"
WRONG = {
    "a claim is not seen": (OWNER, "0", "another process"),
    "a claim outlives its process": (OWNER, "process != 0", "the process has ended"),
    "a process is known by its id": (
        OWNER, "process != 0 && claim_of(process) != 0", "another process with its id",
    ),
    "a zombie has a claim": (
        "threads == 1", "threads == 0", "a process that nobody has waited for",
    ),
    "detaching needs a descriptor": (
        "own = ctr_load64(xdp->process)", "own = claim_of((uint32_t)getpid())",
        "another process with its id",
    ),
    "a claim that is refused detaches": (
        "\t} else {\n\t\tdetach", "\t} else {\n\t\tforget_instances(module);\n\t\tdetach",
        "its instances",
    ),
}  # fmt: skip
"""Planted in the library: what is replaced, by what, and what the test says."""


def wrong(out: Path) -> str:
    """What goes wrong with processes that attach one after the other; empty: nothing."""
    pins = Path("/sys/fs/bpf") / f"ctrgen-claim-{os.getpid()}"
    words = ("bpftool", "prog", "loadall", out / "flows.bpf.o", f"{pins}-programs")
    attach = (out / "attach", pins)
    try:
        process.succeed(*words, "pinmaps", pins)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen([*map(str, attach), "end"], **pipes) as first:
            assert first.stdout.readline() == "0\n"
            second = process.run(*attach, "end", merged=True)
            if "-16\n" not in second.stdout or f"process {first.pid} is" not in second.stdout:
                return "another process"
            if first.communicate("")[0] != "flows 1\n":
                return "its instances"
        for how, what in (
            ("stale", "the process has ended"), ("detach", "another process with its id"),
            ("detach", "a process that has detached"),
        ):  # fmt: skip
            done = process.run(*attach, how, input="")
            if done.returncode != 0 or done.stdout != "0\nflows 1\n":
                return what
        with subprocess.Popen([*map(str, attach), "end"], **pipes) as ended:
            ended.stdin.close()
            os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
            if process.run(*attach, "end", input="").stdout != "0\nflows 1\n":
                return "a process that nobody has waited for"
        return ""
    finally:
        process.run("rm", "-rf", pins, f"{pins}-programs")


@pytest.mark.parametrize("name", ["", *WRONG])
def test_one_process_at_a_time(name: str, tmp_path: Path) -> None:
    """A second one is refused while the first one lives, with what it has left alone; one that
    has ended, with or without a word, is followed. What is planted is seen."""
    old, new, what = WRONG.get(name, ("", "", ""))
    out = lab.generate(APPS / "xdp/flows.yaml", tmp_path / "out")
    lab.compiled(APPS / "xdp/flows.bpf.c", out)
    lab.reader(lab.HERE / "attach.c", out, (old, new) if name else None)
    assert wrong(out) == what
