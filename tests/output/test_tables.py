# SPDX-License-Identifier: BSD-3-Clause
"""Tables for a terminal, and for what is none."""

import sys

import pytest

from ctrgen.output.tables import grid

HEADER = ("name", "a figure", "words")
ROWS = [("x", "1.50", "some [bold]words[/] :smile:"), ("longer", "12", "")]


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "CLICOLOR_FORCE"])
def test_a_pipe_gets_plain_text_of_any_width(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    assert grid(HEADER, ROWS, right=[1]) == (
        "name    a figure  words\n"
        "------- --------- ---------------------------\n"
        "x           1.50  some [bold]words[/] :smile:\n"
        "longer        12\n"
    )
    wide = grid(HEADER, [("x" * 300, "1", "word " * 300)])
    assert len(wide.splitlines()) == 3


def test_a_terminal_gets_a_head_and_lines_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    text = grid(HEADER, [("x" * 20, "1", "word " * 30)], right=[1])
    assert "\x1b[1m" in text.splitlines()[0]
    lines = text.splitlines()[1:]
    assert max(map(len, lines)) <= 60 and "x" * 20 in lines[1]
    assert " ".join(text.split()).count("word") == 31
