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
from tests.support.cbuild import Build, shared
from tests.support.paths import ROOT
from tests.support.strategies import LOSSY, STRATEGIES, UNLIKE, USUAL, usually

HERE = Path(__file__).parent
CALL = re.compile("tls_get_addr|TLSGD|TLSLD|TLSDESC", re.IGNORECASE)
"""Calls that find a variable of a thread, or what the linker puts there."""
THREADS, TIMES = 3, 10_000

pytestmark = pytest.mark.slow


def sources(strategy: str) -> list[Path]:
    """What a library of an application has of its own."""
    return [HERE / "library.c", ROOT / "generated" / strategy / "ep_stats.c"]


def calls(target: code.Target, runtime: list[Path], strategy: str, *more: str) -> Iterator[str]:
    """The lines of the disassembly that look for a thread's variable with a call, of these sources
    of the runtime and of those of an application."""
    arch, (_, *words) = target.arch.replace("x86_64", ""), target.command
    build = Build(compiler=target.compiler, arch=arch, flags=("-O3", "-fPIC", *words, *more))
    own = sources(strategy)
    for made in shared().objects(build, [*runtime, *own], [own[-1].parent]):
        text = process.succeed(target.objdump, "-dr", made)
        yield from (f"{made.name}: {line}" for line in text.splitlines() if CALL.search(line))


@pytest.mark.one_in(30)
@code.each()
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_call_finds_what_belongs_to_a_thread(target: code.Target, strategy: str) -> None:
    assert list(calls(target, runtimeinfo.sources("posix"), strategy)) == []


@pytest.mark.one_in(4)
@code.each()
def test_the_scan_sees_calls(target: code.Target) -> None:
    assert any(calls(target, [], USUAL, "-DCTR_DYNAMIC_TLS"))


@pytest.mark.one_in(2)
@needs("gcc")
@pytest.mark.parametrize("model", ["", "-DCTR_DYNAMIC_TLS"])
@pytest.mark.parametrize("strategy", usually(STRATEGIES, UNLIKE))
def test_a_running_process_loads_a_library(tmp_path: Path, strategy: str, model: str) -> None:
    """Its threads, which are there before and after the library, count like others."""
    made, own = tmp_path / "libep.so", sources(strategy)
    build = Build(flags=("-O3", "-fPIC", *filter(None, [model])), link=("-shared",))
    shared().link(made, build, own, [own[-1].parent])
    loads = [sys.executable, "-m", "tests.machine.loads"]
    counted = int(process.succeed(*loads, made, THREADS, TIMES))
    assert counted == THREADS * TIMES or (strategy in LOSSY and counted)
