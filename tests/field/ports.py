# SPDX-License-Identifier: BSD-3-Clause
"""Examples of DPDK as they are and ported, built side by side.

A folder beside this file has what the port of an example is: a schema, and semantic patches for
coccinelle. `port.cocci` moves the example to ctrgen; `both.cocci`, where there is one, is applied
to the original as well. `hand.h` has what the patches call, written by hand as plain adds to global
memory: for examples that count nothing themselves, or where the price of calls is asked for.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.support.planted import PROJECT
from tests.support.process import run, succeed

HERE = Path(__file__).parent
APPS = ("l2fwd", "l3fwd", "distributor", "eventdev_pipeline", "ip_fragmentation")
ORIGINAL, PORT, HAND = "original", "port", "hand"
COMMON = ("common",)
"""Folders of the examples that others include files of."""
MACROS = HERE / "macros.h"
RULE = re.compile(r"^@\s*(\w+)\b.*@$", re.MULTILINE)
WRAPPED = ("rte_eal_init",)
"""What report.c stands in front of."""
AGENT = ("telemetry", "agentx")
PADS = (0, 16, 32, 48)
"""Bytes that the code of a program is moved by: where it lies in cache lines changes its speed."""


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
    return (HERE / app / "hand.h").is_file()


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


def copied(examples: Path, app: str, folder: Path) -> Path:
    """A copy of an example, with what it includes of others beside it."""
    folder.mkdir(parents=True)
    for name in (app, *COMMON):
        shutil.copytree(examples / name, folder / name)
    return folder / app


def patched(examples: Path, app: str, variant: str, folder: Path) -> Path:
    """The source of a variant of an example. Raises StalePatchError."""
    source = copied(examples, app, folder)
    names = ["both.cocci"] if variant == ORIGINAL else ["both.cocci", "port.cocci"]
    for path in (HERE / app / name for name in names):
        if path.is_file():
            apply(path, source, app)
    return source


def generated(app: str, folder: Path, sync: str = "", only: str = "c") -> Path:
    """What ctrgen makes of the schema of a port."""
    schema = HERE / app / f"{app}_stats.yaml"
    folder.mkdir(parents=True, exist_ok=True)
    for path in (HERE / app).glob(f"{app}_stats.*"):  # and its lock file, if it is published
        shutil.copy(path, folder)
    words = ["--sync", sync] if sync else []
    PROJECT.succeed("build", folder / schema.name, "-o", folder / "out", "--only", only, *words)
    return folder / "out"


def _makefile(source: Path) -> list[str]:
    """The sources that an example's Makefile names."""
    text = (source / "Makefile").read_text("utf-8")
    words = [word for line in re.findall(r"(?m)^SRCS-y [:+]=(.*)$", text) for word in line.split()]
    return [word for word in words if word.endswith(".c")]


def _compile(command: list[str], sources: list[Path], folder: Path) -> list[Path]:
    """Objects of sources, as many at a time as there are cores."""
    folder.mkdir(parents=True, exist_ok=True)

    def one(source: Path) -> Path:
        target = folder / f"{source.stem}.o"
        succeed(*command, "-c", source, "-o", target)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, sources))


@dataclass
class Yard:
    """Builds programs in a folder, from DPDK's examples in another one."""

    examples: Path
    folder: Path
    sync: str = ""
    """The strategy of the ports, "" for that of their schemas."""
    parts: tuple[str, ...] = ()
    """Of the runtime, for ports: AGENT for ports that telemetry and managers can read."""

    @functools.cached_property
    def runtime(self) -> tuple[list[str], list[Path], list[str]]:
        """Flags, objects and libraries of the runtime, for all ports."""
        words = ["runtime", "--port", "dpdk", *(f"--with={part}" for part in self.parts)]
        flags, sources, libs = (
            shlex.split(PROJECT.succeed(*words, f"--{what}"))
            for what in ("cflags", "sources", "libs")
        )
        level = "-O0" if self.parts else "-O3"  # of what no packet waits for
        command = ["gcc", "-std=gnu11", level, *flags]
        objects = _compile(command, list(map(Path, sources)), self.folder / "runtime")
        return [word for word in flags if word.startswith(("-I", "-D"))], objects, libs

    def _counting(self, app: str, variant: str) -> tuple[list[str], list[Path]]:
        """Flags for what a variant counts with, and generated sources."""
        if variant == ORIGINAL:
            return [], []
        if variant == HAND:
            header = self.folder / app / variant / "hand" / f"{app}_stats.h"
            header.parent.mkdir(parents=True)
            shutil.copy(HERE / app / "hand.h", header)
            return [f"-I{header.parent}"], []
        only = "c,mib,agentx" if self.parts else "c"
        out = generated(app, self.folder / app / variant, self.sync, only)
        flags = [f"-I{out}", *self.runtime[0], f"-DFIELD_MODULE={app}_stats_module"]
        flags += [f"-DFIELD_AGENT={app}_stats_agentx_start"] if self.parts else []
        return flags, sorted(out.glob("*.c"))

    def build(self, app: str, variant: str, pads: tuple[int, ...] = PADS) -> Program:
        """A variant of an example. Raises StalePatchError."""
        folder = self.folder / app / variant
        shutil.rmtree(folder, ignore_errors=True)
        source = patched(self.examples, app, variant, folder / "source")
        flags, counting = self._counting(app, variant)
        dpdk = shlex.split(succeed("pkg-config", "--cflags", "libdpdk"))
        command = ["gcc", "-O3", "-DALLOW_EXPERIMENTAL_API", *dpdk]
        command += [f"-I{source.parent / 'common'}", f"-I{HERE}", *flags]
        names = [source / name for name in _makefile(source)]
        # An example's own warnings are not ours.
        objects = _compile([*command, "-w"], names, folder / "objects")
        objects += _compile(command, [*counting, HERE / "report.c"], folder / "more")
        libs = shlex.split(succeed("pkg-config", "--libs", "libdpdk"))
        if variant == PORT:
            objects += self.runtime[1]
            libs += self.runtime[2]
        return Program(app, variant, tuple(self._link(folder, pad, objects, libs) for pad in pads))

    def _link(self, folder: Path, pad: int, objects: list[Path], libs: list[str]) -> Path:
        """The program with its code moved by some bytes."""
        filler = folder / f"pad{pad}.o"
        text = f".text\n.balign 64\n.skip {pad}\n.section .note.GNU-stack\n"
        succeed("gcc", "-x", "assembler", "-c", "-", "-o", filler, input=text)
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        target = folder / f"program{pad}"
        succeed("gcc", "-o", target, filler, *objects, *wraps, "-pthread", "-lm", *libs)
        return target
