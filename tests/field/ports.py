# SPDX-License-Identifier: BSD-3-Clause
"""Examples of DPDK ported to ctrgen.

A folder beside this file has what the port of an example is: a schema, and semantic patches for
coccinelle.
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
COMMON = ("common",)
"""Folders of the examples that others include files of."""
MACROS = HERE / "macros.h"
RULE = re.compile(r"^@\s*(\w+)\b.*@$", re.MULTILINE)
WRAPPED = "rte_eal_init"
"""What report.c stands in front of."""
AGENT = ("telemetry", "agentx")
APPS = ("l2fwd", "l3fwd")


def about(app: str) -> Path:
    """What this project has of an example."""
    return HERE / app


class StalePatchError(Exception):
    """A rule has nothing to change in an example: that is not the DPDK that it was written for."""


def rules(text: str) -> dict[str, str]:
    """The rules of semantic patches, by name, in their order."""
    starts = [*RULE.finditer(text)]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return {match[1]: text[match.start() : end] for match, end in zip(starts, ends, strict=True)}


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


def patched(examples: Path, app: str, folder: Path) -> Path:
    """The source of a port. Raises StalePatchError."""
    for name in (app, *COMMON):
        shutil.copytree(examples / name, folder / name)
    apply(about(app) / "port.cocci", folder / app, app)
    return folder / app


def generated(app: str, folder: Path, only: str = "c") -> Path:
    """What ctrgen makes of the schema of a port."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in about(app).glob(f"{app}_stats.*"):  # and its lock file, if published
        shutil.copy(path, folder)
    schema, out = folder / f"{app}_stats.yaml", folder / "out"
    PROJECT.succeed("build", schema, "-o", out, "--only", only)
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
    parts: tuple[str, ...] = ()
    """Of the runtime: AGENT for ports that telemetry and managers can read."""

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
        own = [word for word in flags if word.startswith(("-I", "-D"))]
        command = ["gcc", "-std=gnu11", "-O1", *own, *self.dpdk("--cflags")]
        objects = self.compile(command, list(map(Path, sources)), self.folder / "runtime")
        return own, objects, libs

    def build(self, app: str) -> Path:
        """The port of an example. Raises StalePatchError."""
        folder = self.folder / app
        shutil.rmtree(folder, ignore_errors=True)
        source = patched(self.examples, app, folder / "source")
        out = generated(app, folder, "c,mib,agentx" if self.parts else "c")
        own, runtime, needed = self.runtime
        flags = [f"-I{source}", f"-I{source.parent / 'common'}", f"-I{out}", *own]
        flags += ["-DALLOW_EXPERIMENTAL_API", f"-DFIELD_MODULE={app}_stats_module"]
        flags += [f"-DFIELD_AGENT={app}_stats_agentx"] if self.parts else []
        command = ["gcc", "-O1", *self.dpdk("--cflags"), *flags]
        names = [source / name for name in _makefile(source)]
        # An example's own warnings are not ours.
        objects = self.compile([*command, "-w"], names, folder / "objects")
        more = [*sorted(out.glob("*.c")), HERE / "report.c"]
        objects += self.compile(command, more, folder / "more")
        words = [f"-Wl,--wrap={WRAPPED}", "-pthread", "-lm", *self.dpdk("--libs"), *needed]
        succeed("gcc", "-o", folder / "program", *objects, *runtime, *words)
        return folder / "program"
