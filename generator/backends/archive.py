# SPDX-License-Identifier: BSD-3-Clause
"""The C runtime as an archive, from which a linker takes what a program uses
(`ctrgen runtime --archive`): it is built, and cached.

The compiler is $CC (cc), its flags are $CFLAGS (-O2), the archiver is $AR (ar). An archive is
cached by all that decides its content: port, parts, compiler, flags, DPDK, sources and headers.
"""

import errno
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import __version__
from ..findings.usage import UsageError, reason
from ..output.staging import leftovers
from . import runtimeinfo

SIZE = ("-ffunction-sections", "-fdata-sections", "-fno-asynchronous-unwind-tables")
"""Flags in front of those of the user: a linker with --gc-sections takes less than an object."""
COLD = """
    add begin burst ctr_change ctr_control ctr_debug ctr_debug_update ctr_device
    ctr_discontinuity ctr_fork ctr_poller ctr_port ctr_quiescent ctr_srcu ctr_slots ctr_thread
    get life life_end memory module object part read_slowly reset scope
"""
"""Files that no update and no usual read is in: they are compiled for size, unless $CFLAGS is set.
"""
FLAGS = ("-DCTR_ARCHIVE=1", "-std=gnu11", "-D_GNU_SOURCE", "-fPIC", "-fno-lto")
"""Flags behind those of the user: any program can link the archive, a shared library as well."""
NAME = "libctr.a"
_BUILD = ".build-"
_TIME = 600  # seconds that one call of a compiler may take

_FULL = os.strerror(errno.ENOSPC)


def folder() -> Path:
    """Where archives are cached. Raises UsageError for a user without a home folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "ctrgen"
    except RuntimeError as error:
        raise UsageError(f"no folder for a cache: {error}", "set XDG_CACHE_HOME") from error


def _words(name: str, default: str) -> list[str]:
    try:
        return shlex.split(os.environ.get(name) or default)
    except ValueError as error:
        raise UsageError(f"${name}: {error}", "close its quotes") from error


def _run(words: Sequence[str], hint: str) -> str:
    """The standard output of a program. Raises UsageError if it is missing or fails,
    OSError if the cache is full."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_TIME)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"cannot run {words[0]}: {error}", hint) from error
    if _FULL in done.stderr and str(folder()) in done.stderr:
        raise OSError(errno.ENOSPC, _FULL)
    if done.returncode != 0:
        messages = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        wrong = next((each for each in messages if "error" in each), messages[-1])
        raise UsageError(f"{words[0]} cannot build the runtime: {wrong}", hint)
    return done.stdout


def _files(sources: Iterable[Path]) -> list[Path]:
    """Sources and the headers that they may include: of the runtime and of their own folders."""
    beside = {each.parent for each in sources} | {runtimeinfo.path() / "include"}
    return [*sources, *sorted(each for where in beside for each in where.glob("*.h"))]


def _configurations(flags: Iterable[str]) -> list[Path]:
    """The headers with the values that DPDK was built with, such as RTE_MAX_LCORE."""
    return [path for each in flags if (path := Path(each, "rte_build_config.h")).is_file()]


def path(port: str, parts: Iterable[str] = ()) -> Path:
    """The archive for a port and parts, which is built if it is not in the cache. Raises UsageError
    where none can be built or written."""
    parts = sorted(set(parts))
    compiler, own = _words("CC", "cc"), _words("CFLAGS", "-O2")
    sources = runtimeinfo.sources(port, *parts)
    flags = [*SIZE, *own, *runtimeinfo.cflags(port), *FLAGS]
    identity = [
        __version__, port, *parts, *compiler, *SIZE, *own, *FLAGS, COLD,
        *runtimeinfo.cflags(port)[1:],
        _run([*compiler, "--version"], "set CC to a C compiler"),
        _run([*compiler, *own, "-dumpmachine"], "set CC to a C compiler"),
        runtimeinfo.pkg_config("--modversion")[0] if port == "dpdk" else "",
        platform.node() if any(each.endswith("=native") for each in own) else "",
    ]  # fmt: skip
    digest = hashlib.sha256("\0".join(identity).encode())
    for each in (*_files(sources), *_configurations(flags)):
        digest.update(f"\0{each.name}\0".encode() + each.read_bytes())
    cached = folder() / f"{port}-{digest.hexdigest()[:32]}" / NAME
    try:
        if not cached.is_file() or not cached.stat().st_size:  # after a power failure
            _build(cached, [*compiler, *flags], sources)
    except OSError as error:
        hint = "set XDG_CACHE_HOME to a folder that can be written, or use --sources"
        raise UsageError(f"cannot write {cached.parent}: {reason(error)}", hint) from error
    return cached


def _build(cached: Path, compiler: list[str], sources: Sequence[Path]) -> None:
    """Compile sources into an archive, which is renamed when it is whole: of two that build it at
    once, each has what it needs, and one wins. Raises OSError, UsageError."""
    cached.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in leftovers(folder().iterdir(), _BUILD):
        shutil.rmtree(left, ignore_errors=True)
    own = f"{_BUILD}{os.getpid()}-"
    with tempfile.TemporaryDirectory(dir=cached.parent, prefix=own) as name:
        made = Path(name)
        objects = [made / f"{source.stem}.o" for source in sources]
        assert len(set(objects)) == len(objects), "two sources of one name"

        def compiled(source: Path, target: Path) -> None:
            small = source.stem in COLD.split() and not os.environ.get("CFLAGS")
            words = [*compiler, *(["-Os"] if small else []), "-c", str(source), "-o", str(target)]
            _run(words, "see CC, CFLAGS; or compile --sources with your own")

        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            list(pool.map(compiled, sources, objects))
        archiver = _words("AR", "ar")
        _run([*archiver, "rcs", str(made / NAME), *map(str, objects)], "set AR to an archiver")
        with (made / NAME).open("rb") as whole:
            os.fsync(whole.fileno())
        (made / NAME).replace(cached)
