# SPDX-License-Identifier: BSD-3-Clause
"""Compiles models for checkers, and runs them under GenMC."""

import functools
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build
from tests.models import library
from tests.models.bugs import FREED, OK, RACE, READING, SNAPSHOT, WB, WRONG, Bug, Edit
from tests.models.cases import Case, Model
from tests.support import capabilities

HERE = Path(__file__).parent
FLAGS = (
    "--disable-estimation",
    "--disable-mm-detector",
    "--disable-ipr",
    "--disable-function-inliner",
    "--disable-instruction-caching",
)
"""Without IPR, for it takes the failed exchanges of a spin lock for errors; without inlining, for
the library is large; without caching, for it gives variables of a later call the addresses of
freed ones."""
COMPILED = (
    "-std=gnu11",
    "-DCTR_PORT_POSIX",
    "-DCTR_NO_ASM",
    "-DCTR_DEBUG",
    "-DCTR_NO_INDEX_CHECKS",
    "-DMODEL_GENMC",
    "-DCTR_POSIX_BESIDE_DPDK",
    "-DCTR_POSIX_MAX_LCORE=2",
)
LIMIT_STEP, CORE = "runtime/src/core/limit.h", "runtime/src/core/core.h"
REPLACED = (
    Edit(WB, "memcpy(copy, wb, sizeof(*wb) + wb->used);", "model_copy_wb(copy, wb);"),
    Edit(READING, "memset(reading, 0, sizeof(*reading));", "model_clear(reading);"),
    Edit(
        LIMIT_STEP,
        "memset(step, 0, sizeof(*step));",
        "step->refused = step->recalls = step->crosses = false; step->over = step->share = 0;",
    ),
    Edit(
        CORE,
        "struct ctr_run counter = *run;",
        "struct ctr_run counter = {run->data, run->value, run->base, run->common, run->num,"
        " run->bits, run->stored};",
    ),
    Edit(SNAPSHOT, "#define SNAPSHOT_BLOCK 128u", "#define SNAPSHOT_BLOCK 1u"),
    Edit(SNAPSHOT, "memset(&f, 0, sizeof(f));", "f.worst = 0;"),
    Edit(SNAPSHOT, "memcmp(rc, read, n * sizeof(*rc)) == 0", "rc[0] == read[0]"),
)
"""What GenMC cannot interpret: copies of a structure that a pointer names, comparisons of memory,
memory of several widths that is zeroed, time that a loop waits, a variable on the stack in a later
call of its function (only one thread calls these)."""
LIMIT = 900
"""Seconds after which GenMC is stopped."""


@dataclass(frozen=True)
class Verdict:
    """What GenMC says of a model."""

    says: str
    executions: int
    seconds: float
    output: str = ""


def have() -> bool:
    """Whether GenMC is on the PATH."""
    return capabilities.have("genmc")


def version() -> str:
    """Which GenMC."""
    done = subprocess.run(["genmc", "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"GenMC v(\S+)", done.stdout + done.stderr)
    return found[1] if found else "?"


@functools.cache
def shipped(sync: str, schema: str = "tiny") -> dict[str, str]:
    """All that a model is compiled against, by path: the runtime, and generated code."""
    files: dict[str, str] = {}
    for part in ("include", "src"):
        for path in sorted((runtimeinfo.path() / part).rglob("*.[ch]")):
            name = path.relative_to(runtimeinfo.path()).as_posix()
            files[f"runtime/{name}"] = path.read_text("utf-8")
    if sync:
        files |= library.operations(sync)
        with tempfile.TemporaryDirectory() as folder:
            made = build(BuildRequest(str(HERE / f"{schema}.yaml"), folder, sync=sync, only=("c",)))
            assert made.exit_code == 0, print_findings(made.diagnostics)
            for path in sorted(Path(folder).glob("*.[ch]")):
                files[path.name] = path.read_text("utf-8")
    return files


def planted(model: Model, bug: Bug | None = None) -> dict[str, str]:
    """The same with a bug."""
    files = dict(shipped(model.sync, model.schema))
    for edit in bug.edits if bug else ():
        found = files[edit.path].count(edit.old)
        assert found == 1, f"{edit.path}: the text to plant {bug!r} at is there {found} times"
        files[edit.path] = edit.applied(files[edit.path])
    return files


def written(folder: Path, files: dict[str, str], *edits: Edit) -> None:
    """Write files, with edits where their text is."""
    for edit in edits:
        files[edit.path] = files.get(edit.path, "").replace(edit.old, edit.new)
    files[library.UNIT] = library.unit(files)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def includes(folder: Path) -> list[str]:
    """Words that have a compiler find them."""
    sources = folder / "runtime/src"
    rooms = (sources / name for name in ("core", "port/posix", "strategies"))
    places = (folder, folder / "runtime/include", *rooms, HERE)
    return [f"-I{place}" for place in places]


def prepared(model: Model, folder: Path, bug: Bug | None = None) -> list[str]:
    """Write a model, with a bug, into a folder; what a compiler is called with."""
    written(folder, planted(model, bug), *REPLACED, *model.limits)
    defines = (f"-D{define}" for define in model.defines)
    return [*COMPILED, *includes(folder), *defines, f"{HERE / model.source}.c"]


def verdict(case: Case) -> Verdict:
    """Have GenMC run all executions of a model."""
    with tempfile.TemporaryDirectory() as folder:
        words = prepared(case.model, Path(folder), case.bug)
        return judged(["genmc", *FLAGS, f"--{case.memory}", "--", *words], folder)


def judged(command: list[str], folder: str) -> Verdict:
    """Run GenMC, and read its exit code and what it prints."""
    begin = time.monotonic()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=LIMIT, cwd=folder
        )
    except subprocess.TimeoutExpired:
        return Verdict(f"not done after {LIMIT} s", 0, LIMIT)
    took = round(time.monotonic() - begin, 1)
    output = done.stdout + done.stderr
    found = re.search(r"complete executions explored: (\d+)", output)
    executions = int(found[1]) if found else 0
    return Verdict(said(done.returncode, executions, output), executions, took, output)


def said(code: int, executions: int, output: str) -> str:
    """What an exit code and the output mean; nothing holds where each execution is blocked."""
    if code == 0:
        return OK if executions else "no execution ends"
    if "Non-atomic race" in output:
        return RACE
    if "Safety violation" in output:
        return WRONG
    if re.search("access (freed|non-allocated) memory", output):
        return FREED
    found = re.search(r"^Error: (.*)", output, re.MULTILINE)
    return found[1] if found else f"ends with {code}"
