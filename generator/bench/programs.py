# SPDX-License-Identifier: BSD-3-Clause
"""Builds the benchmark programs: one for each strategy, in one meson project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from .. import __version__, ir, runtimeinfo
from ..backends import Options
from ..backends.bench import files, project
from ..backends.c import BACKEND as C
from .result import Build
from .variants import BenchError, Variant

BUILD_SECONDS = 600

WRITABLE = (".bss", ".data", ".tbss", ".tdata")
"""Sections of a program with what it changes."""

UNKNOWN = Build(compiler="", cflags=[], dpdk="")
"""Before anything is built."""


def generate(variants: list[Variant], updates: tuple[ir.Update, ...], folder: Path) -> None:
    """Write the C of every variant and the project that builds them into `folder`."""
    first = variants[0].module
    options = Options(Path(first.source).name, "ctrgen bench", __version__)
    for variant in variants:
        texts = C.generate(variant.module, options) | files(variant.module, updates, options)
        for name, text in texts.items():
            _write(folder / variant.folder / name, text)
    pairs = [(variant.folder, variant.folder) for variant in variants]
    for name, text in project(first, pairs, options).items():
        _write(folder / name, text)


def _write(path: Path, text: str) -> None:
    """Write what has changed: what has not is not compiled again."""
    if path.is_file() and path.read_text("utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def compile_all(variants: list[Variant], folder: Path, say: Callable[[str], None]) -> Build:
    """Build the programs of `generate`. Raises BenchError with what the tools said."""
    try:
        runtimeinfo.cflags("dpdk")
    except runtimeinfo.RuntimeInfoError as error:
        hint = "install libdpdk-dev and pkg-config (Debian: apt install libdpdk-dev pkg-config)"
        raise BenchError(error.message, hint) from error
    for tool in ("meson", "ninja"):
        if shutil.which(tool) is None:
            raise BenchError(f"{tool} is not installed", "Debian: apt install meson ninja-build")
    cc = (os.environ.get("CC") or "cc").split()[0]
    if shutil.which(cc) is None:
        raise BenchError(f"no C compiler: {cc} is not installed", "Debian: apt install gcc")
    say(f"building {len(variants)} programs")
    made = folder / "out"
    if not (made / "build.ninja").is_file():
        setup = ["meson", "setup", str(made), str(folder), f"-Druntime={runtimeinfo.path()}"]
        _run([*setup, "--wipe"] if (made / "meson-private").is_dir() else setup)
    _run(["ninja", "-C", str(made)])
    return _facts(cc)


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False,
            timeout=BUILD_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise BenchError(f"{command[0]} took more than {BUILD_SECONDS} s") from error
    if done.returncode != 0:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        wrong = [line for line in said if re.search(r"\berror\b|ERROR|No space", line)]
        text = "\n".join((wrong or said)[:10])
        raise BenchError(f"{command[0]} failed:\n{text}", f"to see all: {' '.join(command)}")


def _facts(cc: str) -> Build:
    done = subprocess.run([cc, "--version"], capture_output=True, text=True, check=False)
    line = (done.stdout.splitlines() or [cc])[0]
    version = re.search(r"\d+\.\d+(\.\d+)?", line)
    name = "clang" if "clang" in line else "gcc" if "Free" in done.stdout else cc
    return Build(
        compiler=f"{name} {version[0]}" if version else line,
        cflags=["-O3", "-march=native"],
        dpdk="",
    )


def static_bytes(folder: Path, variant: Variant) -> int:
    """Bytes of the module's own data in its program: what needs no allocation."""
    prefix = f"{variant.module.name}_stats"
    done = subprocess.run(
        ["nm", "--format=sysv", "--defined-only", str(program(folder, variant))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    total = 0
    for line in done.stdout.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7 and fields[0].startswith(prefix) and fields[6] in WRITABLE:
            total += int(fields[4] or "0", 16)
    return total


def program(folder: Path, variant: Variant) -> Path:
    """The executable of one variant."""
    return folder / "out" / f"bench-{variant.folder}"
