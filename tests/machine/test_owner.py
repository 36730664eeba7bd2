# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots that lcores copy: an update costs the same, a report a load and a branch more."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.strategies.catalogue import all_strategies
from tests.machine import code
from tests.support.paths import EP, ROOT
from tests.support.planted import PROJECT
from tests.support.strategies import STRATEGIES

HERE = [target for target in code.TARGETS if target.there]
OWNED = [name for name in STRATEGIES if all_strategies()[name].owned]
WAYS = ("reader", "owner")
MOST = {"x86_64": 3, "aarch64": 4}
"""Instructions of a report, before its return, that look for a request."""

every_target = pytest.mark.parametrize(
    "target", HERE, ids=lambda target: f"{target.arch}-{target.compiler}"
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference schema's code under every strategy, with both kinds of snapshots."""
    folder = tmp_path_factory.mktemp("owner")
    text = EP.read_text("utf-8")
    head, tail = text[: text.index("\nsnmp:")], text[text.index("\nscopes:") :]
    for way in WAYS:
        schema = folder / f"{way}.yaml"
        schema.write_text(f"{head}\nsnapshots: {way}\n{tail}", "utf-8")
        for strategy in OWNED:
            out = folder / strategy / way
            PROJECT.succeed("build", schema, "-o", out, "--sync", strategy, "--only", "c")
    return folder


def functions(target: code.Target, out: Path, source: Path) -> dict[str, list[str]]:
    flags = (*runtimeinfo.cflags("posix"), f"-I{out}")
    return code.functions(target, code.compiled(target, source, out / "made.o", flags))


@pytest.mark.one_in(2)
@every_target
@pytest.mark.parametrize("strategy", OWNED)
def test_updates_are_the_same(folder: Path, target: code.Target, strategy: str) -> None:
    fast = ROOT / "tests/figures/fast.c"
    reader, owner = (functions(target, folder / strategy / way, fast) for way in WAYS)
    assert owner and owner == reader


@pytest.mark.one_in(2)
@every_target
def test_a_report_looks_for_a_request(folder: Path, target: code.Target) -> None:
    made = [functions(target, out, out / "ep_stats.c") for out in (folder / "per_core").iterdir()]
    short, long = sorted((code.hot(found["ep_stats_burst_end"]) for found in made), key=len)
    assert len(short) < len(long) <= len(short) + MOST[target.arch], (short, long)
