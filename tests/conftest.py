# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures that several folders of tests share."""

import collections
import gc
import os
import resource
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.field import sources
from tests.support import cbuild, forked
from tests.support.capabilities import PORTS
from tests.support.paths import ROOT
from tests.support.strategies import FOLDER, STRATEGIES, UNLIKE

gc.disable()  # what is collected lives as long as the run: pytest_collection_finish()

USUAL = 3
"""For so many strategies the numbers of `one_in` are: where there are more, each has tests of its
own, and all share the time that there is for what is the same."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also what takes long: 10^9 updates")
    parser.addoption(
        "--emulate",
        choices=cbuild.ARCHITECTURES,
        default="",
        help="programs of tests/run and of strategies, as those of another machine; nothing else",
    )
    parser.addoption(
        "--cpu", type=int, metavar="N", help="processor time of N folders, files and tests"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --emulate: only programs of the POSIX port, as they are. Deep tests with --long."""
    left = items
    if not config.getoption("--long"):
        left = sample(items)
    if config.getoption("--emulate"):
        here = (ROOT / "tests" / "run", *(FOLDER / name for name in STRATEGIES))
        left = [
            item
            for item in left
            if item.path.parent in here
            and not any(item.get_closest_marker(name) for name in ("dpdk", "native"))
        ]
    kept = set(map(id, left))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
    items[:] = left


def params(item: pytest.Item) -> dict[str, object]:
    """What a test is parametrized with."""
    return item.callspec.params if hasattr(item, "callspec") else {}


def among(item: pytest.Item) -> float:
    """How many times as many cases a test has as of USUAL strategies."""
    about = {"variant", "strategy"} & params(item).keys()
    return len(STRATEGIES) / USUAL if about else 1


def tuned(item: pytest.Item) -> bool:
    """Whether it is about a strategy with tunables."""
    return ":" in str(params(item).get("variant", ""))


def subject(item: pytest.Item) -> str:
    """The program or feature that a test is about, where it is parametrized with one."""
    given = params(item)
    return str(given.get("program", given.get("feature", "")))


def deep(item: pytest.Item) -> bool:
    """Whether a test is for --long alone: so are those on DPDK of strategies but UNLIKE. The
    library is the same for all, and has one port for each to call."""
    given = params(item)
    sync = given.get("variant", given.get("strategy", UNLIKE[0]))
    elsewhere = given.get("port") == "dpdk" and sync not in UNLIKE
    return elsewhere or item.get_closest_marker("deep") is not None


def sample(items: list[pytest.Item]) -> list[pytest.Item]:
    """Tests that are not deep: of those marked `one_in`, one in so many of each function and
    subject. Of those about strategies as many as of USUAL, and with tunables a quarter as many.
    """
    seen: collections.Counter[object] = collections.Counter()
    left = []
    for item in items:
        if deep(item):
            continue
        marker = item.get_closest_marker("one_in")
        step = round(marker.args[0] * among(item)) if marker is not None else 1
        step *= 4 if tuned(item) else 1
        place = (item.path, getattr(item, "originalname", item.name), subject(item), step)
        if seen[place] % step == 0:
            left.append(item)
        seen[place] += 1
    return left


def processor_time() -> float:
    """Seconds of user and system time of this process, ended children and verbs."""
    usages = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) + forked.seconds[0]


taken = [processor_time()]
"""Processor time up to the last report of a test."""


def pytest_collection_finish() -> None:
    """Garbage is collected from here on, without looking through 15,000 tests each time. Collecting
    counts for no test."""
    gc.freeze()
    gc.enable()
    taken[0] = processor_time()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to each report the processor time since the report before it, in the same process."""
    report = yield
    before, taken[0] = taken[0], processor_time()
    report.user_properties.append(("cpu", taken[0] - before))
    return report


def show_processor_time(terminalreporter: pytest.TerminalReporter, count: int) -> None:
    """Print which folders, files and tests took most, `count` of each."""
    totals: tuple[collections.Counter[str], ...] = tuple(collections.Counter() for _ in range(4))
    for report in (report for kind in terminalreporter.stats.values() for report in kind):
        file = getattr(report, "nodeid", "").partition("::")[0]
        for name, value in getattr(report, "user_properties", ()):
            if name == "cpu":
                places = ("", file.rpartition("/")[0], file, report.nodeid)
                for total, place in zip(totals, places, strict=True):
                    total[place] += value
    for total in totals:
        for place, seconds in total.most_common(count):
            terminalreporter.write_line(f"{seconds:8.1f} s of processor time {place}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Shows what tests have measured, whichever process ran them."""
    if count := terminalreporter.config.getoption("--cpu"):
        show_processor_time(terminalreporter, count)
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == "figures":
                terminalreporter.write_line(text)


@pytest.fixture(scope="session", autouse=True)
def workshop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> cbuild.Workshop:
    """Builds C programs; see tests/support/cbuild.py. All processes of a run share one folder."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    (folder / "workshop").mkdir(exist_ok=True)
    os.environ[cbuild.SHARED] = str(folder / "workshop")
    return cbuild.Workshop(folder / "workshop", request.config.getoption("--emulate"))


BUILDS = ("backends", "bench", "docs", "integration", "packaging", "pipeline", "strategies", "xdp")
"""Folders of tests about how programs are built; nobody asks how fast they are."""


@pytest.fixture(scope="session")
def once(workshop: cbuild.Workshop) -> dict[str, str]:
    """Variables with which ccache, where there is one, compiles each text once in a run."""
    if shutil.which("ccache") is None:
        return {}

    def links(folder: Path) -> None:
        (folder / "real").mkdir(parents=True)
        for name in ("cc", "c++", "gcc", "g++", "clang", "clang++"):
            if program := shutil.which(name):
                (folder / name).symlink_to(ROOT / "tests" / "support" / "cc.sh")
                (folder / "real" / name).symlink_to(program)

    path = os.pathsep.join((str(workshop.once("compilers", links)), os.environ["PATH"]))
    return {
        "PATH": path,
        "CCACHE_DIR": str(workshop.folder / "ccache"),
        "CCACHE_BASEDIR": str(workshop.folder.parent),
        "CCACHE_DISABLE": "1",  # of meson, which calls ccache by itself: ours is called once
    }


@pytest.fixture(autouse=True)
def cheap_builds(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, once: dict[str, str]
) -> None:
    """What build systems compile there is not optimised, and not compiled again."""
    if request.path.parent.name in BUILDS:
        for name, value in {"CFLAGS": "-O0", "CXXFLAGS": "-O0", **once}.items():
            monkeypatch.setenv(name, value)


@pytest.fixture(params=PORTS)
def port(request: pytest.FixtureRequest) -> str:
    """Both ports of the runtime; skips the DPDK one where there is no libdpdk."""
    return str(request.param)


@pytest.fixture(scope="session")
def examples() -> Path:
    """The folder of DPDK's examples; skips where its source cannot be had."""
    try:
        return sources.examples()
    except sources.NoSourceError as error:
        pytest.skip(f"no source of DPDK: {error}")
