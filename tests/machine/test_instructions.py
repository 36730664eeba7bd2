# SPDX-License-Identifier: BSD-3-Clause
"""How many instructions an update takes, and that none of them waits for another on arm64."""

import platform
import re
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.model.strategies.catalogue import all_strategies
from tests.machine import code
from tests.support import process
from tests.support.paths import ROOT
from tests.support.planted import PROJECT
from tests.support.strategies import FACTS, STRATEGIES, fact

HERE = Path(__file__).parent

MOST = fact("instructions")
THREAD_POINTER = {"x86_64": "%fs:", "aarch64": "tpidr_el0"}
CALLS = {"x86_64": "call", "aarch64": "bl"}
MODELS = ("-fno-pie", "-fPIE", "-fPIC", "-flto")
MORE, MORE_OF_ADDRESSES = 3, 6
"""Instructions that other models than the first may take more; without a pointer, for addresses of
the module's variables, and with a lock's."""
WHOLE = (
    "-w", "-rdynamic", "-nostdlib", "-Wl,--unresolved-symbols=ignore-all,-e,hot_set_link_up",
)  # fmt: skip
"""A program of the updates, of which nothing else is looked at."""
MACHINES = ("x86-64", "x86-64-v3", *(["native"] if platform.machine() == "x86_64" else []))

pytestmark = pytest.mark.slow


def made(target: code.Target, folder: Path, strategy: str, *flags: str) -> Path:
    """The reference schema's updates, each a function, as a program has them."""
    words = (*runtimeinfo.cflags("posix"), f"-I{ROOT / 'generated' / strategy}", *flags, "-fPIE")
    return code.compiled(target, ROOT / "tests/figures/fast.c", folder / "fast.o", words)


@pytest.mark.one_in(1)
@pytest.mark.parametrize("machine", MACHINES)
@code.each("x86_64")
@pytest.mark.parametrize("strategy", MOST)
def test_an_update_takes_so_many_instructions(
    target: code.Target, tmp_path: Path, strategy: str, machine: str
) -> None:
    found = code.functions(target, made(target, tmp_path, strategy, f"-march={machine}"))
    lines = code.hot(found["hot_update_packet"])[:-1]
    assert len(lines) <= MOST[strategy], "\n".join(lines)


def bodies(target: code.Target, folder: Path, strategy: str, model: str) -> list[list[str]]:
    """Three updates as a code model has them; with -flto, as a linked program has them."""
    out, fast = ROOT / "generated" / strategy, ROOT / "tests/figures/fast.c"
    words = (*runtimeinfo.cflags("posix"), f"-I{out}", model)
    program = folder / f"program{model}"
    if model == "-flto":
        sources = (fast, *out.glob("*.c"), ROOT / "runtime/src/core/ctr_slots.c")
        process.succeed(
            *target.command, "-O3", "-std=gnu11", *words, *WHOLE, *sources, "-o", program
        )
    else:
        code.compiled(target, fast, program, words)
    found = code.functions(target, program)
    names = ("hot_update_packet", "hot_inc_total_pkts", "hot_session_add_bytes")
    # clang keeps the function, and jumps.
    jumps = (re.match(r"(?:jmp|b) \S+ <(\w+)>$", found[name][0]) for name in names)
    return [found[to[1] if to else name] for name, to in zip(names, jumps, strict=True)]


@pytest.mark.one_in(0.8)
@code.each()
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_code_models_and_link_time_optimisation(
    target: code.Target, tmp_path: Path, strategy: str
) -> None:
    """A few instructions more at most. With a pointer, an update finds its copy by one access to
    what belongs to the thread, and jumps where there is nothing yet."""
    plain, *others = (bodies(target, tmp_path, strategy, model) for model in MODELS)
    pointed = FACTS[strategy].pointer
    for lines, *rest in zip(plain, *others, strict=True):
        most = len(code.hot(lines)) + (MORE if pointed else MORE_OF_ADDRESSES)
        for other in rest:
            assert len(code.hot(other)) <= most, "\n".join(other)
        for one in (lines, *rest) if pointed else ():
            finds = [line for line in one if THREAD_POINTER[target.arch] in line]
            assert len(finds) == 1, "\n".join(one)
            calls = [line for line in one if line.split()[0] == CALLS[target.arch]]
            # A delta cache swaps its entries in a call.
            assert all_strategies()[strategy].held or calls == [], "\n".join(one)


@pytest.mark.one_in(4)
@code.each("aarch64")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_load_waits_for_a_store_of_the_update_before(
    tmp_path: Path, strategy: str, target: code.Target
) -> None:
    """A load with acquire waits for earlier stores with release. Only a lock's own load does."""
    PROJECT.succeed("build", HERE / "flows.yaml", "-o", tmp_path, "--sync", strategy, "--only", "c")
    flags = (*runtimeinfo.cflags("posix"), f"-I{tmp_path}")
    made = code.compiled(target, HERE / "flows.c", tmp_path / "flows.o", flags)
    lines = code.functions(target, made)["path_two"]
    got = code.shape(target, lines)
    assert not re.search("r[ls]*a(?!x)", got), "\n".join([got, *lines])
