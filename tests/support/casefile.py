# SPDX-License-Identifier: BSD-3-Clause
"""Test cases in files of many: the input files of each, and the text that is expected.

`== CASE ==` starts a case; `-- NAME --` starts its file NAME, as in Go's txtar.
`-- NAME < OTHER --` starts hunks of a unified diff without context that turn OTHER into NAME. OTHER
is a file of the case, a file `CASE/NAME` of another one, or a file in the folder.
"""

from __future__ import annotations

import atexit
import difflib
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

EXPECTED = "expected.txt"
_CASE = re.compile(r"^== (\S+) ==\n", re.MULTILINE)
_PART = re.compile(r"^-- (\S+)(?: < (\S+))? --\n", re.MULTILINE)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n", re.MULTILINE)


class Cases:
    """The cases of the files `*.case` in a folder, which are not to change while it is in use."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, Path] = {}

    @cached_property
    def _parts(self) -> dict[str, tuple[Path, dict[str, tuple[str, str]]]]:
        """Of each case its file, and of the files in it OTHER, if any, and the text."""
        found: dict[str, tuple[Path, dict[str, tuple[str, str]]]] = {}
        for path in sorted(self.root.glob("*.case")):
            head, *split = _CASE.split(path.read_text("utf-8"))
            assert not head, f"{path.name} does not begin with a case"
            for name, text in zip(split[::2], split[1::2], strict=True):
                assert name not in found, f"there are two cases {name}"
                before, *parts = _PART.split(text)
                assert not before, f"{name} does not begin with a file"
                texts = zip(parts[1::3], parts[2::3], strict=True)
                found[name] = path, dict(zip(parts[::3], texts, strict=True))
        return found

    def names(self) -> list[str]:
        """Every case, sorted."""
        return sorted(self._parts)

    def read(self, name: str) -> dict[str, str]:
        """The texts of a case's files, by name."""
        return {file: self.text(name, file) for file in self._parts[name][1]}

    def text(self, name: str, file: str) -> str:
        """The text of a file of a case."""
        other, text = self._parts[name][1][file]
        return patched(self._other(name, other), text) if other else text

    def _other(self, name: str, other: str) -> str:
        """What a file of a case is compared with."""
        if other in self._parts[name][1]:
            return self.text(name, other)
        case, _, file = other.partition("/")
        return self.text(case, file) if file else (self.root / other).read_text("utf-8")

    def folder(self, name: str) -> Path:
        """A temporary folder with the files of a case, not to be changed."""
        if name not in self._folders:
            self._folders[name] = made = Path(tempfile.mkdtemp(prefix="ctrgen-case-"))
            atexit.register(shutil.rmtree, made, ignore_errors=True)
            for file, text in self.read(name).items():
                (made / file).write_text(text, encoding="utf-8")
        return self._folders[name]

    def write(self, expected: Mapping[str, str], others: Mapping[str, Sequence[str]]) -> None:
        """Write the expected text of every case; its other files as what they differ in from one
        of those that `others` names for them, where that is shorter."""
        texts: dict[Path, str] = {}
        for name, (path, files) in self._parts.items():
            text = texts.get(path, "") + f"== {name} ==\n"
            text += "".join(
                self._shortest(name, file, others.get(file, ()))
                for file in files
                if file != EXPECTED
            )
            texts[path] = f"{text}-- {EXPECTED} --\n{expected[name]}"
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
        del self._parts

    def _shortest(self, name: str, file: str, others: Sequence[str]) -> str:
        """A file of a case, whole or as a difference."""
        text = self.text(name, file)
        ways = [f"-- {file} --\n{text}"]
        if f"{name}/{file}" not in others:
            ways += [
                f"-- {file} < {other} --\n{difference(self._other(name, other), text)}"
                for other in others
            ]
        return min(ways, key=lambda way: way.count("\n"))


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
