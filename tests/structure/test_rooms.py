# SPDX-License-Identifier: BSD-3-Clause
"""The rooms of generator/: imports run one way, and nothing lies beside them."""

import re
from pathlib import Path

import pytest

from tests.structure.imports import arrows, imports, offences
from tests.support.paths import ROOT

ROOMS = """
    commands tools pipeline backends output frontends publish model findings
"""
ORDER = ROOMS.split()
"""From the highest room to the lowest: a file imports from its own room and those behind it."""


ARROWS = 30
"""Most pairs of rooms of which one imports from the other."""


def test_imports_run_one_way() -> None:
    found = offences(ROOT / "generator", "ctrgen", ORDER)
    assert not found, "\n".join(found)


def test_rooms_know_few_others() -> None:
    found = arrows(imports(ROOT / "generator", "ctrgen"))
    assert len(found) <= ARROWS, sorted(found)


def test_only_two_files_lie_beside_the_rooms() -> None:
    names = sorted(path.name for path in (ROOT / "generator").glob("*.py"))
    assert names == ["__init__.py", "__main__.py"]


def test_the_page_draws_the_same_order() -> None:
    page = (ROOT / "docs" / "design.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)/` \|", page, re.MULTILINE)[: len(ORDER)] == ORDER


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A sound package of two rooms."""
    root = tmp_path / "generator"
    for name, text in {
        "__init__.py": "",
        "__main__.py": "from .upper.verb import run\n",
        "upper/__init__.py": "",
        "upper/verb.py": "from ..lower import facts\nfrom .words import WORDS\n",
        "upper/words.py": "WORDS = ()\n",
        "lower/__init__.py": "from .facts import FACT\n",
        "lower/facts.py": "FACT = 1\n",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert offences(root, "ctrgen", ["upper", "lower"]) == []
    return root


def test_an_arrow_is_counted_once(house: Path) -> None:
    assert arrows(imports(house, "ctrgen")) == {("upper", "lower")}
    (house / "lower" / "more.py").write_text("from ..upper import verb, words\n")
    assert arrows(imports(house, "ctrgen")) == {("upper", "lower"), ("lower", "upper")}


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        (
            "lower/facts.py",
            "from ..upper.words import WORDS\n",
            ["lower/facts.py:1: lower.facts imports upper.words: lower is below upper"],
        ),
        (
            "lower/facts.py",
            "def f():\n    from ctrgen.upper import words\n",
            ["lower/facts.py:2: lower.facts imports upper.words: lower is below upper"],
        ),
        (
            "lower/facts.py",
            "import ctrgen.upper.words\n",
            ["lower/facts.py:1: lower.facts imports upper.words: lower is below upper"],
        ),
        (
            "upper/words.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import verb\n",
            [
                "upper/verb.py:2: upper.verb imports upper.words, which comes back to it",
                "upper/words.py:3: upper.words imports upper.verb, which comes back to it",
            ],
        ),
        ("stray.py", "", ["stray.py: a file beside the rooms"]),
        ("attic/__init__.py", "", ["attic: a room without a place in the order"]),
        ("lower/long.py", "pass\n" * 401, ["lower/long.py: 401 lines, more than 400"]),
    ],
    ids=["up", "up in a function", "up absolute", "circle", "stray", "room", "long"],
)
def test_an_offence_is_seen(house: Path, path: str, text: str, wanted: list[str]) -> None:
    place = house / path
    place.parent.mkdir(exist_ok=True)
    place.write_text(text)
    found = offences(house, "ctrgen", ["upper", "lower"])
    assert found == [f"{house}/{line}" for line in wanted]
