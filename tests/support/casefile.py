# SPDX-License-Identifier: BSD-3-Clause
"""Test cases in files of many: the input files of each, and the text that is expected.

`== CASE ==` starts a case with the text of its first file; `-- NAME --` starts its file NAME, as
in Go's txtar. `== CASE < OTHER ==` and `-- NAME < OTHER --` start hunks that turn OTHER into the
file: `N=TEXT` puts TEXT in the place of line N of OTHER, `N-TEXT` removes that line, `N+TEXT` adds
a line after it; N is left out in the further lines of a hunk. `-- NAME,NAME < OTHER --` are two
files, the first of them as OTHER is. OTHER is a file of the case, a CASE with a file of this name,
a file `CASE/NAME`, or a file in the folder. A lock file begins as that of the first build of a
schema OTHER.

The first finding, or `-- exit CODE --`, starts the expected text. In it `PATH:LINE:FIRST-LAST:`
stands for `PATH:LINE:FIRST:` and two further lines: the line of PATH, and carets below its columns
from FIRST to LAST. Without `-- exit CODE --`, CODE is 1 if there is an error, and 0 if not.
"""

import atexit
import re
import shutil
import tempfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

_CASE = re.compile(r"^(== (\S+)(?: < (\S+))? ==\n)", re.MULTILINE)
_PART = re.compile(r"^-- (\S+)(?: < (\S+))? --\n", re.MULTILINE)
_EXPECTED = re.compile(r"^-- exit (\d) --\n|^(?=\S+:\d+:\d+(?:-\d+)?: )", re.MULTILINE)
_EDIT = re.compile(r"(\d*)([-+=])")
_MARKED = re.compile(r"(\S+):(\d+):(\d+)-(\d+): ")
_FINDING = re.compile(r"(\S+):(\d+):(\d+): ")


class _Case(NamedTuple):
    """A case: where it is, what is written there before the expected text, and what that says."""

    path: Path
    written: str
    files: dict[str, tuple[str | None, str]]
    """OTHER, if any, and the text of each input file."""
    shown: str
    code: int


class Cases:
    """The cases of the files `*.case` in a folder, which are not to change while it is in use.
    `first` is the name of each case's first file."""

    def __init__(self, root: Path, first: str = "") -> None:
        self.root = root
        self.first = first
        self._folders: dict[str, Path] = {}

    @cached_property
    def _cases(self) -> dict[str, _Case]:
        found: dict[str, _Case] = {}
        for path in sorted(self.root.glob("*.case")):
            before, *split = _CASE.split(path.read_text("utf-8"))
            assert not before, f"{path.name} does not begin with a case"
            for head, name, other, text in zip(*[iter(split)] * 4, strict=True):
                assert name not in found, f"there are two cases {name}"
                found[name] = self._case(path, head, other, text)
        return found

    def _case(self, path: Path, head: str, other: str | None, text: str) -> _Case:
        start = _EXPECTED.search(text)
        written, shown = (text[: start.start()], text[start.end() :]) if start else (text, "")
        first, *parts = _PART.split(written)
        assert self.first or not first, f"a case of {path.name} does not begin with a file"
        files = {self.first: (other, first)} if first or other else {}
        for given, part_other, part in zip(*[iter(parts)] * 3, strict=True):
            *same, file = given.split(",")
            files |= {**dict.fromkeys(same, (part_other, "")), file: (part_other, part)}
        code = int(start[1]) if start and start[1] else _code(shown)
        return _Case(path, head + written, files, shown, code)

    def names(self) -> list[str]:
        """Every case, sorted."""
        return sorted(self._cases)

    def read(self, name: str) -> dict[str, str]:
        """The texts of a case's input files, by name."""
        return {file: self.text(name, file) for file in self._cases[name].files}

    def expected(self, name: str) -> str:
        """The text that is expected of a case, and its exit code."""
        case = self._cases[name]
        return f"{marked(case.shown, self.read(name))}exit {case.code}\n"

    def text(self, name: str, file: str) -> str:
        """The text of an input file of a case."""
        other, text = self._cases[name].files[file]
        return patched(self._other(name, file, other), text) if other else text

    def _other(self, name: str, file: str, other: str) -> str:
        """What a file of a case is compared with."""
        if file.endswith(".lock") and other.endswith(".yaml"):
            return first_lock(other.rpartition("/")[2], self._other(name, "", other))
        if other in self._cases[name].files:
            return self.text(name, other)
        if other in self._cases:
            return self.text(other, file)
        case, _, file = other.partition("/")
        return self.text(case, file) if file else (self.root / other).read_text("utf-8")

    def folder(self, name: str) -> Path:
        """A temporary folder with the input files of a case, not to be changed."""
        if name not in self._folders:
            self._folders[name] = made = Path(tempfile.mkdtemp(prefix="ctrgen-case-"))
            atexit.register(shutil.rmtree, made, ignore_errors=True)
            for file, text in self.read(name).items():
                (made / file).write_text(text, encoding="utf-8")
        return self._folders[name]

    def write(self, expected: Mapping[str, str]) -> None:
        """Write the expected text of every case."""
        texts: dict[Path, str] = {}
        for name, case in self._cases.items():
            body, _, code = expected[name].rpartition("exit ")
            usual = body and code == f"{_code(body)}\n"
            shown = "" if usual else f"-- exit {code.rstrip()} --\n"
            shown += unmarked(body, self.read(name))
            texts[case.path] = texts.get(case.path, "") + case.written + shown
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
        del self._cases


def first_lock(name: str, schema: str) -> str:
    """The lock file that the first build of a schema writes; none if there are errors."""
    # Only here, so that fuzzing can instrument them before they are imported.
    from ctrgen.pipeline.check import check
    from ctrgen.publish import lock
    from ctrgen.publish.assign import assign

    module = check(name, read=lambda _: schema.encode()).module
    return lock.text(assign(module, None).lock, name) if module else ""


def _code(shown: str) -> int:
    """The exit code of most commands that print this."""
    return int(": error[" in shown)


def patched(before: str, hunks: str) -> str:
    """A text with hunks applied; each must fit."""
    lines, at, shift = before.splitlines(True), 0, 0
    for line in hunks.splitlines(True):
        edit = _EDIT.match(line)
        assert edit, f"neither a hunk nor a finding: {line}"
        text, sign = line[edit.end() :], edit[2]
        if edit[1]:
            at = int(edit[1]) + shift - (sign in "-=")
        if sign == "-":
            assert lines[at : at + 1] == [text], f"the hunk at {at - shift + 1} does not fit"
        if sign in "-=":
            del lines[at]
            shift -= 1
        if sign in "+=":
            lines.insert(at, text)
            at, shift = at + 1, shift + 1
    return "".join(lines)


def marked(text: str, files: Mapping[str, str]) -> str:
    """An expected text with the lines of the files that it marks, and carets below the columns."""
    shown = ""
    for line in text.splitlines(True):
        found = _MARKED.match(line)
        if found:
            path, number, first, last = found[1], *map(int, found.groups()[1:])
            source = files[path].split("\n")[number - 1]
            pad = "".join("\t" if char == "\t" else " " for char in source[: first - 1])
            line = f"{path}:{number}:{first}: {line[found.end() :]}"
            line += f"{source}\n{pad}{'^' * (last - first + 1)}\n"
        shown += line
    return shown


def unmarked(text: str, files: Mapping[str, str]) -> str:
    """The expected text that `marked` shows as this one; where it cannot, the text as it is."""
    lines, short = text.splitlines(True), ""
    while lines:
        found = _FINDING.match(lines[0])
        if found and int(found[2]) <= files.get(found[1], "").count("\n"):
            last = int(found[3]) + "".join(lines[2:3]).count("^") - 1
            way = f"{found[0][:-2]}-{last}: {lines[0][found.end() :]}"
            if marked(way, files) == "".join(lines[:3]):
                short += way
                del lines[:3]
                continue
        short += lines.pop(0)
    return short
