# SPDX-License-Identifier: BSD-3-Clause
"""The template environment: strict, and tidy about white space."""

from __future__ import annotations

import jinja2
import pytest

from ctrgen.render import environment, meson_string, normalise, wrap


def test_an_unknown_value_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        environment().from_string("{{ no_such_value }}").render()


def test_nothing_is_escaped_behind_our_back() -> None:
    assert environment().from_string("{{ text }}").render(text="a < b & c") == "a < b & c"


def test_normalise() -> None:
    assert normalise("\n\n a \t\n\n\n\n\tb  \n\n\n") == " a\n\n\tb\n"
    assert normalise("") == "\n"


def test_wrap() -> None:
    text = "Packets that were received, counted before any check of what is in them. " * 2
    lines = wrap(text, " * ").split("\n")
    assert len(lines) > 2 and all(line.startswith(" * ") for line in lines)
    assert all(len(line) <= 72 for line in lines)
    assert " ".join(line[3:] for line in lines).split() == text.split()


def test_wrap_keeps_paragraphs_and_long_words() -> None:
    word = "x" * 100
    assert wrap(f"one\n\n{word}", " * ", "/** ") == f"/** one\n *\n * {word}"
    assert wrap("", " * ") == " *"


def test_meson_string() -> None:
    assert meson_string("it's \\") == "'it\\'s \\\\'"
