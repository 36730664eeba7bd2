# SPDX-License-Identifier: BSD-3-Clause
"""One application that shows all it counts in every way, and what it is made of."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.support.cbuild import QUICK, Build, shared
from tests.support.planted import PROJECT, Tree

HERE = Path(__file__).parent
PARTS = ("telemetry", "segment", "agentx")
GLOBAL = tuple(f"c{n}" for n in range(993))
LONG = "_of_those_whose_names_fill_a_reply_soon"
"""Of telemetry: there is room for less than its other limits allow."""
ROW = tuple(f"c{n}{LONG}" for n in range(10))
FLOWS, PORTS, QUEUES = 204, 14, 14
COUNTERS = (len(GLOBAL) + 7) + (FLOWS + PORTS * QUEUES) * len(ROW)
"""Counters of the scopes global, flow and queue; 7 of them are in reach.yaml."""


def _schema() -> str:
    def counters(names: Iterable[str]) -> str:
        line = "      {}: {{unit: packets, description: One of many.}}\n"
        return "    counters:\n" + "".join(map(line.format, names))

    return (
        f"scopes:\n  global:\n{counters(GLOBAL)}  flow:\n    max: {FLOWS}\n{counters(ROW)}"
        f"  queue:\n    parent: port\n    max: {QUEUES}\n{counters(ROW)}"
    )


def _header() -> str:
    def macro(name: str, items: Iterable[str]) -> str:
        return f"#define {name}(X) {' '.join(f'X({item})' for item in items)}\n"

    return macro("GLOBAL_ITEMS", GLOBAL) + macro("ROW_ITEMS", ROW)


def generate(folder: Path, tree: Tree = PROJECT) -> Path:
    """The schema in a folder, and in `out` all that is made of it."""
    shutil.copy(HERE / "reach.yaml", folder)
    (folder / "wide.yaml").write_text(_schema(), "utf-8")
    out = folder / "out"
    only = "c,mib,agentx,prometheus,docs"
    tree.succeed("build", folder / "reach.yaml", "-o", out, "--only", only)
    (out / "wide.h").write_text(_header(), "utf-8")
    return out


def build(folder: Path, out: Path, tree: Tree = PROJECT) -> Path:
    """The application."""
    made = Build(port="dpdk", parts=PARTS, flags=QUICK, tree=tree)
    shared().link(folder / "main", made, [HERE / "main.c", *sorted(out.glob("*.c"))], [out])
    return folder / "main"
