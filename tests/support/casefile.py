# SPDX-License-Identifier: BSD-3-Clause
"""A test case in one file: its input files, and the text that is expected.

A line `-- NAME --` starts the file NAME, as in Go's txtar. `-- NAME < OTHER --` starts what turns
OTHER, a file of the case or one beside it, into NAME: hunks of a unified diff without context.
"""

from __future__ import annotations

import atexit
import difflib
import functools
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

EXPECTED = "expected.txt"
_PART = re.compile(r"^-- (\S+)(?: < (\S+))? --\n", re.MULTILINE)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n", re.MULTILINE)


def read(path: Path) -> dict[str, str]:
    """The texts of a case's files, by name."""
    _, *found = _PART.split(path.read_text("utf-8"))
    parts: dict[str, str] = {}
    for name, other, text in zip(found[::3], found[1::3], found[2::3], strict=True):
        if other:
            before = parts[other] if other in parts else (path.parent / other).read_text("utf-8")
            text = patched(before, text)
        parts[name] = text
    return parts


def write(path: Path, parts: Mapping[str, str], others: Mapping[str, str]) -> None:
    """Write a case; a file of `others` as what it differs in from the file named there, where that
    is shorter."""
    whole = ""
    for name, text in parts.items():
        head, body = f"-- {name} --\n", text
        if (other := others.get(name)) is not None:
            before = parts[other] if other in parts else (path.parent / other).read_text("utf-8")
            hunks = difference(before, text)
            if len(hunks) < len(text):
                head, body = f"-- {name} < {other} --\n", hunks
        whole += head + body
    path.write_text(whole, encoding="utf-8")


def difference(before: str, after: str) -> str:
    """The hunks of a unified diff without context."""
    old, new = before.splitlines(True), after.splitlines(True)
    return "".join([*difflib.unified_diff(old, new, n=0)][2:])


def patched(before: str, hunks: str) -> str:
    """A text with hunks applied; each must fit."""
    lines, shift = before.splitlines(True), 0
    _, *found = _HUNK.split(hunks)
    for first, count, body in zip(found[::3], found[1::3], found[2::3], strict=True):
        removed = [line[1:] for line in body.splitlines(True) if line[0] == "-"]
        added = [line[1:] for line in body.splitlines(True) if line[0] == "+"]
        at = int(first) + shift - (count != "0")
        assert lines[at : at + len(removed)] == removed, f"the hunk at {first} does not fit"
        lines[at : at + len(removed)] = added
        shift += len(added) - len(removed)
    return "".join(lines)


@functools.cache
def folder(path: Path) -> Path:
    """A temporary folder with the files of a case, not to be changed."""
    made = Path(tempfile.mkdtemp(prefix="ctrgen-case-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    for name, text in read(path).items():
        (made / name).write_text(text, encoding="utf-8")
    return made
