# SPDX-License-Identifier: BSD-3-Clause
"""Test cases in files of many: the input files of each, and the text that is expected.

`== CASE ==` starts a case with the text of its first file; `-- NAME --` starts its file NAME, as
in Go's txtar. `== CASE < OTHER ==` and `-- NAME < OTHER --` start hunks that turn OTHER into the
file: `N-TEXT` removes line N of OTHER, `N+TEXT` adds a line after line N; N is left out in the
further lines of a hunk. `-- NAME,NAME < OTHER --` are two files, the first of them as OTHER is.
OTHER is a file of the case, a CASE with a file of this name, a file
`CASE/NAME`, or a file in the folder. A lock file begins as that of the first build of a schema
OTHER.

`-- exit CODE --` starts expected.txt, whose last line is `exit CODE`. In it `PATH:LINE:FIRST-LAST:`
stands for `PATH:LINE:FIRST:` and two further lines: the line of PATH, and carets below its columns
from FIRST to LAST. Behind hunks the text needs no such line if CODE is 1 and it has an error, or 0
and it has none.
"""

import atexit
import difflib
import itertools
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

EXPECTED = "expected.txt"
_CASE = re.compile(r"^== (\S+)(?: < (\S+))? ==\n", re.MULTILINE)
_PART = re.compile(r"^-- (exit \d|\S+)(?: < (\S+))? --\n", re.MULTILINE)
_SAME = re.compile(r"^-- (\S+)( < \S+ --\n)-- (\S+)\2", re.MULTILINE)
"""A file as another one is, and a file that is compared with the same one."""
_HUNK = re.compile(r"^@@ -(\d+)")
_EDIT = re.compile(r"(\d*)([+-])")
_MARKED = re.compile(r"(\S+):(\d+):(\d+)-(\d+): ")
_PLACE = re.compile(r"\S+:\d+:\d+(-\d+)?: ")
_FINDING = re.compile(r"(\S+):(\d+):(\d+): ")


class Cases:
    """The cases of the files `*.case` in a folder, which are not to change while it is in use.
    `first` is the name of each case's first file."""

    def __init__(self, root: Path, first: str = "") -> None:
        self.root = root
        self.first = first
        self._folders: dict[str, Path] = {}

    @cached_property
    def _parts(self) -> dict[str, tuple[Path, dict[str, tuple[str | None, str]]]]:
        """Of each case its file, and of the files in it OTHER, if any, and the text."""
        found: dict[str, tuple[Path, dict[str, tuple[str | None, str]]]] = {}
        for path in sorted(self.root.glob("*.case")):
            head, *split = _CASE.split(path.read_text("utf-8"))
            assert not head, f"{path.name} does not begin with a case"
            for name, other, text in zip(split[::3], split[1::3], split[2::3], strict=True):
                assert name not in found, f"there are two cases {name}"
                before, *parts = _PART.split(text)
                assert self.first or not before, f"{name} does not begin with a file"
                files = {self.first: (other, before)} if before or other else {}
                for given, part_other, part in zip(*[iter(parts)] * 3, strict=True):
                    *same, file = given.split(",")
                    files |= {**dict.fromkeys(same, (part_other, "")), file: (part_other, part)}
                found[name] = path, dict(_with_expected(files))
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
        if file == EXPECTED:
            return marked(text, self._inputs(name))
        return patched(self._other(name, file, other), text) if other else text

    def _inputs(self, name: str) -> dict[str, str]:
        return {file: self.text(name, file) for file in self._parts[name][1] if file != EXPECTED}

    def _other(self, name: str, file: str, other: str) -> str:
        """What a file of a case is compared with."""
        if file.endswith(".lock") and other.endswith(".yaml"):
            return first_lock(other.rpartition("/")[2], self._other(name, "", other))
        if other in self._parts[name][1]:
            return self.text(name, other)
        if other in self._parts:
            return self.text(other, file)
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
        for name, (path, _) in self._parts.items():
            inputs = self._inputs(name)
            parts = [self._shortest(name, file, others.get(file, ())) for file in inputs]
            if not inputs or not parts[0].startswith("== "):
                parts.insert(0, f"== {name} ==\n")
            body, _, code = expected[name].rpartition("exit ")
            hunks = " < " in parts[-1].partition("\n")[0]
            if not (hunks and body and code == f"{_code(body)}\n"):
                parts.append(f"-- exit {code.rstrip()} --\n")
            shown = _SAME.sub(r"-- \1,\3\2", "".join(parts)) + unmarked(body, inputs)
            texts[path] = texts.get(path, "") + shown
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
        del self._parts

    def _shortest(self, name: str, file: str, others: Sequence[str]) -> str:
        """A file of a case, whole or as a difference."""
        text = self.text(name, file)
        head = f"== {name}" if file == self.first else f"-- {file}"
        ways = [f"{head} {head[:2]}\n{text}"] if text else [f"-- {file} --\n"]
        ways += [
            f"{head} < {other} {head[:2]}\n{difference(self._other(name, file, other), text)}"
            for other in self._bases(name, file, others)
        ]
        return min(ways, key=lambda way: way.count("\n"))

    def _bases(self, name: str, file: str, others: Sequence[str]) -> Iterator[str]:
        """Those of `others` that there are, and that are not compared with this file themselves."""
        others_too = name not in others and f"{name}/{file}" not in others
        for other in others:
            case = other.partition("/")[0]
            elsewhere = case in self._parts or (self.root / other).exists()
            if other in self._parts[name][1] or (others_too and elsewhere):
                yield other


def first_lock(name: str, schema: str) -> str:
    """The lock file that the first build of a schema writes; none if there are errors."""
    # Only here, so that fuzzing can instrument them before they are imported.
    from ctrgen.pipeline.check import check
    from ctrgen.publish import lock
    from ctrgen.publish.assign import assign

    module = check(name, read=lambda _: schema.encode()).module
    return lock.text(assign(module, None).lock, name) if module else ""


def _with_expected(
    files: Mapping[str, tuple[str | None, str]],
) -> Iterator[tuple[str, tuple[str | None, str]]]:
    """The files of a case; what follows hunks, or `exit CODE`, is the expected text."""
    for file, (other, text) in files.items():
        if file.startswith("exit "):
            yield EXPECTED, (None, f"{text}{file}\n")
            continue
        lines = text.splitlines(True)
        hunks = "".join(itertools.takewhile(_EDIT.match, lines)) if other else text
        yield file, (other, hunks)
        if shown := text[len(hunks) :]:
            assert _PLACE.match(shown), f"neither a hunk nor a finding: {shown}"
            yield EXPECTED, (None, f"{shown}exit {_code(shown)}\n")


def _code(shown: str) -> int:
    """The exit code of most commands that print this."""
    return int(": error[" in shown)


def difference(before: str, after: str) -> str:
    """The hunks that turn one text into another."""
    old, new = before.splitlines(True), after.splitlines(True)
    text, at = "", ""
    for line in [*difflib.unified_diff(old, new, n=0)][2:]:
        hunk = _HUNK.match(line)
        text += "" if hunk else at + line
        at = hunk[1] if hunk else ""
    return text


def patched(before: str, hunks: str) -> str:
    """A text with hunks applied; each must fit."""
    lines, at, shift = before.splitlines(True), 0, 0
    for line in hunks.splitlines(True):
        edit = _EDIT.match(line)
        assert edit, f"neither added nor removed: {line}"
        text = line[edit.end() :]
        if edit[1]:
            at = int(edit[1]) + shift - (edit[2] == "-")
        if edit[2] == "-":
            assert lines[at : at + 1] == [text], f"the hunk at {at - shift + 1} does not fit"
            del lines[at]
            shift -= 1
        else:
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
