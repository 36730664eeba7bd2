# SPDX-License-Identifier: BSD-3-Clause
"""The only Jinja2 environment. A misspelt value is an error (StrictUndefined); free text reaches C
only through the filters registered here."""

import contextlib
import functools
import hashlib
import json
import operator
import os
import re
import stat
import sys
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.parser import Parser

from .. import __version__
from ..model.naming.c import escape_comment, escape_string
from ..model.naming.lines import filled
from ..model.naming.smi import quoted

COLUMNS = 72
"""Width of a wrapped comment line, prefix included."""

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")

SWITCH = "CTRGEN_NO_CACHE"
"""Environment variable that turns the cache off."""


def wrap(text: str, prefix: str = "", first: str | None = None, width: int = COLUMNS) -> str:
    """Wrap `text` to `width` columns, every line after `prefix` (the first after `first`). Blank
    lines separate paragraphs and are kept. A word longer than a line stays whole."""
    start, paragraphs = prefix if first is None else first, []
    for paragraph in _PARAGRAPHS.split(text.strip()):
        paragraphs.append(filled(paragraph.split(), width, start, prefix))
        start = prefix
    return f"\n{prefix.rstrip()}\n".join(paragraphs)


def meson_string(text: str) -> str:
    """`text` as a quoted meson string."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def deeper(text: str, levels: int) -> str:
    """Lines of C, `levels` tabs further in."""
    tabs = "\t" * levels
    return f"{tabs}{text[:-1]}".replace("\n", f"\n{tabs}") + text[-1:] if text else ""


def fields(values: Mapping[str, object]) -> str:
    """Designated initialisers of C for members that are not 0, as many on a line as fit."""
    lines = [""]
    for name, value in values.items():
        if value:
            field = f" .{name} = {'true' if value is True else value},"
            if lines[-1] and len(lines[-1]) + len(field) > 93:
                lines.append("")
            lines[-1] += field
    return "".join(f"\t{line[1:]}\n" for line in lines)


FILTERS = {
    "comment": escape_comment,
    "cstring": escape_string,
    "deeper": deeper,
    "fields": fields,
    "json": functools.partial(json.dumps, ensure_ascii=False),
    "meson_string": meson_string,
    "smi_string": quoted,
    "suffixed": operator.add,
    "wrap": wrap,
}
"""Every filter that templates have beyond Jinja2's own."""


class Put(Extension):
    """`{% put EXPRESSION %}`: whole lines of text, such as those of a macro, on a line of its own.
    Unlike with `{{ }}`, nothing is left of the line when the text is empty."""

    tags = {"put"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """The tag as an output node."""
        line = next(parser.stream).lineno
        return nodes.Output([parser.parse_expression()], lineno=line)


class Calls(jinja2.runtime.Context):
    """Calls functions and macros directly: none of them asks for the context, as Jinja2 offers."""

    def call(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
        """The result of `function`."""
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return function(*arguments, **named)


class TemplateCache(jinja2.FileSystemBytecodeCache):
    """Compiled templates, cached between runs: compiling them is most of what a build takes.
    Anything wrong with the cache is as if it were empty."""

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Copies of ctrgen share what is compiled: a bucket knows the text that it is of."""
        return super().get_cache_key(name)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill `bucket` from its file, if there is a sound one."""
        with contextlib.suppress(OSError, EOFError, ValueError, TypeError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the file of `bucket`, whole or not at all."""
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


def template_cache() -> TemplateCache | None:
    """The cache in this user's own cache folder, or None when there can be no safe one. Its files
    are named by the versions of this file, of Python and of Jinja2."""
    if os.environ.get(SWITCH):
        return None
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        if not base.is_absolute():
            return None
        tag = hashlib.sha256(Path(__file__).read_bytes())
        tag.update(f"{__version__} {jinja2.__version__} {sys.version}".encode())
        folder = base / "ctrgen"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        mine = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        if not mine or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return None  # another user could change what is in it
        return TemplateCache(str(folder), f"template-{tag.hexdigest()[:16]}-%s")
    except (OSError, RuntimeError):  # no home folder, or not a writable one
        return None


@functools.cache
def environment() -> jinja2.Environment:
    """The environment of the built-in templates, made once. A third party with templates of its own
    takes `environment().overlay(loader=...)` and passes the text to `normalise`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(resources.files("ctrgen.templates"))),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        optimized=False,  # there is little to work out, and all of the templates to search for it
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=template_cache(),
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols", Put],
    )
    environment.filters.update(FILTERS)
    environment.context_class = Calls
    return environment


def normalise(text: str) -> str:
    """`text` without trailing white space or doubled blank lines, ending in one newline."""
    while " \n" in text or "\t\n" in text:
        text = text.replace(" \n", "\n").replace("\t\n", "\n")
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n").rstrip() + "\n"


def render(template_name: str, /, **context: Any) -> str:
    """The text that a template such as `c/header.h.j2` gives for `context`, normalised.
    Raises jinja2.TemplateError for a fault in the template."""
    return normalise(environment().get_template(template_name).render(context))
