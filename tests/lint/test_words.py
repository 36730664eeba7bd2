# SPDX-License-Identifier: BSD-3-Clause
"""Words that the field does not use are found wherever people read (tests/lint/words.py)."""

import pytest

from tests.lint import words

PLANTED = {
    "docstring": ("generator/x.py", '"""Reads it.\n\nNobody   waits."""\n', 3),
    "comment": ("generator/x.py", "x = 1\ny = 2  # what the\n# what a lcore has\n", 3),
    "message": ("generator/x.py", 'error(f"{name}: nobody has it")\n', 1),
    "comment of a template": ("templates/x.c.j2", "{# Read\n   anew. #}\n/* nobody */\n", 2),
    "C in a template": ("templates/x.c.j2", "anew = 1;\n/** Held\n * back. */\n", 2),
    "header": ("runtime/x.h", "/** Told once. */\nint told; /**< Of it. */\n", 1),
    "text of a program": ("runtime/x.c", 'int x;\nputs("nobody reads");\n', 2),
    "page": ("docs/x.md", "```c\nnobody();\n```\nThe `anew` of\nthat moment beside it.\n", 5),
    "schema": ("schemas/x.yaml", "a: b\nc: {description: Those that are gone.}\n", 2),
}


@pytest.mark.parametrize("where", PLANTED)
def test_a_planted_word_is_found(where: str) -> None:
    name, text, line = PLANTED[where]
    assert f"{name}:{line}:" in "".join(words.findings(name, text))


@pytest.mark.parametrize(
    "name, text",
    [
        ("generator/x.py", 'said = told["nobody"]  # a table\nx = re.compile(r"a nobody b")\n'),
        ("runtime/x.h", "int nobody; /* ctr_settled and told() of `anew` */\n"),
        ("docs/x.md", "`nobody` [guide](anew.md) <anew>\n\n```text\ntold\n```\n"),
        ("docs/x.md", "It is meant for readers. <!-- wording: ok -->\n"),
        ("CHANGELOG.md", "## [Unreleased]\n- New.\n\n## [0.1]\n- Told anew.\n"),
    ],
)
def test_names_code_and_what_is_allowed_are_not(name: str, text: str) -> None:
    assert [*words.findings(name, text)] == []


def test_there_are_files_of_all_kinds() -> None:
    found = {name.partition(".")[2] for name in words.files()}
    assert {"md", "py", "c", "h", "c.j2", "yaml"} <= found
