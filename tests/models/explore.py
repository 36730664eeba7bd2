# SPDX-License-Identifier: BSD-3-Clause
"""Compiles models for explore.c, which runs chosen executions of them, and runs them.

It takes a compiler only, so it is in every run of the tests.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.models import genmc
from tests.models.cases import Case
from tests.models.library import CORE, STRATEGIES
from tests.support import process
from tests.support.cbuild import Workshop, key

HERE = Path(__file__).parent
FLAGS = ("-std=gnu11", "-g1", "-w", "-fno-pie")
CALLED_BACK = ("-O0", "-fsanitize=thread")
"""The compiler calls explore.c for each access; no library of a sanitizer is linked."""
DEFINES = (
    "CTR_PORT_POSIX",
    "CTR_NO_ASM",
    "CTR_DEBUG",
    "CTR_NO_INDEX_CHECKS",
    "MODEL_EXPLORE",
    "CTR_POSIX_MAX_LCORE=2",
)
EXECUTIONS = 6_000
"""Of a model that must hold."""
MORE = 100_000
"""Of one with a bug, at most: the first that shows it ends the run."""

PARTS = {
    "core": (STRATEGIES, ("-DMODEL_CORE",)),
    "operations": (CORE, ("-DMODEL_OPERATIONS", "-DMODEL_LINKED")),
}
"""Of the library: which files each does without, and the words that it is compiled with."""


@dataclass(frozen=True)
class Outcome:
    """What executions show: the exit code is 1 after one that must not be, and 0 if none is."""

    code: int
    text: str

    @property
    def fault(self) -> str:
        """The kind of fault: "race", "wrong", "deadlock", "livelock"; "" if there is none."""
        return "" if self.code == 0 else self.text.strip().rpartition("\n")[2].partition(":")[0]


def explored(
    workshop: Workshop,
    folder: Path,
    source: Path,
    words: list[str],
    n: int,
    checker: Path = HERE,
    library: Mapping[str, str] = {},
) -> Outcome:
    """Compile a source file with these words, and run `n` executions; `checker` has explore.c. The
    parts of the library are compiled once by the keys that `library` has of them."""

    def part(name: str) -> Path:
        file = checker / f"{name}.c"
        command = ["gcc", *FLAGS, "-O3", "-march=native", f"-I{HERE}", "-c", file, "-o"]
        made = f"{name}-{key(file.read_text('utf-8'))}.o"
        return workshop.once(made, lambda target: process.succeed(*command, target))

    def compiled(target: Path, files: tuple[str | Path, ...]) -> None:
        process.succeed(*command, *files, "-o", target)

    program = folder / "model"
    command = ["gcc", *FLAGS, *CALLED_BACK, *words, f"-I{HERE}", "-c"]
    objects = [folder / "model.o", part("explore"), part("explore_memory")]
    for part_of, named in library.items():
        words_of = (*PARTS[part_of][1], "-xc", HERE / "library.h")
        made = f"library-{part_of}-{named}.o"
        objects.append(workshop.once(made, functools.partial(compiled, files=words_of)))
    command += ["-DMODEL_LINKED"] if library else []
    compiled(objects[0], (source,))
    process.succeed("gcc", "-no-pie", *objects, "-o", program)
    done = process.run(program, n, timeout=120)
    return Outcome(done.returncode, done.stdout + done.stderr)


def outcome(workshop: Workshop, folder: Path, case: Case) -> Outcome:
    """What executions of a model show."""
    model = case.model
    files = genmc.planted(model, case.bug)
    genmc.written(folder, files, *model.limits)
    of_library = sorted(one for one in files.items() if "/" in one[0])
    words = [f"-D{define}" for define in (*DEFINES, *model.defines)]
    words += genmc.includes(folder)
    n = MORE if case.bug else EXECUTIONS
    parts = {
        part: key([one for one in of_library if not one[0].startswith(other)])
        for part, (other, _) in PARTS.items()
        if model.sync
    }
    return explored(workshop, folder, HERE / f"{model.source}.c", words, n, library=parts)
