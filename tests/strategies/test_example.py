# SPDX-License-Identifier: BSD-3-Clause
"""docs/design.md, "Add a strategy": the example is two small files, and works."""

import re
import subprocess
from pathlib import Path

import pytest

from ctrgen.output.render import environment
from tests.support.capabilities import needs
from tests.support.cbuild import WARNINGS
from tests.support.paths import DOCS, EP, ROOT
from tests.support.planted import Edit, Tree, planted
from tests.support.process import succeed

PAGE = (
    (DOCS / "design.md")
    .read_text("utf-8")
    .partition("\n## Add a strategy\n")[2]
    .partition("\n## ")[0]
)
FILES: dict[str, str] = dict(re.findall(r"^```\w+ (templates/\S+)\n(.*?)^```$", PAGE, re.M | re.S))
"""The files that the page shows, by path."""
NAME = Path(next(iter(FILES))).parent.name
CHECK = Path(__file__).with_name("check.c")
STRICT = ("-std=gnu11", "-O2", *WARNINGS)


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


def compiled(tree: Tree, folder: Path, name: str) -> Path:
    """The program that fails where counts are lost."""
    flags = tree.succeed("runtime", "--cflags", "--sources", "--libs").split()
    assert str(tree.path) in flags[0]
    words = (CHECK, folder / "ep" / "ep_stats.c", f"-I{folder / 'ep'}", *flags)
    succeed("cc", *STRICT, *words, "-o", folder / name)
    return folder / name


@needs("cc")
def test_the_example_works(tree: Tree, tmp_path: Path) -> None:
    assert f"\n{NAME}\n" in tree.succeed("strategies")
    tree.succeed("build", EP, "-o", tmp_path / "ep", "--sync", NAME)
    program = compiled(tree, tmp_path, "check")
    for _ in range(3):
        assert succeed(program) == "3000000 packets, 300000000 bytes\n"


@pytest.mark.deep
@pytest.mark.slow
@needs("cc")
def test_the_program_can_fail(tmp_path: Path) -> None:
    """A reset that begins no new epoch returns counts twice; other schemas compile as well."""
    bug = Edit("runtime/src/core/reset.c", "ctr_rebase64(base64, *value64)", "*value64")
    tree = planted(tmp_path / "site", [bug], FILES)
    for name in ("upf", "router"):
        schema, out = ROOT / "schemas" / f"{name}.yaml", tmp_path / name
        tree.succeed("build", schema, "-o", out, "--sync", NAME)
        flags = tree.succeed("runtime", "--cflags").split()
        succeed("cc", *STRICT, *flags, "-c", out / f"{name}_stats.c", "-o", tmp_path / "x.o")
    tree.succeed("build", EP, "-o", tmp_path / "ep", "--sync", NAME)
    wrong = compiled(tree, tmp_path, "wrong")
    assert any(subprocess.run([wrong], check=False).returncode != 0 for _ in range(20))
