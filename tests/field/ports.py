# SPDX-License-Identifier: BSD-3-Clause
"""Examples of DPDK as they are and ported, built side by side.

A folder beside this file has what the port of an example is: a schema, and semantic patches for
coccinelle. `port.cocci` moves the example to ctrgen; `both.cocci`, where there is one, is applied
to the original as well. `hand.h` has what the patches call, written by hand as plain adds to global
memory: for examples that count nothing themselves.
"""

import os
import re
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.support.planted import PROJECT
from tests.support.process import run, succeed

HERE = Path(__file__).parent
ORIGINAL, PORT, HAND = "original", "port", "hand"
COMMON = ("common",)
"""Folders of the examples that others include files of."""
MACROS = HERE / "macros.h"
RULE = re.compile(r"^@\s*(\w+)\b.*@$", re.MULTILINE)
WRAPPED = ("rte_eal_init",)
"""What report.c stands in front of."""
AGENT = ("telemetry", "agentx")
APPS = ("l2fwd", "l3fwd")
PADS = (0, 16, 32, 48)
"""Bytes that the code of a program is moved by: where it lies in cache lines changes its speed."""


def about(app: str) -> Path:
    """What this project has of an example."""
    return HERE / app


class StalePatchError(Exception):
    """A rule has nothing to change in an example: that is not the DPDK that it was written for."""


@dataclass(frozen=True)
class Program:
    """A program that was built, in one copy for each of PADS."""

    app: str
    variant: str
    copies: tuple[Path, ...]


def rules(text: str) -> dict[str, str]:
    """The rules of semantic patches, by name, in their order."""
    starts = [*RULE.finditer(text)]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return {match[1]: text[match.start() : end] for match, end in zip(starts, ends, strict=True)}


def hand_written(app: str) -> bool:
    """Whether there is a third variant of an example, that counts by hand."""
    return (about(app) / "hand.h").is_file()


def variants(app: str) -> tuple[str, ...]:
    """What an example is built as."""
    return (ORIGINAL, PORT, HAND) if hand_written(app) else (ORIGINAL, PORT)


def _files(folder: Path) -> list[Path]:
    return sorted([*folder.glob("*.c"), *folder.glob("*.h")])


def apply(patches: Path, folder: Path, app: str) -> None:
    """Apply the rules of a file one by one. Raises StalePatchError, with the name of the rule."""
    for name, rule in rules(patches.read_text("utf-8")).items():
        one = folder / f"{patches.stem}-{name}.cocci"
        one.write_text(rule, "utf-8")
        before = {path: path.read_bytes() for path in _files(folder)}
        words = ["spatch", "--very-quiet", "--in-place", "--no-show-diff", "--macro-file", MACROS]
        words += ["--sp-file", one, "--use-coccigrep", "--include-headers", "--dir", folder]
        done = run(*words, cwd=folder)
        if done.returncode != 0:
            text = f"{app}: {patches.name}: rule {name}: {done.stderr}"
            raise StalePatchError(text)
        if all(path.read_bytes() == text for path, text in before.items()):
            text = f"{app}: {patches.name}: rule {name} changes nothing in this DPDK"
            raise StalePatchError(text)
        one.unlink()


def patched(examples: Path, app: str, variant: str, folder: Path) -> Path:
    """The source of a variant of an example. Raises StalePatchError."""
    for name in (app, *COMMON):
        shutil.copytree(examples / name, folder / name)
    names = ["both.cocci"] if variant == ORIGINAL else ["both.cocci", "port.cocci"]
    for path in (about(app) / name for name in names):
        if path.is_file():
            apply(path, folder / app, app)
    return folder / app


def generated(app: str, folder: Path, sync: str = "", only: str = "c") -> Path:
    """What ctrgen makes of the schema of a port."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in about(app).glob(f"{app}_stats.*"):  # and its lock file, if published
        shutil.copy(path, folder)
    schema, out = folder / f"{app}_stats.yaml", folder / "out"
    words = ["--sync", sync] if sync else []
    PROJECT.succeed("build", schema, "-o", out, "--only", only, *words)
    return out


def _makefile(source: Path) -> list[str]:
    """The sources that an example's Makefile names."""
    text = (source / "Makefile").read_text("utf-8")
    words = [word for line in re.findall(r"(?m)^SRCS-y [:+]=(.*)$", text) for word in line.split()]
    return [word for word in words if word.endswith(".c")]


@dataclass
class Yard:
    """Builds programs in a folder, from DPDK's examples in another one."""

    examples: Path
    folder: Path
    sync: str = ""
    """The strategy of the ports, "" for that of the schema."""
    parts: tuple[str, ...] = ()
    """Of the runtime, for ports: AGENT for ports that telemetry and managers can read."""

    def dpdk(self, what: str) -> list[str]:
        """Words of pkg-config on DPDK."""
        return shlex.split(succeed("pkg-config", what, "libdpdk"))

    def compile(self, command: list[str], names: list[Path], folder: Path) -> list[Path]:
        """Objects of sources, as many at a time as there are cores."""
        folder.mkdir(parents=True, exist_ok=True)

        def one(source: Path) -> Path:
            target = folder / f"{source.stem}.o"
            succeed(*command, "-c", source, "-o", target)
            return target

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(one, names))

    @cached_property
    def runtime(self) -> tuple[list[str], list[Path], list[str]]:
        """Flags, objects and libraries of the runtime, for all ports."""
        words = ["runtime", "--port", "dpdk", *(f"--with={part}" for part in self.parts)]
        flags, sources, libs = (
            shlex.split(PROJECT.succeed(*words, f"--{what}"))
            for what in ("cflags", "sources", "libs")
        )
        level = "-O0" if self.parts else "-O3"  # of what no packet waits for
        own = [word for word in flags if word.startswith(("-I", "-D"))]
        command = ["gcc", "-std=gnu11", level, *own, *self.dpdk("--cflags")]
        objects = self.compile(command, list(map(Path, sources)), self.folder / "runtime")
        return own, objects, libs

    def counting(self, app: str, variant: str) -> tuple[list[str], list[Path]]:
        """Flags for what a variant counts with, and generated sources."""
        if variant == ORIGINAL:
            return [], []
        if variant == HAND:
            header = self.folder / app / variant / "hand" / f"{app}_stats.h"
            header.parent.mkdir(parents=True)
            shutil.copy(about(app) / "hand.h", header)
            return [f"-I{header.parent}"], []
        only = "c,mib,agentx" if self.parts else "c"
        out = generated(app, self.folder / app / variant, self.sync, only)
        flags = [f"-I{out}", *self.runtime[0], f"-DFIELD_MODULE={app}_stats_module"]
        flags += [f"-DFIELD_AGENT={app}_stats_agentx"] if self.parts else []
        return flags, sorted(out.glob("*.c"))

    def build(self, app: str, variant: str, pads: tuple[int, ...] = PADS) -> Program:
        """A variant of an example. Raises StalePatchError."""
        folder = self.folder / app / variant
        shutil.rmtree(folder, ignore_errors=True)
        source = patched(self.examples, app, variant, folder / "source")
        flags, counting = self.counting(app, variant)
        command = ["gcc", "-O3", "-DALLOW_EXPERIMENTAL_API", f"-I{source}"]
        command += self.dpdk("--cflags")
        command += [f"-I{source.parent / 'common'}", *flags]
        names = [source / name for name in _makefile(source)]
        # An example's own warnings are not ours.
        objects = self.compile([*command, "-w"], names, folder / "objects")
        objects += self.compile(command, [*counting, HERE / "report.c"], folder / "more")
        libs = self.dpdk("--libs")
        if variant == PORT:
            _, more, needed = self.runtime
            objects += more
            libs += needed
        made = [self._link(folder, pad, objects, libs) for pad in pads]
        return Program(app, variant, tuple(made))

    def filler(self, folder: Path, pad: int) -> Path:
        """An object that moves the code of a program by some bytes."""
        filler = folder / f"pad{pad}.o"
        text = f".text\n.balign 64\n.skip {pad}\n.section .note.GNU-stack\n"
        succeed("gcc", "-x", "assembler", "-c", "-", "-o", filler, input=text)
        return filler

    def _link(self, folder: Path, pad: int, objects: list[Path], libs: list[str]) -> Path:
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        target = folder / f"program{pad}"
        words = [*wraps, "-pthread", "-lm", *libs]
        first = self.filler(folder, pad)
        succeed("gcc", "-o", target, first, *objects, *words)
        return target
