# SPDX-License-Identifier: BSD-3-Clause
"""Examples of DPDK as they are and ported, built side by side.

A folder beside this file has what the port of an example is: a schema, and semantic patches for
coccinelle. `port.cocci` moves the example to ctrgen; `both.cocci`, where there is one, is applied
to the original as well. `hand.h` has what the patches call, written by hand as plain adds to global
memory: for examples that count nothing themselves, or where the price of calls is asked for.
"""

import os
import re
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.support.planted import PROJECT
from tests.support.process import run, succeed
from tests.support.strategies import SEQUENCED
from tests.versions import systems

HERE = Path(__file__).parent
ORIGINAL, PORT, HAND = "original", "port", "hand"
COMMON = ("common",)
"""Folders of the examples that others include files of."""
MACROS = HERE / "macros.h"
RULE = re.compile(r"^@\s*(\w+)\b.*@$", re.MULTILINE)
WRAPPED = ("rte_eal_init",)
"""What report.c stands in front of."""
HEADERS = "usr/include/dpdk"
AGENT = ("telemetry", "agentx")
PADS = (0, 16, 32, 48)
"""Bytes that the code of a program is moved by: where it lies in cache lines changes its speed."""


@dataclass(frozen=True)
class App:
    """A program that is built as it is and ported."""

    example: str
    """The folder of its source, in DPDK's examples or in Debian's source package of another one."""
    module: str = ""
    """The folder beside this file that has its port, and the prefix of what ctrgen generates."""
    suite: str = ""
    """Debian whose DPDK it is built with and runs on, in a root folder of tests/versions; "" for
    this machine's."""
    sync: str = ""
    """The strategy of its port, "" for that of its schema."""
    headers: tuple[str, ...] = ()
    """Headers of DPDK that its patches change, as globs: copies of them go before the original."""

    @property
    def folder(self) -> Path:
        """What this project has of it."""
        return HERE / self.prefix

    @property
    def prefix(self) -> str:
        """The name of its module."""
        return self.module or self.example


GRAPH = App("l3fwd-graph", "l3fwd_graph", headers=("rte_graph_worker*.h", "rte_graph_model*.h"))
APPS = {
    **{
        name: App(name)
        for name in ("l2fwd", "l3fwd", "distributor", "eventdev_pipeline", "ip_fragmentation")
    },
    "l3fwd_flows": App("l3fwd", "l3fwd_flows"),
    "l3fwd_bills": App("l3fwd", "l3fwd_flows", sync=SEQUENCED),
    "l3fwd_graph": GRAPH,
    "l3fwd_graph_24": replace(GRAPH, suite="trixie"),
    "l3fwd_graph_25": replace(GRAPH, suite="sid"),
    "ovs": App("openvswitch", "ovs", suite="sid"),
}


def there(app: str) -> bool:
    """Whether the system that an application needs is there."""
    suite = APPS[app].suite
    return not suite or any(one.root for one in systems.found(Path(), [suite]))


def system(app: str, work: Path) -> systems.System:
    """Where an application is built and runs; it sees the folder `work`."""
    suite = APPS[app].suite
    return systems.System(suite, systems.folder() / suite if suite else None, work)


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
    return (APPS[app].folder / "hand.h").is_file()


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
    """A copy of an example, with what it includes of others beside it, and with the headers of
    DPDK that its patches change."""
    about = APPS[app]
    folder.mkdir(parents=True)
    for name in (about.example, *COMMON):
        shutil.copytree(examples / name, folder / name)
    root = systems.folder() / about.suite if about.suite else Path("/")
    for path in (path for glob in about.headers for path in root.glob(f"{HEADERS}/{glob}")):
        shutil.copy(path, folder / about.example)
    return folder / about.example


def patched(examples: Path, app: str, variant: str, folder: Path) -> Path:
    """The source of a variant of an example. Raises StalePatchError."""
    source = copied(examples, app, folder)
    names = ["both.cocci"] if variant == ORIGINAL else ["both.cocci", "port.cocci"]
    for path in (APPS[app].folder / name for name in names):
        if path.is_file():
            apply(path, source, app)
    return source


def generated(app: str, folder: Path, sync: str = "", only: str = "c") -> Path:
    """What ctrgen makes of the schema of a port."""
    about = APPS[app]
    schema = about.folder / f"{about.prefix}_stats.yaml"
    folder.mkdir(parents=True, exist_ok=True)
    for path in about.folder.glob(f"{about.prefix}_stats.*"):  # and its lock file, if published
        shutil.copy(path, folder)
    sync = sync or about.sync
    words = ["--sync", sync] if sync else []
    PROJECT.succeed("build", folder / schema.name, "-o", folder / "out", "--only", only, *words)
    return folder / "out"


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
    """The strategy of the ports, "" for that of the application."""
    parts: tuple[str, ...] = ()
    """Of the runtime, for ports: AGENT for ports that telemetry and managers can read."""
    runtimes: dict[str, tuple[list[str], list[Path], list[str]]] = field(default_factory=dict)

    def system(self, app: str) -> systems.System:
        """Where an application is built."""
        return system(app, self.folder)

    def dpdk(self, app: str, what: str) -> list[str]:
        """Words of pkg-config on that system's DPDK."""
        command = self.system(app).command("pkg-config", what, "libdpdk")
        return shlex.split(succeed(*command))

    def compile(self, app: str, command: list[str], names: list[Path], folder: Path) -> list[Path]:
        """Objects of sources, as many at a time as there are cores."""
        folder.mkdir(parents=True, exist_ok=True)

        def one(source: Path) -> Path:
            target = folder / f"{source.stem}.o"
            succeed(*self.system(app).command(*command, "-c", source, "-o", target))
            return target

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(one, names))

    def runtime(self, app: str) -> tuple[list[str], list[Path], list[str]]:
        """Flags, objects and libraries of the runtime, once for all ports of a system."""
        suite = APPS[app].suite
        if suite not in self.runtimes:
            self.runtimes[suite] = self._runtime(app)
        return self.runtimes[suite]

    def _runtime(self, app: str) -> tuple[list[str], list[Path], list[str]]:
        words = ["runtime", "--port", "dpdk", *(f"--with={part}" for part in self.parts)]
        flags, sources, libs = (
            shlex.split(PROJECT.succeed(*words, f"--{what}"))
            for what in ("cflags", "sources", "libs")
        )
        level = "-O0" if self.parts else "-O3"  # of what no packet waits for
        own = [word for word in flags if word.startswith(("-I", "-D"))]
        command = ["gcc", "-std=gnu11", level, *own, *self.dpdk(app, "--cflags")]
        place = self.folder / "runtime" / APPS[app].suite
        objects = self.compile(app, command, list(map(Path, sources)), place)
        return own, objects, libs

    def counting(self, app: str, variant: str) -> tuple[list[str], list[Path]]:
        """Flags for what a variant counts with, and generated sources."""
        if variant == ORIGINAL:
            return [], []
        prefix = APPS[app].prefix
        if variant == HAND:
            header = self.folder / app / variant / "hand" / f"{prefix}_stats.h"
            header.parent.mkdir(parents=True)
            shutil.copy(APPS[app].folder / "hand.h", header)
            return [f"-I{header.parent}"], []
        only = "c,mib,agentx" if self.parts else "c"
        out = generated(app, self.folder / app / variant, self.sync, only)
        flags = [f"-I{out}", *self.runtime(app)[0], f"-DFIELD_MODULE={prefix}_stats_module"]
        flags += [f"-DFIELD_AGENT={prefix}_stats_agentx"] if self.parts else []
        return flags, sorted(out.glob("*.c"))

    def build(self, app: str, variant: str, pads: tuple[int, ...] = PADS) -> Program:
        """A variant of an example. Raises StalePatchError."""
        folder = self.folder / app / variant
        shutil.rmtree(folder, ignore_errors=True)
        source = patched(self.examples, app, variant, folder / "source")
        flags, counting = self.counting(app, variant)
        command = ["gcc", "-O3", "-DALLOW_EXPERIMENTAL_API", f"-I{source}"]
        command += self.dpdk(app, "--cflags")
        command += [f"-I{source.parent / 'common'}", f"-I{HERE}", *flags]
        names = [source / name for name in _makefile(source)]
        # An example's own warnings are not ours.
        objects = self.compile(app, [*command, "-w"], names, folder / "objects")
        objects += self.compile(app, command, [*counting, HERE / "report.c"], folder / "more")
        libs = self.dpdk(app, "--libs")
        if variant == PORT:
            _, more, needed = self.runtime(app)
            objects += more
            libs += needed if not APPS[app].suite else []
        made = [self._link(app, folder, pad, objects, libs) for pad in pads]
        return Program(app, variant, tuple(made))

    def filler(self, app: str, folder: Path, pad: int) -> Path:
        """An object that moves the code of a program by some bytes."""
        filler = folder / f"pad{pad}.o"
        text = f".text\n.balign 64\n.skip {pad}\n.section .note.GNU-stack\n"
        command = self.system(app).command("gcc", "-x", "assembler", "-c", "-", "-o", filler)
        succeed(*command, input=text)
        return filler

    def _link(self, app: str, folder: Path, pad: int, objects: list[Path], libs: list[str]) -> Path:
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        target = folder / f"program{pad}"
        words = [*wraps, "-pthread", "-lm", *libs]
        first = self.filler(app, folder, pad)
        command = self.system(app).command("gcc", "-o", target, first, *objects, *words)
        succeed(*command)
        return target
