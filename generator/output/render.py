# SPDX-License-Identifier: BSD-3-Clause
"""The only Jinja2 environment: how templates become text.

A value that a template misspells is an error (StrictUndefined), nothing is
escaped behind the author's back, and free text reaches C only through the
filters registered here.
"""

from __future__ import annotations

import functools
import re
import textwrap
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

from ..model.naming.c import escape_comment, escape_string
from ..model.naming.smi import quoted
from .template_cache import template_cache

COLUMNS = 72
"""Width of a wrapped comment line, prefix included."""

_BLANK_LINES = re.compile(r"\n{3,}")


def wrap(text: str, prefix: str = "", first: str | None = None, width: int = COLUMNS) -> str:
    """Wrap `text` to `width` columns, every line behind `prefix` (the first behind `first`).

    Blank lines separate paragraphs and are kept; other white space is folded.
    A word longer than a line stays whole.
    """
    lines: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", text.strip()):
        if lines:
            lines.append(prefix.rstrip())
        room = textwrap.TextWrapper(
            width=width,
            initial_indent=first if first is not None and not lines else prefix,
            subsequent_indent=prefix,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += room.wrap(paragraph) or [room.initial_indent.rstrip()]
    return "\n".join(lines)


def meson_string(text: str) -> str:
    """`text` as a quoted meson string."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def deeper(text: str, levels: int) -> str:
    """Lines of C, `levels` tabs further in."""
    return "".join("\t" * levels + line if line.strip() else line for line in text.splitlines(True))


def suffixed(text: str, suffix: str) -> str:
    """`text` with `suffix` behind it, for `map`."""
    return text + suffix


FILTERS = {
    "comment": escape_comment,
    "cstring": escape_string,
    "deeper": deeper,
    "meson_string": meson_string,
    "smi_string": quoted,
    "suffixed": suffixed,
    "wrap": wrap,
}
"""Every filter that templates have beyond Jinja2's own."""


class Put(Extension):
    """`{% put EXPRESSION %}`: whole lines of text, such as a macro gives, on a line of its own.

    Unlike `{{ }}`, the line of the tag leaves nothing behind when the text is empty.
    """

    tags = {"put"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """The tag as an output node."""
        line = next(parser.stream).lineno
        return nodes.Output([parser.parse_expression()], lineno=line)


@functools.cache
def environment() -> jinja2.Environment:
    """The environment of the built-in templates, made once.

    A third party with templates of its own takes
    `environment().overlay(loader=...)` and passes the text to `normalise`.
    """
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(resources.files("ctrgen.templates"))),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=template_cache(Path(__file__)),
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols", Put],
    )
    made.filters.update(FILTERS)
    return made


def normalise(text: str) -> str:
    """`text` without trailing white space or doubled blank lines, ending in one newline."""
    stripped = "\n".join([line.rstrip() for line in text.split("\n")])
    return _BLANK_LINES.sub("\n\n", stripped.strip("\n")) + "\n"


def render(template_name: str, /, **context: Any) -> str:
    """The text that a template gives for `context`, normalised.

    `template_name` is relative to templates/, such as `c/header.h.j2`.
    Raises jinja2.TemplateError for a fault in the template.
    """
    return normalise(environment().get_template(template_name).render(context))
