# SPDX-License-Identifier: BSD-3-Clause
"""A strategy that is added by adding a folder: what its words hold is asked of it alone."""

from pathlib import Path

import pytest

from tests.compile.hostile_names import compile_errors
from tests.run.mutants import GET, READ_SLOWLY
from tests.run.variants import HERE, ep, few, zoo
from tests.support.cbuild import Workshop
from tests.support.paths import EP, ROOT
from tests.support.planted import Edit, Tree, planted
from tests.support.strategies import LOCKING

DOUBLED = HERE / "doubled"
"""Its words do not hold the values: it tells who reads a word without asking it."""

pytestmark = pytest.mark.slow


def files(folder: Path) -> dict[str, str]:
    """The files of a strategy, and where they are put."""
    return {
        f"templates/c/sync/{folder.name}/{path.name}": path.read_text("utf-8")
        for path in folder.iterdir()
    }


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The packages with one folder more, and nothing else changed."""
    return planted(tmp_path_factory.mktemp("new"), added=files(DOUBLED))


def test_one_that_uses_a_header_of_the_library(workshop: Workshop, tmp_path: Path) -> None:
    """A strategy under another name, which no header knows."""
    found = files(ROOT / "templates/c/sync" / LOCKING).items()
    copied = {name.replace(LOCKING, "copied"): text for name, text in found}
    out = workshop.generated(EP, "copied", planted(tmp_path, added=copied))
    assert compile_errors(out, ["ep_stats"]) == ""


ASKED = ("resets", "epochs", "snapshot", "read_sections", "visible")
ASKED_OF_FLOWS = (
    "gauge_latches",
    "recycled",
    "nested",
    "never_reset",
)
OPTIONS = {"RESETS": 20_000, "BEFORE": 1, "PARTS": 0, "EPOCHS": 2000}


@pytest.mark.parametrize("test", ASKED)
def test_every_path_asks_what_a_word_holds(workshop: Workshop, tree: Tree, test: str) -> None:
    workshop.passes(ep(DOUBLED.name).but(tree=tree), test, **OPTIONS)


@pytest.mark.parametrize("test", ASKED_OF_FLOWS)
def test_every_path_of_dynamic_scopes_asks(workshop: Workshop, tree: Tree, test: str) -> None:
    workshop.passes(zoo(DOUBLED.name).but(tree=tree), test)


def test_snapshots_of_what_exists_ask(workshop: Workshop, tree: Tree) -> None:
    workshop.passes(few(DOUBLED.name).but(tree=tree), "few_of_many")


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
