# SPDX-License-Identifier: BSD-3-Clause
"""Programs whose threads orders.h runs in all executions that C11 permits."""

from collections.abc import Iterable
from pathlib import Path

from ctrgen.backends import runtimeinfo
from tests.support import process
from tests.support.planted import Edit, planted

HERE = Path(__file__).parent
ALONE = ("-ffunction-sections", "-fdata-sections",
         "-Wl,--gc-sections,--unresolved-symbols=ignore-all")  # fmt: skip
"""What else the code calls is not reached."""


def run(
    folder: Path, source: str, defines: Iterable[str], edits: Iterable[Edit] = ()
) -> tuple[int, str]:
    """Run all executions of a model, perhaps with a bug; its exit code and what it says."""
    runtime = planted(folder, edits).runtime()
    places = (runtime / "include", runtime / "src" / "strategies", HERE)
    flags = ("-std=gnu11", "-O2", "-w", *(f"-I{place}" for place in places))
    words = (*flags, *runtimeinfo.cflags("posix"), *(f"-D{define}" for define in defines), *ALONE)
    program = folder / "model"
    process.succeed("gcc", *words, HERE / source, "-o", program)
    done = process.run(program, timeout=120)
    return done.returncode, done.stdout + done.stderr
