# SPDX-License-Identifier: BSD-3-Clause
"""A strategy is added by adding a folder: it is listed, built, compiled and right."""

from pathlib import Path

import pytest

from ctrgen.findings.usage import UsageError
from tests.compile.hostile_names import compile_errors
from tests.run.mutants import GET, READ_SLOWLY
from tests.run.variants import (
    EP_SOURCES,
    HERE,
    HISTOGRAM_TESTS,
    ON_DPDK,
    ZOO_SOURCES,
    ep,
    histograms,
    lives,
    zoo,
)
from tests.support.cbuild import Workshop
from tests.support.paths import EP, ROOT
from tests.support.planted import PACKAGES, Edit, Tree, planted
from tests.support.strategies import LOCKING, USUAL

FOLDER = HERE / "mutexed"
NAME = FOLDER.name
DOUBLED = HERE / "doubled"
"""Its words do not hold the values: it tells who reads a word without asking it."""
PAIRS = HERE / "sketches" / "pairs"
"""Each lcore has an instance, to which two counters at a time are added."""
OPTIONS = {"ROUNDS": 2000, "RESETS": 20_000, "READS": 100_000, "FLOWS": 2100}
EP_TESTS = [t for tests in EP_SOURCES.values() for t in tests if t not in ON_DPDK]
ZOO_TESTS = [t for tests in ZOO_SOURCES.values() for t in tests]
ATTEMPTS = 10
"""Chances for a bug of timing to show."""

pytestmark = pytest.mark.slow


def files(*folders: Path) -> dict[str, str]:
    """The files of strategies, and where they are put."""
    return {
        f"templates/c/sync/{folder.name}/{path.name}": path.read_text("utf-8")
        for folder in folders
        for path in folder.iterdir()
    }


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The packages with three folders more, and nothing else changed."""
    return planted(tmp_path_factory.mktemp("new"), added=files(FOLDER, DOUBLED, PAIRS))


@pytest.mark.native
def test_no_existing_file_differs(tree: Tree) -> None:
    """The tree has the files of the project, and those of the folders besides."""
    assert tree.path is not None
    ours = {
        Path("ctrgen") / target / path.relative_to(ROOT / source): path.read_bytes()
        for source, target in PACKAGES.items()
        for path in (ROOT / source).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    for path in tree.path.rglob("*"):
        relative = path.relative_to(tree.path)
        ours_too = path.is_file() and "__pycache__" not in path.parts
        if ours_too and not {NAME, DOUBLED.name, PAIRS.name} & set(path.parts):
            assert path.read_bytes() == ours[relative], relative


def run_ctrgen(tree: Tree, *words: str) -> str:
    """What a command prints that finds something wrong."""
    done = tree.run(*words)
    assert done.returncode in (1, 2), done
    return done.stdout + done.stderr


@pytest.mark.native
def test_it_is_listed_and_checked(tree: Tree, tmp_path: Path) -> None:
    text = tree.succeed("strategies")
    assert f"\n{NAME}\n  One instance behind a POSIX mutex" in text
    assert "tries: 0..100, default 2." in " ".join(text.split())
    schema = tmp_path / "ep.yaml"
    needs = f"sync: {NAME}\nrequires: {{reader: preemptible}}"
    schema.write_text(EP.read_text("utf-8").replace(f"sync: {USUAL}\n", needs + "\n"), "utf-8")
    done = run_ctrgen(tree, "check", str(schema))
    assert f"'{NAME}'" in done and USUAL in done, done
    done = run_ctrgen(tree, "check", str(EP), "--sync", f"{NAME}:tries=101")
    assert "tries" in done and "100" in done, done


@pytest.mark.native
def test_its_names_are_out_of_the_way(workshop: Workshop, tree: Tree, tmp_path: Path) -> None:
    """Users may have names of its local variables, and of its functions."""
    pkts = "counters: {pkts: {unit: packets, description: Packets.}}"
    text = f"ctrgen: 1\nmodule: ep\nsync: {NAME}\nscopes:\n  locked:\n    max: 3\n    {pkts}\n"
    schema = tmp_path / "locked.yaml"
    schema.write_text(
        f"{text}updates:\n  hit: {{args: {{tries: uint8}}, add: {{locked.pkts: tries}}}}\n"
    )
    out = workshop.generated(schema, NAME, tree)
    header = (out / "ep_stats.h").read_text("utf-8")
    assert " ep_stats_update_hit(uint32_t locked_index, uint8_t tries_arg)\n" in header
    assert compile_errors(out, ["ep_stats"]) == ""
    taken = tmp_path / "take.yaml"
    taken.write_text(text.replace("locked", "take"))
    out = workshop.generated(taken, NAME, tree)
    assert "ep_stats_take_own(" in "".join(path.read_text("utf-8") for path in out.glob("*.[ch]"))
    assert compile_errors(out, ["ep_stats"]) == ""


def test_one_that_uses_a_header_of_the_library(workshop: Workshop, tmp_path: Path) -> None:
    """A strategy under another name, which no header knows."""
    found = files(ROOT / "templates/c/sync" / LOCKING).items()
    copied = {name.replace(LOCKING, "copied"): text for name, text in found}
    out = workshop.generated(EP, "copied", planted(tmp_path, added=copied))
    assert compile_errors(out, ["ep_stats"]) == ""


@pytest.mark.parametrize("test", EP_TESTS)
def test_reference_schema(workshop: Workshop, tree: Tree, test: str) -> None:
    stopped = {"MOST": 2, "LEAST": 2} if test == "read_section" else {}  # it holds the mutex
    workshop.passes(ep(f"{NAME}:tries=5").but(tree=tree), test, **OPTIONS, **stopped)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("test", ZOO_TESTS)
def test_zoo(workshop: Workshop, tree: Tree, test: str) -> None:
    workshop.passes(zoo(NAME).but(tree=tree), test, **OPTIONS)


@pytest.mark.one_in(60)
@pytest.mark.parametrize("test", [test for test in EP_TESTS if test != "consistency"])
def test_reference_schema_in_pairs(workshop: Workshop, tree: Tree, test: str) -> None:
    workshop.passes(ep(PAIRS.name).but(tree=tree), test, **OPTIONS, PARTS=1)


@pytest.mark.deep
@pytest.mark.parametrize("test", ZOO_TESTS)
def test_zoo_in_pairs(workshop: Workshop, tree: Tree, test: str) -> None:
    workshop.passes(zoo(PAIRS.name).but(tree=tree), test, **OPTIONS)


@pytest.mark.one_in(15)
@pytest.mark.parametrize("test", [*HISTOGRAM_TESTS, "threads"])
def test_histograms_in_pairs(workshop: Workshop, tree: Tree, test: str) -> None:
    workshop.passes(histograms(PAIRS.name).but(tree=tree), test, OBSERVED=200_000)


def test_bills_in_pairs(workshop: Workshop, tree: Tree) -> None:
    workshop.passes(lives(PAIRS.name).but(tree=tree), "lives", LIVES=2000)


ASKED = ("conservation", "resets", "periods", "snapshot", "read_sections", "descriptor", "visible")
ASKED_OF_FLOWS = (
    "counter_of_32_bits",
    "gauge_latches",
    "recycled",
    "nested",
    "never_reset",
    "snapshot_of_some",
)


@pytest.mark.parametrize("test", ASKED)
def test_every_path_asks_what_a_word_holds(workshop: Workshop, tree: Tree, test: str) -> None:
    options = {**OPTIONS, "BEFORE": 1, "PARTS": 0, "PERIODS": 2000}
    workshop.passes(ep(DOUBLED.name).but(tree=tree), test, **options)


@pytest.mark.parametrize("test", ASKED_OF_FLOWS)
def test_every_path_of_dynamic_scopes_asks(workshop: Workshop, tree: Tree, test: str) -> None:
    workshop.passes(zoo(DOUBLED.name).but(tree=tree), test)


UNASKED = {
    "snapshot": Edit(READ_SLOWLY, "if (strategy->load != NULL)\n", "if (false)\n"),
    "read_sections": Edit(GET, "table->domain->strategy->get != NULL", "false"),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("test", UNASKED)
def test_a_path_that_does_not_ask_is_seen(workshop: Workshop, tmp_path: Path, test: str) -> None:
    """A read, or a getter, that takes the word for the value."""
    tree = planted(tmp_path, [UNASKED[test]], files(DOUBLED))
    done = workshop.attempt(ep(DOUBLED.name).but(tree=tree), test)
    assert done.returncode != 0 and "instead of" in done.stderr, done.stderr


BUGS = {
    "the-second-of-a-pair-is-lost": ("{{ some[1].value }}", "0"),
    "threads-without-an-lcore-id-add-plainly": ("tx.ops, fast.atomic", "tx.ops, d.sync.apply"),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_of_a_pair_is_seen(workshop: Workshop, tmp_path: Path, name: str) -> None:
    added, (old, new) = files(PAIRS), BUGS[name]
    path = "templates/c/sync/pairs/update.j2"
    assert old in added[path]
    tree = planted(tmp_path, added=added | {path: added[path].replace(old, new)})
    for _ in range(ATTEMPTS):
        if workshop.attempt(ep("pairs").but(tree=tree), "conservation", **OPTIONS).returncode != 0:
            return
    pytest.fail(f"{name}: it passes")


@pytest.mark.native
def test_it_is_unknown_without_its_folder(workshop: Workshop) -> None:
    with pytest.raises(UsageError, match=NAME):
        workshop.generated(EP, NAME)
