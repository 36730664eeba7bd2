# SPDX-License-Identifier: BSD-3-Clause
"""Programs of the example schemas: their applications, and lives with allocations that fail."""

from pathlib import Path

from tests.run.variants import HEAP, HERE
from tests.support.cbuild import HEAP_WRAP, OPTIMISED, Build
from tests.support.paths import ROOT
from tests.support.strategies import LOSSY, STRATEGIES

APPS = ROOT / "schemas" / "apps"
SCHEMAS = ("ep", "upf", "router")
DYNAMIC = {"upf": "session_create"}
CASES = [(s, n) for s in SCHEMAS for n in STRATEGIES if s != "upf" or n not in LOSSY]
"""Schemas under every strategy that keeps what they require."""


def path(schema: str) -> Path:
    return ROOT / "schemas" / f"{schema}.yaml"


def application(schema: str, port: str, flags: tuple[str, ...]) -> Build:
    """The application that counts made-up packets of a schema, and checks itself."""
    common = APPS / "common"
    sources = (APPS / schema / "main.c", common / "app.c", common / f"app_{port}.c")
    return Build(path(schema), None, sources, port=port, flags=flags)


def failures(
    schema: str, sync: str | None, port: str = "posix", flags: tuple[str, ...] = OPTIMISED
) -> Build:
    """The program that has each allocation fail in turn."""
    name = f"{schema}_stats"
    more = [f"-DMODULE={name}", f'-DHEADER="{name}.h"']
    more += [f"-DCREATE={DYNAMIC[schema]}"] if schema in DYNAMIC else []
    sources = (HERE / "failures.c",)
    return Build(path(schema), sync, sources, HEAP, port, flags=(*flags, *more), link=HEAP_WRAP)
