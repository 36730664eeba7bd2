# SPDX-License-Identifier: BSD-3-Clause
"""Tables of `./dev bench --peers`: every pattern and strategy, and what cells say."""

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


def test_every_pattern_and_every_strategy_is_on_the_page() -> None:
    """Another table takes the place of the one that is there; without a place is an error."""
    table = TEXT.partition(page.BEGIN)[2].partition(page.END)[0]
    first = [line.split("|")[1].strip() for line in table.splitlines() if "|" in line]
    assert list(map(page.label, page.names())) == first[2:], "run ./dev bench --peers"
    assert page.renewed(TEXT, table.strip("\n") + "\n") == TEXT
    with pytest.raises(ValueError, match="no place for the table: write '<!-- peers -->'"):
        page.renewed(TEXT.replace(page.BEGIN, ""), table)


def test_what_cells_say() -> None:
    tables = {**dict(page.tables(invented(), "")), "summary": page.summary(invented())}
    vpp = "| VPP, combined counters | "
    cells = {
        name: text.split(vpp)[1].split(" |\n")[0] for name, text in tables.items() if vpp in text
    }
    errors = "10 % | 0.25 % lost, 6.2 % twice | counter; 25 %"
    assert cells["cost, instances: 1"] == " | ".join(["2.00 (1.50 to 2.50)"] * 3)
    assert cells["behaviour"] == f"{errors} | 24 | 144"
    assert cells["readers"] == "40 | 200 (150 to 250)"
    assert cells["summary"] == f"{errors} | 144 | 2.00 | 2.00 | 2.00 | 200"
    assert f"| `{INEXACT}` | 10 %, by design |" in tables["behaviour"]
    assert "| Linux, u64_stats on 64 bits | 10 % | no reset |" in tables["behaviour"]
    assert "\n| the loop without it | 2.00 (1.50 to 2.50) |" in tables["cost, instances: 1,000,000"]


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
