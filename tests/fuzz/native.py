# SPDX-License-Identifier: BSD-3-Clause
"""Fuzzes C with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer: see the .c files.

`HARNESSES` are the targets. Where clang or its libFuzzer is not installed, none can be built.
"""

import functools
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build
from tests.fuzz.engine import HERE, ROOT, corpus, corpus_folder, crashes, keep, keep_inputs, scratch
from tests.support.capabilities import can_link, have
from tests.support.process import run

FLAGS = ("-g", "-std=gnu11", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-Werror")
SANITIZERS = ("-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all")
LONGEST = 1024
EMPTY = "int f(void);\nint LLVMFuzzerTestOneInput(void) { return 0; }\n"


@dataclass(frozen=True)
class Harness:
    """A file of C with its schema, and what else of the runtime is fuzzed with it."""

    schema: str = ""
    parts: tuple[str, ...] = ()
    program: str = ""
    """What has to be installed beside clang."""


HARNESSES: Mapping[str, Harness] = {
    "cell": Harness(),
    "agent": Harness("tests/agentx/agx.yaml", parts=("agentx",), program="net-snmp-config"),
}
"""What is fuzzed in C, by the name of the file, and of the folder below corpus/ and crashes/."""


@functools.cache
def missing() -> str:
    """Why nothing in C can be fuzzed; empty when it can."""
    if not have("clang"):
        return "clang is not installed"
    return (
        ""
        if can_link("clang", *SANITIZERS, program=EMPTY)
        else "clang's libFuzzer is not installed"
    )


def lacking(name: str) -> str:
    """Why this harness cannot be built here; empty when it can."""
    harness = HARNESSES[name]
    if missing():
        return missing()
    if harness.program and not have(harness.program):
        return f"{harness.program} is not installed"
    return ""


def _generated(harness: Harness, folder: Path) -> list[str]:
    """Generate the code of a harness; arguments for the compiler."""
    schema = folder / Path(harness.schema).name  # a lock would be written beside it
    schema.write_bytes((ROOT / harness.schema).read_bytes())
    done = build(BuildRequest(str(schema), str(folder), only=("c", "agentx")))
    assert done.exit_code == 0
    return [f"-I{folder}", *map(str, sorted(folder.glob("*.c")))]


def compiled(name: str, folder: Path, optimised: str = "-O1") -> Path:
    """The program of a harness. Raises CalledProcessError."""
    harness, source = HARNESSES[name], runtimeinfo.path() / "src"
    made = folder / name
    words = [
        "clang",
        optimised,
        *FLAGS,
        *SANITIZERS,
        *runtimeinfo.cflags("posix"),
        f"-I{source / 'parts'}",
    ]
    words += [f"-I{source / 'parts' / part}" for part in harness.parts]
    words += _generated(harness, folder) if harness.schema else []
    words += [str(HERE / f"{name}.c")]
    words += [str(one) for one in runtimeinfo.sources("posix", *harness.parts)]
    words += ["-pthread"] + (["-lnetsnmpagent", "-lnetsnmp"] if harness.program else [])
    subprocess.run([*words, "-o", str(made)], capture_output=True, text=True, check=True)
    return made


def _run(program: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {"ASAN_OPTIONS": "detect_leaks=1", "MIBS": ""}
    return run(program, "-timeout=20", f"-max_len={LONGEST}", *words, env=env, errors="replace")


def replay(name: str, folder: Path, runs: int) -> subprocess.CompletedProcess[str]:
    """Run all known inputs of a harness, then `runs` new ones."""
    program, begin = compiled(name, folder, "-O0"), folder / "inputs"
    begin.mkdir()
    for number, path in enumerate([*corpus(name), *crashes(name)]):
        (begin / str(number)).write_bytes(path.read_bytes())
    total = runs + len(list(begin.iterdir())) + 2
    return _run(program, "-seed=1", f"-runs={total}", f"-artifact_prefix={folder}/", str(begin))


def fuzz(name: str, seconds: int) -> tuple[str, int, int]:
    """Fuzz for a time: what was printed, crashes, and new inputs. Crashes are kept."""
    folder = scratch(name)
    before = len(list(folder.iterdir()))
    begin = [str(corpus_folder(name))]
    with tempfile.TemporaryDirectory() as place:
        program = compiled(name, Path(place))
        found = Path(place) / "found"
        found.mkdir()
        words = [f"-max_total_time={seconds}", "-print_final_stats=1", f"-artifact_prefix={found}/"]
        done = _run(program, *words, str(folder), *begin)
        crashed = list(found.iterdir())
        for path in crashed:
            keep(name, path.read_bytes(), done.stderr)
    wrong = len(crashed) or int(done.returncode != 0)
    return done.stderr, wrong, len(list(folder.iterdir())) - before


def keep_new(name: str) -> None:
    """Add what was collected while fuzzing to the corpus, if it reaches something of its own."""
    with tempfile.TemporaryDirectory() as place:
        program, merged = compiled(name, Path(place)), Path(place) / "merged"
        merged.mkdir()
        words = ["-merge=1", "-use_counters=0"]  # places that are reached, however often
        _run(program, *words, str(merged), str(corpus_folder(name)), str(scratch(name)))
        keep_inputs(name, [path.read_bytes() for path in merged.iterdir()])
