# SPDX-License-Identifier: BSD-3-Clause
"""The systems that are compiled for: a Debian each, with its DPDK, in a root folder or this one."""

import functools
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.capabilities import have_dpdk
from tests.support.paths import ROOT

ENTER = Path(__file__).with_name("enter.sh")
SUITES = {"bookworm": "22.11", "trixie": "24.11", "sid": "25.11"}
"""Debian's suites with the DPDK that each has."""

FOREIGN = "/opt/arm64"
"""Where chroots.sh unpacks DPDK for arm64 inside a root folder."""


def folder() -> Path:
    """Where chroots.sh puts root folders."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("CTRGEN_CHROOTS") or Path(cache) / "ctrgen" / "chroots")


@dataclass(frozen=True)
class System:
    """One Debian; `root` is None for the machine that this runs on. `work` is seen in both, and
    so is `project`, which cannot be changed in there."""

    name: str
    root: Path | None
    work: Path
    project: Path = ROOT

    def command(self, *words: str | Path) -> list[str]:
        """The command that runs `words` in there."""
        inside = [str(word) for word in words]
        if self.root is None:
            return inside
        return [str(ENTER), str(self.root), str(self.project), str(self.work), *inside]

    def run(
        self, *words: str | Path, timeout: float = 300, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in there; its output in one text. What it keeps for a user is in `work`."""
        home = {"HOME": str(self.work)} if self.root else {}
        return subprocess.run(
            self.command(*words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=timeout, check=False,
            env={**os.environ, **home, **(environment or {})},
        )  # fmt: skip

    def has(self, *words: str | Path) -> bool:
        """Whether a command succeeds in there."""
        try:
            return self.run(*words).returncode == 0
        except OSError:
            return False

    @functools.cached_property
    def dpdk(self) -> str:
        """Version of its DPDK; empty without."""
        done = self.run("pkg-config", "--modversion", "libdpdk")
        return done.stdout.strip() if done.returncode == 0 else ""

    def version(self, program: Sequence[str]) -> str:
        """What a program calls itself; empty when it is not there."""
        try:
            done = self.run(*program, "--version")
        except OSError:
            return ""
        found = re.search(r"\d+\.\d+(\.\d+)?", done.stdout)
        return found[0] if done.returncode == 0 and found else ""

    def flags(self, what: str, arch: str) -> list[str]:
        """DPDK's words for the compiler (--cflags) or linker (--libs); its headers as a system's.

        The headers of another architecture are only unpacked, so its file is read as it is.
        """
        if arch == "x86_64":
            text = self.run("pkg-config", what, "libdpdk").stdout
        else:
            libdir = f"{FOREIGN}/usr/lib/{arch}-linux-gnu/pkgconfig"
            text = self.run("cat", f"{libdir}/libdpdk-libs.pc").stdout
            match = re.search(r"^Cflags: (.*)$", text, re.MULTILINE)
            include = f"{FOREIGN}/usr/include"
            text = match[1].replace("${includedir}", f"{include}/dpdk") if match else ""
            text += f" -I{include} -I{include}/{arch}-linux-gnu"
        return re.sub(r"(^|\s)-I", r"\1-isystem ", text).split()


def found(work: Path, suites: Sequence[str] = tuple(SUITES)) -> list[System]:
    """The systems that are there, in the order of `suites`; this machine for its own suite."""
    systems = []
    for suite in suites:
        root = folder() / suite
        if (root / ".complete").exists() and os.geteuid() == 0:
            systems.append(System(suite, root, work))
        elif suite == own_suite() and have_dpdk():
            systems.append(System(suite, None, work))
    return systems


def own_suite() -> str:
    """Which Debian this machine has; empty for any other system."""
    try:
        text = Path("/etc/os-release").read_text("utf-8")
    except OSError:
        return ""
    match = re.search(r"^VERSION_CODENAME=(\w+)", text, re.MULTILINE)
    return match[1] if match and "ID=debian" in text else ""
