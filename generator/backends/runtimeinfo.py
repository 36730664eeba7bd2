# SPDX-License-Identifier: BSD-3-Clause
"""Where the C runtime is and what a compiler needs to use it: `ctrgen runtime`, which works like
pkg-config."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from ..findings.usage import UsageError

PORTS = ("posix", "dpdk")
"""The ports of the runtime; a folder each under runtime/src/port."""

PORT_DEFINES = {
    "posix": ("-DCTR_PORT_POSIX=1",),
    "dpdk": ("-DCTR_PORT_DPDK=1", "-DALLOW_EXPERIMENTAL_API"),
}
"""Compiler flags that select a port, for the runtime and the code that uses it."""

PARTS: dict[str, tuple[str, ...]] = {
    "agentx": ("-lnetsnmpagent", "-lnetsnmp"), "bench": (),
    "openmetrics": ("-lmicrohttpd", "-lz"), "segment": (), "telemetry": (), "xdp": ("-lbpf",),
}  # fmt: skip
"""Parts of the runtime that only some applications ask for, a folder each under runtime/src/parts,
and what they link with."""

COMMON_PARTS = ("watch",)
"""Parts that need nothing, which a linker takes from the archive where they are used."""

DPDK_PARTS = ("bench", "telemetry")
"""Parts that use DPDK."""

DPDK = "libdpdk"
DPDK_HINT = "install libdpdk-dev and pkg-config, or use --port posix"


def path() -> Path:
    """The folder of the runtime: include/, src/ and meson.build."""
    return Path(str(resources.files("ctrgen.runtime")))


def cmake() -> Path:
    """The folder where CMake finds the package `ctrgen`."""
    return path() / "cmake"


def patches() -> Path:
    """The folder of patches for coccinelle (`ctrgen adopt`)."""
    return path() / "cocci"


def sources(port: str, *parts: str) -> list[Path]:
    """The C files of one port: those that every port shares, its own, those of parts; sorted."""
    rooms = ["core", f"port/{port}", *(f"parts/{part}" for part in (*COMMON_PARTS, *parts))]
    return [file for room in (*rooms, "strategies") for file in room_sources(room)] + strategies()


def room_sources(room: str) -> list[Path]:
    """The C files in a folder of runtime/src; sorted."""
    return sorted((path() / "src" / room).glob("*.c"))


def strategies() -> list[Path]:
    """The C files of strategies, each in the folder of its own."""
    folder = Path(str(resources.files("ctrgen.templates"))) / "c" / "sync"
    return sorted(folder.glob("*/*.c"))


def pkg_config(argument: str) -> list[str]:
    """What pkg-config says of DPDK. Raises UsageError without it."""
    program = os.environ.get("PKG_CONFIG", "pkg-config")
    if shutil.which(program) is None:
        raise UsageError(f"{program} is not installed, so DPDK cannot be found", DPDK_HINT)
    done = subprocess.run(
        [program, argument, DPDK], capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()
        detail = f": {reason[-1]}" if reason else ""
        raise UsageError(f"{program} does not find {DPDK}{detail}", DPDK_HINT)
    return shlex.split(done.stdout)


def cflags(port: str) -> list[str]:
    """Preprocessor and machine flags of one port. Raises UsageError without DPDK."""
    flags = [f"-I{path() / 'include'}", *PORT_DEFINES[port]]
    if port == "dpdk":
        for word in pkg_config("--cflags"):  # warnings in system folders are not the user's
            flags += ["-isystem", word[2:]] if word[2:] and word[:2] == "-I" else [word]
    return flags


def libs(port: str) -> list[str]:
    """Linker flags of a port. Raises UsageError if DPDK is not found."""
    return pkg_config("--libs") if port == "dpdk" else ["-pthread"]


def check(port: str, parts: tuple[str, ...] = ()) -> None:
    """Raises UsageError for an unknown port or part, and on a system of 32 bits."""
    if sys.maxsize < 2**32:
        raise UsageError("the runtime needs a 64-bit target", "see docs/design.md")
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise UsageError(f"no part '{unknown[0]}'", f"one of {', '.join(PARTS)}")
    if port not in PORTS:
        raise UsageError(f"no port '{port}'", f"one of {', '.join(PORTS)}")
    alone = [part for part in parts if part in DPDK_PARTS and port != "dpdk"]
    if alone:
        raise UsageError(f"the part '{alone[0]}' needs DPDK", "write --port dpdk")


def line(
    port: str, with_cflags: bool, with_sources: bool, with_libs: bool, parts: tuple[str, ...] = (),
    lines: bool = False, archives: Sequence[Path] = (),
) -> str:  # fmt: skip
    """The requested flags and files as one shell line in linker order, or with `lines` one unquoted
    word a line; `archives` are linked as well. Raises UsageError, also if DPDK is not found."""
    check(port, parts)
    words = cflags(port) if with_cflags else []
    if with_sources:
        words += map(str, sources(port, *parts))
    words += map(str, archives)
    if with_libs:
        words += [word for part in parts for word in PARTS[part]] + libs(port)
        words += ["-Wl,--gc-sections"] if archives else []
    return "\n".join(words) if lines else shlex.join(words)
