# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of ports build: a schema, and applications that use DPDK or do not."""

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.planted import PROJECT, Tree, copy_of
from tests.support.process import run, succeed
from tests.support.strategies import USUAL

ADVICE = re.compile(r"ctrgen[ _]runtime[ _](--)?port")
"""In the line that says what to write."""
EAL = ("--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "64", "--lcores", "0@0")
"""Arguments with which DPDK starts anywhere."""

SCHEMA = """\
ctrgen: 1
module: one
sync: {sync}
scopes:
  global:
    counters:
      pkts: {{unit: packets, description: Packets processed.}}
"""
COUNT = """\
int main(int argc, char **argv)
{
	if (START(argc, argv) < 0 || one_stats_init() != 0 || ctr_thread_register() != 0)
		return 1;
	one_stats_inc_pkts();
	one_stats_flush();
	return one_stats_get_pkts() == 1 ? 0 : 2;
}
"""
HEADER, RTE, START = (
    '#include "one_stats.h"\n',
    "#include <rte_eal.h>\n#include <rte_lcore.h>\n",
    "#define START(argc, argv) {}\n",
)
EAL_START = START.format("rte_eal_init(argc, argv)")
APPLICATIONS = {
    "threads": {"main.c": HEADER + START.format("((void)argc, (void)argv, 0)") + COUNT},
    "before": {"main.c": RTE + HEADER + EAL_START + COUNT},
    "after": {"main.c": HEADER + RTE + EAL_START + COUNT},
    "apart": {
        "main.c": HEADER + "int start(int, char **);\n" + START.format("start(argc, argv)") + COUNT,
        "eal.c": RTE + "int start(int argc, char **argv);\n"
        "int start(int argc, char **argv)\n{\n\treturn rte_eal_init(argc, argv);\n}\n",
    },
}
"""Sources by name: without DPDK; with its headers before, after, and beside the generated one."""


def write(folder: Path, application: str) -> list[Path]:
    """The sources of an application, written to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in APPLICATIONS[application].items():
        (folder / name).write_text(text)
    return [folder / name for name in APPLICATIONS[application]]


def schema(folder: Path, sync: str = USUAL) -> Path:
    """The schema `one`, written to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "one.yaml"
    path.write_text(SCHEMA.format(sync=sync))
    return path


def generated(folder: Path, sync: str = USUAL, tree: Tree = PROJECT) -> Path:
    """The C of the schema `one`: the folder `out` below a folder."""
    out = folder / "out"
    tree.succeed("build", schema(folder, sync), "-o", out, "--only", "c", "-q")
    return out


def runtime_copy(folder: Path) -> Path:
    """The sources of the runtime, and what it is built from beside them, as in a clone."""
    copy_of(ROOT / "templates" / "c" / "sync", folder / "templates" / "c" / "sync")
    return copy_of(ROOT / "runtime", folder / "runtime")


def installed(folder: Path, *ports: str, options: tuple[str, ...] = ()) -> Path:
    """The runtime, built for some ports and installed: below which folder."""
    source, prefix = runtime_copy(folder), folder / "prefix"
    for port in ports:
        words = ("meson", "setup", port, f"-Dport={port}", "-Dwerror=true", *options)
        succeed(*words, f"--prefix={prefix}", "--libdir=lib", cwd=source)
        succeed("meson", "install", "-C", port, cwd=source)
    return prefix


def without_ctrgen() -> dict[str, str]:
    """A PATH without the folders that hold a ctrgen; skips when meson goes with them."""
    folders = os.environ["PATH"].split(os.pathsep)
    path = os.pathsep.join(f for f in folders if not os.access(f"{f}/ctrgen", os.F_OK))
    if not (shutil.which("meson", path=path) and shutil.which("ninja", path=path)):
        pytest.skip("meson and ctrgen are in the same folder")
    return {"PATH": path}


def needed(application: str) -> str:
    """The port that an application needs."""
    return "posix" if application == "threads" else "dpdk"


def counts(program: Path, application: str) -> None:
    """A program counts right."""
    succeed(program, *(EAL if needed(application) == "dpdk" else ()))


def dpdk_folders() -> list[str]:
    """Where DPDK's headers are: less than its own flags, which include one of them at once."""
    return shlex.split(run("pkg-config", "--cflags-only-I", "libdpdk").stdout)
