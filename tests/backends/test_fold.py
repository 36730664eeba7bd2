# SPDX-License-Identifier: BSD-3-Clause
"""Long lines of generated C are broken where a person would, and nowhere else."""

import pytest

from ctrgen.backends.c.fold import COLUMNS, fold
from tests.support.paths import GENERATED
from tests.support.strategies import STRATEGIES

NAME = "a_rather_long_name_of_a_function_in_some_module"


def width(line: str) -> int:
    return len(line.expandtabs(8))


def test_short_lines_stay() -> None:
    text = "\tint x;\n/** Short. */\n"
    assert fold(text) == text


def test_parameters_go_to_the_next_line() -> None:
    line = f"{NAME}(struct some_instance *self, uint32_t session, struct some_session *last)"
    head, tail = fold(line).split("\n")
    assert head.endswith(",") and tail.startswith("\t\t")
    assert f"{head} {tail.strip()}" == line


@pytest.mark.parametrize("between", [", ", " = ", " + ", " f(x) ", "][", r" \", ", r" \" = "])
def test_strings_are_not_broken(between: str) -> None:
    string = f'"{between.join(["word"] * 30)}"'
    assert string in fold(f"\tcall({NAME}, {string});")


def test_comments_become_blocks() -> None:
    assert fold("/** " + "word " * 30 + "*/").startswith("/** word")
    moved = fold(f"\tuint64_t {NAME}; /**< {'word ' * 12}*/").split("\n")
    assert moved[0].startswith("\t/** word") and moved[1] == f"\tuint64_t {NAME};"


def test_generated_files_keep_to_the_width() -> None:
    """Those under every strategy; test_generated.py compares them with what is generated."""
    files = [*GENERATED.glob("*/*.[ch]")]
    assert len(files) >= 2 * len(STRATEGIES)
    for path in files:
        long = [line for line in path.read_text().split("\n") if width(line) > COLUMNS]
        assert [line for line in long if not line.startswith("#error")] == [], path
