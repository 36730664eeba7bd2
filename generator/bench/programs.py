# SPDX-License-Identifier: BSD-3-Clause
"""Builds the benchmark programs: one for each strategy, in one meson project."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from .. import __version__
from ..backends import Options, runtimeinfo
from ..backends.bench import files, project
from ..backends.c import BACKEND as C
from ..findings.usage import UsageError, reason
from ..model import ir
from .result import Build
from .variants import Variant

BUILD_SECONDS = 600

WRITABLE = (".bss", ".data", ".tbss", ".tdata")
"""Sections of a program with what it changes."""

ENVIRONMENT = ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR")
"""What meson takes from the environment when it sets up a project, and not later."""


def generate(variants: list[Variant], updates: tuple[ir.Update, ...], folder: Path) -> str:
    """Write the C of every variant and the project that builds them into `folder`.

    The fingerprint of all of it. Raises OSError.
    """
    whole = hashlib.sha256()
    first = variants[0].module
    options = Options(Path(first.source).name, "ctrgen bench", __version__)
    for variant in variants:
        texts = C.generate(variant.module, options) | files(variant.module, updates, options)
        for name, text in texts.items():
            whole.update(text.encode())
            _write(folder / variant.folder / name, text)
    pairs = [(variant.folder, variant.folder) for variant in variants]
    for name, text in project(first, pairs, options).items():
        _write(folder / name, text)
    return whole.hexdigest()


def _write(path: Path, text: str) -> None:
    """Write what has changed: what has not is not compiled again."""
    if path.is_file() and path.read_bytes() == text.encode():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def compile_all(variants: list[Variant], folder: Path, say: Callable[[str], None]) -> Build:
    """Build the programs of `generate`. Raises UsageError with what the tools said."""
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
    _run(["ninja", "-C", str(target)])
    return _facts(cc)


def _set_up(target: Path, folder: Path) -> None:
    """Have meson set up the project: anew when that was cut off, or was in other circumstances."""
    settings = {name: os.environ.get(name, "") for name in ENVIRONMENT}
    text = json.dumps({**settings, "runtime": str(runtimeinfo.path())})
    stamp = target / "ctrgen-settings.json"
    if stamp.is_file() and stamp.read_bytes() == text.encode():
        return
    if target.exists():
        shutil.rmtree(target)
    _run(["meson", "setup", str(target), str(folder), f"-Druntime={runtimeinfo.path()}"])
    stamp.write_text(text, "utf-8")


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False,
            timeout=BUILD_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{command[0]} took more than {BUILD_SECONDS} s") from error
    if done.returncode != 0:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        wrong = [line for line in lines if re.search(r"\berror\b|ERROR|No space", line)]
        text = "\n".join((wrong or lines)[:10])
        raise UsageError(f"{command[0]} failed:\n{text}", f"to see all: {' '.join(command)}")


def _facts(cc: list[str]) -> Build:
    done = subprocess.run([*cc, "--version"], capture_output=True, text=True, check=False)
    line = (done.stdout.splitlines() or cc)[0]
    version = re.search(r"\d+\.\d+(\.\d+)?", line)
    name = "clang" if "clang" in line else "gcc" if "Free" in done.stdout else cc[0]
    return Build(
        compiler=f"{name} {version[0]}" if version else line,
        cflags=["-O3", "-march=native", *_words("CPPFLAGS"), *_words("CFLAGS")],
        dpdk="",
    )


def _words(name: str) -> list[str]:
    return os.environ.get(name, "").split()


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
