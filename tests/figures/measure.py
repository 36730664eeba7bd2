# SPDX-License-Identifier: BSD-3-Clause
"""Figures that are the same on every machine: what is counted, and how."""

import functools
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ctrgen.model.strategies.catalogue import all_strategies
from tests.figures.calls import copy
from tests.figures.table import Cells, Table
from tests.machine import code, layout
from tests.support import process, wide
from tests.support.capabilities import have
from tests.support.cbuild import Workshop
from tests.support.paths import EP
from tests.support.planted import PROJECT, Tree
from tests.support.shapes import SHAPES
from tests.support.strategies import STRATEGIES, USUAL

HERE = Path(__file__).resolve().parent
GCC = code.TARGETS[0]
LEVEL = "-O3"
WIDE = "-O2", "-fPIE"
"""How the wide schema is compiled: as an application is where nobody says otherwise."""
LISTS, LIMITS = HERE / "lists.yaml", HERE / "limits.yaml"
SOURCES = {EP: "fast.c", LISTS: "lists.c", LIMITS: "limits.c"}
"""What instructions are counted of, by schema."""
ROWS = {
    LISTS: ("update_list_of_4", "update_two"),
    LIMITS: ("update_try", "update_counted", "update_try_bulk", "batch_try"),
}
"""Updates of several instances; updates with a quota, under strategies that can give one."""
LCORES = (1, 8)
"""Lcores of the rows about memory; what is for one more is with the last."""


@dataclass
class Bench:
    """Makes in a folder what is measured, of the project or of a copy with changes.

    Other processes may use the same folder.
    """

    folder: Path
    tree: Tree = PROJECT

    @functools.cached_property
    def wide_schema(self) -> Path:
        """The file of the wide schema; it has no lock file beside it."""
        path = self.scratch() / "big.yaml"
        path.write_text(wide.schema(), "utf-8")
        return path

    def scratch(self) -> Path:
        """A new folder."""
        return Path(tempfile.mkdtemp(dir=self.folder))

    def generated(self, schema: Path, strategy: str) -> Path:
        """The folder with everything that is generated."""

        def make(out: Path) -> None:
            copied = copy(schema, self.scratch() / "schema")
            self.tree.succeed("build", copied, "-o", out, "--sync", strategy)

        return Workshop(self.folder).once(f"{schema.stem}-{strategy}", make)

    def flags(self, generated: Path) -> tuple[str, ...]:
        """What a compiler needs to know of a folder of generated code."""
        return (f"-I{self.tree.runtime() / 'include'}", "-DCTR_PORT_POSIX=1", f"-I{generated}")

    def instructions(
        self, target: code.Target, source: Path, generated: Path, level: str = LEVEL
    ) -> dict[str, int]:
        """Instructions of hot_* up to the first return and of all_*, by name without that, and of
        others by name. What a compiler does not inline counts with each that calls it."""
        made = self.scratch() / "fast.o"
        code.compiled(target, source, made, self.flags(generated), level)
        found = code.functions(target, made)
        hot = {
            name: lines if name.startswith("all_") else code.hot(lines)
            for name, lines in found.items()
            if not name.startswith("__")  # a section of its own
        }
        called = [name for name in hot if not name.startswith(("hot_", "all_", "ctr_"))]
        more = {name: len(hot.pop(name)) for name in called}
        return {
            re.sub("^(hot|all|ctr)_", "", name): len(lines) + sum(_calls_of(lines, more))
            for name, lines in hot.items()
        }


def _calls_of(lines: list[str], lengths: dict[str, int]) -> Iterator[int]:
    """For each call among instructions, and each jump in place of one, the length of what is
    called."""
    for line in lines:
        target = re.fullmatch(r"(?:call|jmp|bl?) \S+ <(\w+)>", line)
        if target and target[1] in lengths:
            yield lengths[target[1]]


def version(command: str) -> str:
    """Name and version of a compiler."""
    text = process.succeed(command, "--version").splitlines()[0]
    found = re.search(r"[0-9]+(\.[0-9]+)+", re.sub(r"\(.*?\)", "", text))
    return f"{command} {found[0] if found else text}"


def _rows(table: Cells, figures: dict[str, int], column: str) -> None:
    table.update({(row, column): figure for row, figure in figures.items()})


def _instructions(target: code.Target, bench: Bench) -> Cells:
    cells: Cells = {}
    for strategy in STRATEGIES:
        for schema, source in SOURCES.items():
            if schema == LIMITS and not all_strategies()[strategy].promised({}).exact:
                continue
            out = bench.generated(schema, strategy)
            found = bench.instructions(target, HERE / source, out)
            _rows(cells, {r: found[r] for r in ROWS.get(schema, found)}, strategy)
    return cells


def _structs(bench: Bench) -> Cells:
    cells: Cells = {}
    for strategy in STRATEGIES:
        out = bench.generated(EP, strategy)
        made = bench.scratch() / "structs.o"
        command = ["gcc", "-O0", "-g", *bench.flags(out), "-c", out / "ep_stats.c", "-o", made]
        process.succeed(*command)
        found = {name: one.size for name, one in layout.structs(made).items()}
        own = {name: found[name] for name in sorted(found) if name.startswith("ep_stats")}
        _rows(cells, own, strategy)
    return cells


def _memory(bench: Bench) -> Cells:
    cells: Cells = {}
    for lcores in LCORES:
        words = ("plan", EP, "--lcores", str(lcores), "--format", "json")
        plan = json.loads(bench.tree.succeed(*words))
        for row in sorted(plan["all"]["strategies"], key=lambda row: row["strategy"]):
            of = {f"bytes, lcores that count: {lcores}": row["memory"]}
            if lcores == LCORES[-1]:
                of |= {
                    "bytes of one more session": row["bytes_per_instance"],
                    "bytes of one more lcore": row["bytes_per_lcore"],
                    "cache lines that a packet touches": row["lines"],
                    "bytes that an lcore keeps using": row["working_set"],
                }
            _rows(cells, of, row["strategy"])
    return cells


def _wide_code(bench: Bench) -> Cells:
    out = bench.generated(bench.wide_schema, USUAL)
    made = bench.scratch() / "big_stats.o"
    level, pie = WIDE
    code.compiled(GCC, out / "big_stats.c", made, (*bench.flags(out), pie), level)
    sizes = process.succeed("size", made).splitlines()[1].split()
    cells: Cells = {("bytes of the text segment", USUAL): int(sizes[0])}
    found = bench.instructions(GCC, HERE / "wide.c", out, level)
    _rows(cells, {f"instructions of {name}": count for name, count in found.items()}, USUAL)
    return cells


def _calls(bench: Bench) -> Cells:
    cells: Cells = {}
    folder = bench.scratch()
    large = {folder / f"{name}.yaml": shape.schema() for name, shape in SHAPES.items()}
    for path, text in large.items():
        path.write_text(text, "utf-8")
    for schema in (EP, bench.wide_schema, *large):
        command = (sys.executable, HERE / "calls.py", schema, bench.scratch())
        text = process.succeed(*command, env=bench.tree.environment())
        _rows(cells, json.loads(text), schema.stem)
    return cells


@dataclass(frozen=True)
class Group:
    """A table that can be measured, with what, and which programs that takes."""

    title: str
    measure: Callable[[Bench], Cells]
    programs: tuple[str, ...] = ()
    target: code.Target | None = None
    python: bool = False

    def lacking(self) -> str:
        """The program that is not there, if any."""
        if self.target and not self.target.there:
            return self.target.command[0]
        return next((program for program in self.programs if not have(program)), "")

    def tool(self) -> str:
        """The program whose version the figures depend on, if they do."""
        if self.python:
            return "Python {}.{}".format(*sys.version_info)
        return version(self.target.command[0]) if self.target else ""

    def table(self, bench: Bench) -> Table:
        """Measured now."""
        return Table(self.title, self.tool(), self.measure(bench))


GROUPS = [
    *(
        Group(
            f"Instructions, {target.arch}, {target.compiler} {LEVEL}",
            functools.partial(_instructions, target),
            target=target,
        )
        for target in code.TARGETS
    ),
    Group("Bytes of structs", _structs, ("gcc", "pahole")),
    Group("Memory and cache lines", _memory),
    Group(f"Wide schema: machine code, {GCC.arch}, gcc -O2", _wide_code, ("size",), GCC),
    Group("Calls of Python functions in a build", _calls, python=True),
]
