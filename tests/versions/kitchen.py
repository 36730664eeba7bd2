# SPDX-License-Identifier: BSD-3-Clause
"""Compiles with one compiler of one system for one architecture, several files at a time."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from ctrgen.backends import runtimeinfo
from tests.run import tools
from tests.support.cbuild import MEMORY, OPTIMISED, WARNINGS, key

from .systems import System

ARCHITECTURES = ("x86_64", "aarch64")
COMPILERS = ("gcc", "clang")
STRICT = {
    "product": WARNINGS,
    # A macro of DPDK makes an unsigned -1: RTE_LCORE_FOREACH().
    "harness": (*WARNINGS, "-Wno-sign-conversion"),
    "test": ("-Wall", "-Wextra", "-Werror"),
}
"""Warnings by what is compiled."""

SAID = re.compile(r"\bfailed: |runtime error: |ERROR: \w+Sanitizer: ")
"""Lines that say why a program ends."""


class WrongError(Exception):
    """Why a cell is not green, in words."""


@dataclass
class Kitchen:
    """A compiler of a system, and what it has made in `folder`."""

    system: System
    compiler: str
    arch: str
    folder: Path
    how: tuple[str, ...] = OPTIMISED
    """Optimisation, or sanitizers."""
    made: dict[str, Path] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)

    def sanitizing(self) -> Kitchen:
        """The same compiler with AddressSanitizer and UndefinedBehaviorSanitizer."""
        folder = self.folder / "sanitized"
        folder.mkdir(exist_ok=True)
        return dataclasses.replace(self, folder=folder, how=MEMORY, made={}, words={})

    @property
    def sanitizes(self) -> bool:
        """Whether it is one of those."""
        return self.how == MEMORY

    def tool(self, cxx: bool = False) -> list[str]:
        """The compiler as a command."""
        name = {"gcc": "g++", "clang": "clang++"}[self.compiler] if cxx else self.compiler
        if self.arch == "x86_64":
            return [name]
        triple = f"{self.arch}-linux-gnu"
        return [f"{triple}-{name}"] if self.compiler == "gcc" else [name, f"--target={triple}"]

    def flags(self, port: str) -> list[str]:
        """What code for a port is compiled with."""
        if port not in self.words:
            words = [f"-I{runtimeinfo.path() / 'include'}", *runtimeinfo.PORT_DEFINES[port]]
            if port == "dpdk":
                found = self.system.flags("--cflags", self.arch)
                if "rte_config.h" not in found:
                    raise WrongError(f"no headers of DPDK for {self.arch}")
                words += found
            self.words[port] = words
        return self.words[port]

    def _checked(self, command: Sequence[object], what: str) -> None:
        done = self.system.run(*map(str, command))
        if done.returncode != 0 or "warning:" in done.stdout:
            lines = [line for line in done.stdout.splitlines() if line.strip()]
            wrong = [line for line in lines if "error: " in line or "warning: " in line]
            raise WrongError(f"{what}: {(wrong or lines or ['no output'])[0]}")

    def compile(
        self,
        source: Path,
        port: str,
        include: Iterable[Path] = (),
        kind: str = "product",
        defines: Iterable[str] = (),
    ) -> Path:
        """One C file with every warning an error; its object, made once."""
        standard = "-std=gnu11" if kind == "test" or port == "dpdk" else "-std=c11"
        own = [*(f"-I{path}" for path in include), *defines]
        name = f"{source.stem}-{key(source, port, own)}.o"
        if name not in self.made:
            target = self.folder / name
            command = [*self.tool(), standard, *self.how, *STRICT[kind], *own, *self.flags(port)]
            self._checked([*command, "-c", source, "-o", target], f"{source.name}, {port}")
            self.made[name] = target
        return self.made[name]

    def compile_all(
        self,
        sources: Iterable[Path],
        port: str,
        include: Iterable[Path] = (),
        kind: str = "product",
        defines: Iterable[str] = (),
    ) -> list[Path]:
        """Several C files, each made once."""
        rest = port, list(include), kind, list(defines)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda source: self.compile(source, *rest), sources))

    def as_cxx(self, header: Path, port: str) -> None:
        """Compile a header as C++17."""
        standard = "-std=gnu++17" if port == "dpdk" else "-std=c++17"
        source = self.folder / f"{header.stem}-{key(header)}.cc"
        source.write_text(f'#include "{header.name}"\n', "utf-8")
        command = [*self.tool(cxx=True), standard, "-O2", *WARNINGS, f"-I{header.parent}"]
        command += [*self.flags(port), "-fsyntax-only", str(source)]
        self._checked(command, f"{header.name} as C++17, {port}")

    def link(self, objects: Sequence[Path], port: str, *more: str) -> Path:
        """A program of objects, the runtime's included."""
        target = self.folder / f"program-{key(*objects, port)}"
        libs = self.system.flags("--libs", self.arch) if port == "dpdk" else []
        words = [*self.tool(), *self.how, "-pthread", "-o", target]
        command = [*words, *objects, *more, *libs, "-lm"]
        self._checked(command, "linking")
        return target

    def run(self, program: Path, *words: str, port: str = "posix", **options: object) -> str:
        """What a program prints that has to end with 0; on another architecture emulated."""
        start = [] if self.arch == "x86_64" else [f"qemu-{self.arch}", "-L"]
        start += [f"/usr/{self.arch}-linux-gnu"] if start else []
        given = {f"CTR_TEST_{name}": str(value) for name, value in options.items()}
        done = self.system.run(
            *start, program, *words, environment={**tools.options(port), **given}
        )
        if done.returncode != 0:
            lines = done.stdout.strip().splitlines() or [""]
            lines = [line for line in lines if SAID.search(line)] or lines
            what = " ".join(words) or "the example"
            raise WrongError(f"{what} ends with {done.returncode}: {lines[-1]}")
        return done.stdout
