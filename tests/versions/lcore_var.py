# SPDX-License-Identifier: BSD-3-Clause
"""What a slot by lcore id costs beside a lcore variable of DPDK: `-m tests.versions.lcore_var`.

Two counters in each, by lcore_var.c, in the root folders of systems whose DPDK has those.
Instructions and bytes are of the whole function, cycles those of the time-stamp counter for one
call of it: medians of rounds in turns, so look at the ratio. See docs/decisions.md, 55.
"""

import re
import sys
import tempfile
from pathlib import Path

from . import systems
from .kitchen import COMPILERS, WrongError
from .systems import System

PROGRAM = Path(__file__).with_name("lcore_var.c")
EAL = (
    *("--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "64"),
    *("--lcores=0@1", "--log-level=error"),
)
LINE = re.compile(r"^\s+([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(\S.*)?$")
HEAD = ("DPDK", "compiler", "way", "instructions", "loads", "bytes", "cycles", "ratio")


def row(values: tuple[object, ...]) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, values))} |"


def code(text: str) -> tuple[int, int, int]:
    """Instructions of a function to its return, those of them that load, and bytes."""
    instructions, loads, size = 0, 0, 0
    for found in filter(None, map(LINE.match, text.splitlines())):
        size += len(found[2].split())
        if not found[3]:  # the rest of the bytes of a long one
            continue
        instructions += 1
        # AT&T's order: memory is the source, or both where an add is in place.
        words = found[3].split("#")[0].split(None, 1)
        operands = words[1] if len(words) > 1 else ""
        in_place = words[0].startswith(("add", "inc")) and operands.endswith(")")
        reads = re.search(r"\(.*\),|%fs:.*,", operands) and not words[0].startswith("lea")
        loads += bool(reads or in_place)
        if words[0].startswith("ret"):
            break
    return instructions, loads, size


def measured(system: System, compiler: str) -> list[str]:
    """The two lines of a compiler. Raises WrongError."""
    target = Path(tempfile.mkdtemp(dir=system.work)) / "lcore_var"
    flags = [*system.flags("--cflags", "x86_64"), "-DALLOW_EXPERIMENTAL_API"]
    words = [compiler, "-std=gnu11", "-O3", *flags, PROGRAM, "-o", target]
    done = system.run(*words, *system.flags("--libs", "x86_64"))
    if done.returncode != 0:
        raise WrongError(done.stdout)
    ran = system.run(target, *EAL)
    found = re.search(r"slot=(\S+) variable=(\S+) ratio=(\S+)", ran.stdout)
    if ran.returncode != 0 or found is None:
        raise WrongError(ran.stdout)
    lines = []
    for number, name in enumerate(("in_slot", "in_variable")):
        text = system.run("objdump", "-d", f"--disassemble={name}", target).stdout
        ratio = found[3] if number else ""
        version = system.version([compiler])
        head = (system.dpdk, f"{compiler} {version}", name.replace("_", " "))
        lines.append(row((*head, *code(text), found[number + 1], ratio)))
    return lines


def main() -> int:
    """0 when something was measured."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="ctrgen-lcore-var-") as work:
        for system in systems.found(Path(work)):
            if system.has("test", "-e", "/usr/include/dpdk/rte_lcore_var.h"):
                for compiler in COMPILERS:
                    lines += measured(system, compiler)
    print("\n".join([row(HEAD), "|---" * len(HEAD) + "|", *lines]))
    return 0 if lines else 1


if __name__ == "__main__":
    sys.exit(main())
