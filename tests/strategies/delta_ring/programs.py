# SPDX-License-Identifier: BSD-3-Clause
"""Programs about rings of what lcores add."""

from pathlib import Path

from tests.run.variants import HARNESS, HEAP, program
from tests.support import wide
from tests.support.cbuild import Build, shared
from tests.support.strategies import settings

HERE = Path(__file__).parent


def _shared(variant: str) -> tuple[str, ...]:
    """Whether several lcores have one ring."""
    return (f"-DSHARED={int(settings(variant).get('mode', 'spsc') != 'spsc')}",)


ringed = program("ring", folder=HERE, schema="coalesced", own_flags=_shared)
"""Rings, in all their ways."""
polled = program("poller", folder=HERE, plain=HEAP, wrap=("ctr_port_control_start",))
"""The control thread of the library."""


def widest() -> Path:
    """A schema with an update of as many arguments as there may be."""
    return shared().once("wide.yaml", lambda path: path.write_text(wide.update(60), "utf-8"))


def largest(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about rings and that update."""
    return Build(widest(), variant, (HERE / "largest.c",), HARNESS, port)
