# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark programs: one per strategy, built in one meson project, driven over pipes."""

import contextlib
import itertools
import json
import os
import re
import select
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ... import __version__
from ...backends import Options, runtimeinfo
from ...backends.bench import BenchView, files, project
from ...backends.c import BACKEND as C
from ...findings.usage import UsageError, reason
from ...model import ir
from .result import Build
from .variants import Variant

BUILD_SECONDS = 600
_WRONG = r"\berror\b|ERROR|No space|Operation not"

ANSWER_SECONDS = 120  # timeout of a command, in addition to the time that it measures

_OPTIONS = ("lcores", "flows", "iterations", "slice", "reads", "resets")  # of a run, in order

_numbers = itertools.count()

ENVIRONMENT = ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR")
"""Environment variables that meson reads only when it sets up a project."""


def generate(variants: list[Variant], updates: tuple[ir.Update, ...], folder: Path) -> None:
    """Write the C of every variant and its project. Raises OSError."""
    first = variants[0].module
    options = Options(Path(first.source).name, "ctrgen bench", __version__)
    texts = project(first, [(variant.folder, variant.folder) for variant in variants], options)
    for variant in variants:
        own = C.generate(variant.module, options)
        own |= files(BenchView(variant.module, updates), options)
        texts |= {f"{variant.folder}/{name}": text for name, text in own.items()}
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode():  # else not compiled again
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def compile_all(variants: list[Variant], folder: Path, say: Callable[[str], None]) -> Build:
    """Build the programs of `generate`. Raises UsageError with the output of the tools."""
    try:
        runtimeinfo.cflags("dpdk")
    except UsageError as error:
        hint = "install libdpdk-dev and pkg-config (Debian: apt install libdpdk-dev pkg-config)"
        raise UsageError(error.message, hint) from error
    for tool, package in {"meson": "meson", "ninja": "ninja-build", "nm": "binutils"}.items():
        if shutil.which(tool) is None:
            raise UsageError(f"{tool} is not installed", f"Debian: apt install {package}")
    cc = shlex.split(os.environ.get("CC") or "cc")
    if shutil.which(cc[0]) is None:
        raise UsageError(f"no C compiler: {cc[0]} is not installed", "Debian: apt install gcc")
    say(f"building {len(variants)} programs")
    target = folder / "out"
    try:
        _set_up(target, folder)
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {reason(error)}") from error
    run_command("ninja", "-C", target)
    return _facts(cc)


def _set_up(target: Path, folder: Path) -> None:
    """Run `meson setup`; again if it was interrupted or the environment has changed."""
    settings = {name: os.environ.get(name, "") for name in ENVIRONMENT}
    sources = map(str, runtimeinfo.sources("dpdk", "bench"))
    text = json.dumps({**settings, "runtime": list(sources)})
    stamp = target / "ctrgen-settings.json"
    if stamp.is_file() and stamp.read_bytes() == text.encode():
        return
    if target.exists():
        shutil.rmtree(target)
    own = [sys.executable, "-m", "ctrgen"]
    run_command("meson", "setup", target, folder, f"-Dctrgen={own}")
    stamp.write_text(text, "utf-8")


def run_command(*command: str | Path, timeout: float | None = BUILD_SECONDS) -> str:
    """Output of a tool. Raises UsageError with its message if it is missing or fails."""
    words = list(map(str, command))
    if shutil.which(words[0]) is None:
        raise UsageError(f"{words[0]} is not installed")
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", check=False,
            timeout=timeout,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{words[0]} took more than {timeout} s") from error
    if done.returncode != 0:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        wrong = [line for line in lines if re.search(_WRONG, line)]
        text = "\n".join((wrong or lines or [f"exit code {done.returncode}"])[:10])
        raise UsageError(f"{words[0]} failed:\n{text}", f"to see all: {shlex.join(words)}")
    return done.stdout


def _facts(cc: list[str]) -> Build:
    done = subprocess.run([*cc, "--version"], capture_output=True, text=True, check=False)
    line = (done.stdout.splitlines() or cc)[0]
    version = re.search(r"\d+\.\d+(\.\d+)?", line)
    flags = [f for name in ("CPPFLAGS", "CFLAGS") for f in os.environ.get(name, "").split()]
    name = "clang" if "clang" in line else "gcc" if "Free" in done.stdout else cc[0]
    compiler = f"{name} {version[0]}" if version else line
    return Build(compiler=compiler, cflags=["-O3", "-march=native", *flags], dpdk="")


def static_bytes(folder: Path, variant: Variant) -> int:
    """Bytes of the module's static data in its program."""
    done = subprocess.run(
        ["nm", "--format=sysv", "--defined-only", str(program(folder, variant))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    # name | value | class | type | size | line | section with what the program changes
    own = rf"^{variant.module.name}_stats[^|]*(?:\|[^|]*){{3}}"
    size = r"\|\s*([0-9a-f]+)\s*\|[^|]*\|\s*\.t?(?:bss|data)\s*$"
    return sum(int(octets, 16) for octets in re.findall(own + size, done.stdout, re.MULTILINE))


def program(folder: Path, variant: Variant) -> Path:
    """The executable of one variant."""
    return folder / "out" / f"bench-{variant.folder}"


# ---- running ----


def lcore_map(workers: int, cores: list[int]) -> str:
    """EAL's --lcores: lcore 0 reads, 1 to `workers` count, on a processor each if possible."""
    every = f"({','.join(map(str, cores))})"
    if workers > len(cores):
        return f"0@{every},(1-{workers})@{every}"
    return f"0@{every}" + "".join(f",{n}@{cores[n - 1]}" for n in range(1, workers + 1))


class Program:
    """One program on `workers` lcores; sleeps between commands. `memory` are arguments
    (memory.arguments). DPDK's run directory is next to the program, until it ends."""

    def __init__(self, path: Path, workers: int, cores: list[int], memory: list[str]) -> None:
        self.workers = workers
        prefix = f"ctrgen-bench-{os.getpid()}-{next(_numbers)}"
        run = path.absolute().parent / "run"
        self._files = run / "dpdk" / prefix
        command = [
            str(path), "--no-pci", "--no-telemetry", "--log-level=error", f"--file-prefix={prefix}",
            "--lcores", lcore_map(workers, cores),
            *memory,
        ]  # fmt: skip
        try:
            run.mkdir(exist_ok=True)
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True, env={**os.environ, "RUNTIME_DIRECTORY": str(run)},
            )  # fmt: skip
        except OSError as error:
            raise UsageError(f"{path}: cannot be run: {reason(error)}") from error
        self._rest = b""
        try:
            self.info = self.ask("info")
        except BaseException:
            self._process.kill()
            self.close()
            raise

    def ask(self, command: str, seconds: float = 0) -> dict[str, Any]:
        """The answer to one command that measures for `seconds`. Raises UsageError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._died() from error
        answer: dict[str, Any] = json.loads(self._line(seconds + ANSWER_SECONDS))
        if "error" in answer:
            raise UsageError(f"{answer['error']} ({command})")
        return answer

    def run(self, way: str, ms: float, **options: object) -> dict[str, Any]:
        """Measure one way of counting for `ms` milliseconds."""
        words = (way, *(options[name] for name in _OPTIONS), ms)
        return self.ask(" ".join(map(str, ("run", *words))), ms / 1000)

    def _line(self, seconds: float) -> bytes:
        """The next line that is JSON; libraries may print others."""
        assert self._process.stdout is not None
        while not (found := re.search(rb"^(\{.*)\n", self._rest, re.MULTILINE)):
            if not select.select([self._process.stdout], [], [], seconds)[0]:
                raise UsageError(f"the benchmark program did not answer in {seconds:.0f} s")
            chunk = os.read(self._process.stdout.fileno(), 65536)
            if not chunk:
                raise self._died()
            self._rest += chunk
        self._rest = self._rest[found.end() :]
        return found[1]

    def _died(self) -> UsageError:
        self._process.kill()
        _, output = self._process.communicate()
        lines = output.decode("utf-8", "replace").strip().splitlines()
        reason = "; ".join(lines[-3:]) or f"it ended with {self._process.returncode}"
        return UsageError(f"the benchmark program ended: {reason}")

    def close(self) -> None:
        """End the program: it does when its input ends."""
        try:
            self._process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        # EAL makes a folder for each program, even for those that share nothing, and leaves it.
        shutil.rmtree(self._files, ignore_errors=True)
        for folder in (self._files.parent, self._files.parent.parent):
            with contextlib.suppress(OSError):  # others run, or EAL was not there yet
                folder.rmdir()
