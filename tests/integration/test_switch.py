# SPDX-License-Identifier: BSD-3-Clause
"""One field is the whole switch: complete programs of the pages and the example applications, as
they are, under every strategy that their schemas allow. Each prints what it prints under its
schema's own strategy, and does so too if its loops go on without traffic (`idle.h`): then each call
of `P_flush()` is 1,024 calls of `P_burst_end()`, no thread unregisters, and none drains for others.
"""

import functools
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import chosen_sync
from ctrgen.pipeline.check import check
from tests.docs.test_docs import blocks, files
from tests.integration.apps import CAPTURE, EAL, ep_command
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import QUICK, Build, key, shared
from tests.support.paths import DOCS, ROOT
from tests.support.process import run
from tests.support.strategies import LOSSY, STRATEGIES, promise

pytestmark = [pytest.mark.slow, pytest.mark.native]

IDLE = Path(__file__).with_name("idle.h")
IDLED = ("ctr_module_flush", "ctr_poller_start", "ctr_thread_unregister", "pthread_key_create")
"""What that has in place of the functions of the runtime and of the C library."""
PAIR = (*EAL, "--lcores=(0-1)@0", "--vdev=net_null0", "--vdev=net_null1")


class Program(NamedTuple):
    """A program: paths below the project, or files that a page shows (`PAGE.md/NAME`)."""

    schema: str
    sources: tuple[str, ...]
    port: str = "posix"
    words: tuple[str, ...] = ()
    differs: str = r"(?!)"
    """Lines that differ from run to run, or say what only some strategies keep."""
    parts: tuple[str, ...] = ()
    """Of the runtime."""


COMMON = tuple(f"schemas/apps/common/app{part}.c" for part in ("", "_posix"))
STARTER = "templates/init/stats.yaml"
LCORES = r"^lcore \d"
"""What single lcores have counted, under strategies that keep it."""

PROGRAMS = {
    "init": Program(STARTER, ("templates/init/main.c",), differs="^so far: "),
    "report": Program(STARTER, ("guide.md/report.c",)),
    "gw": Program("guide.md/gw.yaml", ("guide.md/gw.c",)),
    "upf": Program("schemas/upf.yaml", ("schemas/apps/upf/main.c", *COMMON)),
    "router": Program("schemas/router.yaml", ("schemas/apps/router/main.c", *COMMON)),
    "live": Program(
        "schemas/ep.yaml", ("schemas/apps/ep/live.c", "schemas/apps/ep/live_posix.c", *COMMON),
        words=("--", "--segment", "live.seg", "--rate", "1000000"), differs=r"^\d",
        parts=("openmetrics", "segment"),
    ),
    "l2fwd": Program("guide.md/l2fwd.yaml", ("guide.md/l2fwd.c",), "dpdk", PAIR, LCORES),
    "ep": Program(
        "schemas/ep.yaml", ("schemas/apps/ep/main.c",), "dpdk", differs=
        r"counted by|  (taken|remainder|counted) |^    (lcore|not kept apart)",
    ),
}  # fmt: skip


def at(name: str) -> Path:
    """The file of a program."""
    page, _, file = name.partition("/")
    if not page.endswith(".md"):
        return ROOT / name
    text = (DOCS / page).read_text("utf-8")
    return shared().once(f"{page}-{key(text)}", lambda to: files(page, to)) / file


def allowed(program: Program, strategy: str) -> bool:
    """Whether a schema can be under a strategy; `requires` is all that may refuse it."""
    checked = check(str(at(program.schema)), chosen_sync(strategy))
    rules = {found.rule for found in checked.diagnostics.findings}
    assert checked.module is not None or "requires-unmet" in rules, rules
    return checked.module is not None


def link(program: Program, out: Path, idle: bool) -> Path:
    """The program with what was generated into a folder."""
    (source,) = out.glob("*_stats.c")
    prefix, wraps = source.stem, []
    sources = [*map(at, program.sources), source]
    if idle:
        text = f'#include "{prefix}.h"\n#define BURST_END {prefix}_burst_end\n#include "{IDLE}"\n'
        sources.append(shared().once(f"idle-{prefix}.c", lambda to: to.write_text(text)))
        wraps = [f"-Wl,--wrap={name}" for name in IDLED]
    wraps += [flag for part in program.parts for flag in runtimeinfo.PARTS[part]]
    build = Build(port=program.port, parts=program.parts, flags=QUICK, link=tuple(wraps))
    folders = [out, *{source.parent for source in sources}]
    name = f"switch-{key(program, out, idle)}"
    return shared().once(name, lambda target: shared().link(target, build, sources, folders))


def printed(program: Program, binary: Path, folder: Path, lossy: bool = False) -> str:
    """What a program prints, except for what differs anyway. It exits with 1 if it counts wrong."""
    shutil.copy(CAPTURE, folder)
    ep = program.sources[0].endswith("ep/main.c")
    command = ep_command(binary) if ep else [binary, *program.words]
    env = {"RUNTIME_DIRECTORY": str(folder)}
    done = run(*command, cwd=folder, env=env, merged=True, timeout=120, input="stop\n")
    assert done.returncode == 0 or (lossy and done.returncode == 1), done.stdout
    lines = done.stdout.splitlines()
    return "\n".join(line for line in lines if not re.search(program.differs, line))


@functools.cache
def expected(name: str, folder: Path) -> str:
    """What a program prints under its schema's own strategy."""
    program = PROGRAMS[name]
    out = shared().generated(at(program.schema), None)
    return printed(program, link(program, out, idle=False), folder)


def cases() -> list[object]:
    """Every program under every strategy; usually those under which readers see updates later."""
    return [
        pytest.param(
            name, strategy, marks=[
                *([] if late(strategy) and PROGRAMS[name].port == "posix" else [pytest.mark.deep]),
                *([pytest.mark.dpdk, needs_dpdk] if PROGRAMS[name].port == "dpdk" else []),
            ]
        )
        for name in PROGRAMS for strategy in STRATEGIES
    ]  # fmt: skip


def late(strategy: str) -> bool:
    """Whether readers see updates some time after them."""
    return promise(strategy, "propagation") != "store"


@pytest.mark.one_in(1)
@pytest.mark.parametrize(("name", "strategy"), cases())
def test_nothing_but_the_field_changes(name: str, strategy: str, tmp_path: Path) -> None:
    """A strategy that loses counts is only to end."""
    program, lossy = PROGRAMS[name], strategy in LOSSY
    if not allowed(program, strategy):
        return
    out = shared().generated(at(program.schema), strategy)
    for idle in (False, True):
        found = printed(program, link(program, out, idle), tmp_path, lossy)
        assert lossy or found == expected(name, tmp_path), f"idle: {idle}"


@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("name", ["upf", "router"])
def test_on_dpdk_an_application_prints_the_same(name: str, tmp_path: Path) -> None:
    main, common, _ = PROGRAMS[name].sources
    sources = (main, common, "schemas/apps/common/app_dpdk.c")
    program = PROGRAMS[name]._replace(sources=sources, port="dpdk")
    binary = link(program, shared().generated(at(program.schema), None), idle=False)
    assert printed(program, binary, tmp_path) == expected(name, tmp_path)


@pytest.mark.parametrize("strategy", [s for s in STRATEGIES if late(s)])
def test_a_burst_end_that_flushes_nothing_is_seen(strategy: str, tmp_path: Path) -> None:
    """Planted: it only reports."""
    program = PROGRAMS["init"]
    out = shared().generated(at(program.schema), strategy)
    planted = Path(shutil.copytree(out, tmp_path / "planted"))
    header = planted / "app_stats.h"
    parts = header.read_text("utf-8").split("ctr_module_burst_end(&app_stats_state);")
    header.write_text("ctr_quiescent();".join(parts), "utf-8")
    assert len(parts) == 2
    as_it_is = printed(program, link(program, planted, idle=False), tmp_path)
    assert as_it_is == expected("init", tmp_path)
    done = run(link(program, planted, idle=True), cwd=tmp_path, timeout=120)
    assert done.returncode == 1 and done.stdout != as_it_is


FORMER = re.compile(r"\b(?!ctr_)\w+_(?:quiescent|hint_flush|try_flush)\(")
"""Calls that P_burst_end() and P_flush() stand for now."""


def test_bursts_end_in_one_way() -> None:
    """In what pages show, examples, what `ctrgen init` writes and ports of other applications."""
    texts = {
        path.name: "".join(block.text for block in blocks(path.relative_to(DOCS).as_posix()))
        for path in DOCS.rglob("*.md")
    }
    for folder in ("schemas/apps", "templates/init", "tests/field"):
        texts |= {str(path): path.read_text("utf-8") for path in (ROOT / folder).rglob("*.[c]*")}
    ending = [name for name, text in texts.items() if "_burst_end()" in text]
    assert len(ending) >= 8
    assert [name for name, text in texts.items() if FORMER.search(text)] == []


def test_a_former_call_is_seen() -> None:
    assert FORMER.search("\tl2_stats_quiescent();") and FORMER.search("+app_stats_hint_flush();")
    assert not FORMER.search("ctr_quiescent(); ctr_quiescent_offline(); app_stats_flush();")
