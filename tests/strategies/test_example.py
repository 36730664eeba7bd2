# SPDX-License-Identifier: BSD-3-Clause
"""docs/design.md, "Add a strategy": the example is two small files, and works."""

import re
from pathlib import Path

import pytest

from ctrgen.output.render import environment
from tests.run.variants import HEAP
from tests.support.capabilities import needs
from tests.support.cbuild import HEAP_WRAP, WARNINGS, Build, Workshop
from tests.support.paths import DOCS, EP, ROOT
from tests.support.planted import Tree, planted

PAGE = (
    (DOCS / "design.md")
    .read_text("utf-8")
    .partition("\n## Add a strategy\n")[2]
    .partition("\n## ")[0]
)
FILES: dict[str, str] = dict(re.findall(r"^```\w+ (templates/\S+)\n(.*?)^```$", PAGE, re.M | re.S))
"""The files that the page shows, by path."""
NAME = Path(next(iter(FILES))).parent.name
SOURCES = (ROOT / "tests" / "run" / "resets.c",)


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) <= 105
    assert [Path(path).name for path in FILES] == ["strategy.yaml", "update.j2"]
    assert sum(text.count("\n") for text in FILES.values()) <= 40


def test_every_question_is_explained() -> None:
    defaults = (ROOT / "templates" / "c" / "sync_defaults.j2").read_text("utf-8")
    outer = vars(environment().get_template("c/sync_defaults.j2").module)
    found = re.findall(r"{% macro ((\w+)\([^)]*\))", defaults)
    questions = [*(question for question, name in found if name in outer), "others(d, tx)"]
    assert 5 < len(questions) <= 10
    assert [question for question in questions if f"`{question}`" not in PAGE] == []


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """ctrgen with the example strategy added, and nothing else changed."""
    assert not any((ROOT / path).exists() for path in FILES)
    return planted(tmp_path / "site", added=FILES)


@needs("cc")
def test_the_example_works(tree: Tree, workshop: Workshop) -> None:
    assert f"\n{NAME}\n" in tree.succeed("strategies")
    build = Build(EP, NAME, SOURCES, HEAP, link=HEAP_WRAP, tree=tree)
    for test in ("resets", "epochs", "copies"):
        workshop.passes(build, test)


@pytest.mark.deep
@pytest.mark.parametrize("schema", ["upf", "router"])
def test_other_schemas_compile(tree: Tree, workshop: Workshop, schema: str) -> None:
    build = Build(EP.with_name(f"{schema}.yaml"), NAME, flags=("-O2", *WARNINGS), tree=tree)
    out = workshop.generated(build.schema, NAME, tree)
    assert workshop.objects(build, sorted(out.glob("*.c")), [out])
