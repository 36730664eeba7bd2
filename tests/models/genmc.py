# SPDX-License-Identifier: BSD-3-Clause
"""Runs models: under GenMC, and as ordinary programs."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ctrgen import runtimeinfo
from ctrgen.diagnostics import print_findings
from ctrgen.pipeline import BuildRequest, build
from tests.models.catalogue import OK, RACE, WRONG, Bug, Model

HERE = Path(__file__).parent
SOURCES = ("ctr_cell.c", "ctr_control.c", "ctr_slots.c", "ctr_wb.c", "posix/ctr_thread.c")
FLAGS = ("--disable-estimation", "--disable-mm-detector", "--rc11")
LIMIT = 120
"""Seconds after which GenMC is stopped."""


@dataclass(frozen=True)
class Verdict:
    """What GenMC says of a model."""

    says: str
    executions: int
    seconds: float
    output: str


def have() -> bool:
    """Whether GenMC is on the PATH."""
    return shutil.which("genmc") is not None


def staged(folder: Path, model: Model, bug: Bug | None = None) -> Path:
    """A folder with all that the model is compiled against, the bug planted."""
    place = folder / re.sub(r"\W+", "-", f"{model.name} {bug.name if bug else ''}".strip())
    shutil.copytree(runtimeinfo.path() / "include", place / "include")
    for source in SOURCES:
        (place / "src" / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(runtimeinfo.path() / "src" / source, place / "src" / source)
    if model.sync:
        schema = str(HERE / "tiny.yaml")
        made = build(BuildRequest(schema, str(place), sync=model.sync, only=("c",)))
        assert made.exit_code == 0, print_findings(made.diagnostics)
    if bug:
        path = place / bug.path
        text = path.read_text("utf-8")
        found = text.count(bug.old)
        assert found == bug.times, f"{bug.path} has the text to plant a bug at {found} times"
        path.write_text(text.replace(bug.old, bug.new), "utf-8")
    return place


def options(model: Model, place: Path) -> list[str]:
    """Options of the compiler."""
    folders = (place, place / "include", place / "src", HERE)
    defines = ("CTR_PORT_POSIX", *model.defines)
    return ["-std=gnu11", *(f"-I{f}" for f in folders), *(f"-D{d}" for d in defines)]


def verdict(model: Model, folder: Path, bug: Bug | None = None) -> Verdict:
    """Have GenMC run all executions of a model."""
    place = staged(folder, model, bug)
    small = ["-DMODEL_GENMC", "-DCTR_POSIX_MAX_LCORE=2"]
    command = ["genmc", *FLAGS, "--", *options(model, place), *small, f"{HERE}/{model.source}.c"]
    begin = time.monotonic()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=LIMIT, cwd=place
        )
    except subprocess.TimeoutExpired:
        return Verdict(f"not done after {LIMIT} s", 0, LIMIT, "")
    took = time.monotonic() - begin
    output = done.stdout + done.stderr
    found = re.search(r"complete executions explored: (\d+)", output)
    return Verdict(judged(done.returncode, output), int(found[1]) if found else 0, took, output)


def judged(code: int, output: str) -> str:
    """What an exit code and the output mean."""
    if code == 0:
        return OK
    if "Non-atomic race" in output:
        return RACE
    if "Safety violation" in output:
        return WRONG
    found = re.search(r"^Error: (.*)", output, re.MULTILINE)
    return found[1] if found else f"ends with {code}"


def program(
    model: Model, folder: Path, compiler: str = "gcc", flags: Sequence[str] = ("-O2",)
) -> Path:
    """The model as an ordinary program, linked with the runtime's posix port."""
    place = staged(folder, model)
    sources = [HERE / f"{model.source}.c", *(place / "src" / source for source in SOURCES)]
    sources += sorted(place.glob("*.c"))
    out = place / "program"
    command = [compiler, *flags, "-Wall", "-Wextra", "-Werror", *options(model, place), "-pthread"]
    command += ["-o", str(out), *(str(source) for source in sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out
