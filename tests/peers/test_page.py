# SPDX-License-Identifier: BSD-3-Clause
"""Results of `./dev bench --peers`: every pattern and strategy, with its source; their format."""

import re
import subprocess
import sys

import pytest

from tests.benchmarks.peers import build, page
from tests.benchmarks.peers.measured import Measured
from tests.support.capabilities import needs_dpdk
from tests.support.paths import ROOT
from tests.support.strategies import INEXACT

TEXT = page.PAGE.read_text("utf-8")
OF_ALL = ("behaviour", "cost-one", "cost-few", "cost-many", "readers")
PLACES = [(threads, instances) for threads in (1, 2, 4) for instances in (1, 1024, 1_000_000)]


def invented() -> Measured:
    """Figures of everything that is measured."""
    lines = []
    for name in ("none", *page.names()):
        lines.append(f"memory {name} 16 8")
        for threads, instances in PLACES:
            lines += [f"cost {name} {threads} {instances} {cycles}" for cycles in (3, 1, 2)]
            lines.append(f"counted {name} {threads} 1000 {900 if threads == 4 else 1000}")
        lines += [f"reads {name} 200 50 40 {tail}" for tail in (100, 300)]
        lines += [f"resets {name} 1000 {seen}" for seen in (1250, 990, 1000, 1000)]
    measured = Measured()
    measured.take(lines)
    return measured


def table(text: str, name: str) -> str:
    """What is between the marks of a table."""
    return text.split(f"<!-- peers: {name} -->\n")[1].split(f"<!-- end: {name} -->")[0]


def test_every_pattern_has_a_source() -> None:
    """With a repository, a commit, and files of it."""
    assert set(page.sources()) == {path.stem for path in build.PATTERNS} - {"none"}
    for name, of in page.sources().items():
        keys = {"title", "repository", "commit", "at", "exact", "read", "reset", "differs"}
        assert set(of) == keys, name
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", of["repository"]), name
        assert re.fullmatch("[0-9a-f]{40}", of["commit"]), name
        assert all(re.search(r"\w+/\S+\.(c|h)\b", place) for place in of["at"]), name
        assert of["read"] in ("update", "counter"), name
        assert of["reset"] in ("none", "lossless", "lossy"), name


@pytest.mark.parametrize("name", OF_ALL)
def test_every_pattern_and_every_strategy_is_on_the_page(name: str) -> None:
    first = [line.split("|")[1].strip() for line in table(TEXT, name).splitlines() if "|" in line]
    assert set(map(page.label, page.names())) <= set(first), f"run ./dev bench --peers: {name}"


def test_sources_are_as_on_the_page() -> None:
    """That table has no figures, so it can be compared."""
    assert table(TEXT, "sources").strip() == page.follows().strip(), (
        "run ./dev bench --peers --sources"
    )


def test_all_tables_are_written() -> None:
    """What is around them stays; a table without its place is an error with a hint."""
    written = TEXT
    for name, content in page.tables(invented(), "made on a machine\n"):
        written = page.renewed(written, name, content)
        assert table(written, name).strip() == content.strip()
        with pytest.raises(ValueError, match=f"no place for the table '{name}': write '<!-- peers"):
            page.renewed(TEXT.replace(f"<!-- end: {name} -->", ""), name, content)
    for name in page.TABLES:
        written = page.renewed(written, name, table(TEXT, name).strip() + "\n")
    assert written == TEXT


def test_what_cells_say() -> None:
    tables = dict(page.tables(invented(), ""))
    vpp = "| VPP, combined counters | "
    cells = {
        name: text.split(vpp)[1].split(" |\n")[0] for name, text in tables.items() if vpp in text
    }
    assert cells["cost-one"] == " | ".join(["2.00 (1.50 to 2.50)"] * 3)
    assert cells["behaviour"] == "10 % | 0.25 % lost, 6.2 % twice | counter; 25 % | 24 | 144"
    assert cells["readers"] == "40 | 200 (150 to 250)"
    assert f"| `{INEXACT}` | 10 %, by design |" in tables["behaviour"]
    assert "| Linux, u64_stats on 64 bits | 10 % | no reset |" in tables["behaviour"]
    assert "\n| the loop without it | 2.00 (1.50 to 2.50) |" in tables["cost-many"]


@pytest.mark.deep
@pytest.mark.native
@needs_dpdk
def test_the_page_can_be_made() -> None:
    """Built as for the page, with a round; to the terminal."""
    command = [sys.executable, "tests/benchmarks/peers/run.py", "--print", "1", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in page.names():
        assert done.stdout.count(f"| {page.label(name)} |") >= 3, name
