# SPDX-License-Identifier: BSD-3-Clause
"""Shared libraries find what belongs to a thread without a call, and can be loaded at run time."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.machine import code
from tests.support import process
from tests.support.capabilities import needs
from tests.support.paths import ROOT
from tests.support.strategies import LOSSY, STRATEGIES, UNLIKE, usually

HERE = Path(__file__).parent
CALL = re.compile("tls_get_addr|TLSGD|TLSLD|TLSDESC", re.IGNORECASE)
"""Calls that find a variable of a thread, or what the linker puts there."""
THREADS, TIMES = 3, 10_000

pytestmark = pytest.mark.slow


def flags(strategy: str) -> tuple[str, ...]:
    return (*runtimeinfo.cflags("posix"), f"-I{ROOT / 'generated' / strategy}", "-fPIC")


def sources(strategy: str) -> list[Path]:
    """What a library of an application consists of."""
    runtime = [Path(path) for path in runtimeinfo.sources("posix")]
    return [HERE / "library.c", ROOT / "generated" / strategy / "ep_stats.c", *runtime]


def calls(target: code.Target, folder: Path, strategy: str, *more: str) -> Iterator[str]:
    """The lines of the disassembly that look for a thread's variable with a call."""
    for source in sources(strategy):
        made = code.compiled(target, source, folder / f"{source.stem}.o", (*flags(strategy), *more))
        text = process.succeed(target.objdump, "-dr", made)
        yield from (f"{source.name}: {line}" for line in text.splitlines() if CALL.search(line))


@pytest.mark.one_in(30)
@pytest.mark.parametrize("target", code.TARGETS, ids=lambda t: f"{t.arch}-{t.compiler}")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_call_finds_what_belongs_to_a_thread(
    tmp_path: Path, target: code.Target, strategy: str
) -> None:
    if not target.there:
        pytest.skip("not installed")
    assert list(calls(target, tmp_path, strategy)) == []


@pytest.mark.one_in(4)
@pytest.mark.parametrize("target", code.TARGETS, ids=lambda t: f"{t.arch}-{t.compiler}")
def test_the_scan_sees_calls(tmp_path: Path, target: code.Target) -> None:
    if not target.there:
        pytest.skip("not installed")
    assert any(calls(target, tmp_path, "per_core", "-DCTR_DYNAMIC_TLS"))


@pytest.mark.one_in(2)
@needs("gcc")
@pytest.mark.parametrize("model", ["", "-DCTR_DYNAMIC_TLS"])
@pytest.mark.parametrize("strategy", usually(STRATEGIES, UNLIKE))
def test_a_running_process_loads_a_library(tmp_path: Path, strategy: str, model: str) -> None:
    """Its threads, which were there before the library, count like others."""
    made = tmp_path / "libep.so"
    words = [*flags(strategy), *filter(None, [model]), *sources(strategy)]
    process.succeed("gcc", "-O2", "-std=gnu11", "-shared", *words, "-pthread", "-o", made)
    loads = [sys.executable, "-m", "tests.machine.loads"]
    counted = int(process.succeed(*loads, made, THREADS, TIMES))
    assert counted == THREADS * TIMES or (strategy in LOSSY and counted)
