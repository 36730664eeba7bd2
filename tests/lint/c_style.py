# SPDX-License-Identifier: BSD-3-Clause
"""The style of the C in runtime/ and generated/, and of what the example schemas give, by
clang-format and .clang-format.

`python -m tests.lint.c_style` prints what differs and ends with 1. How far a
continuation line is indented is free, as long as it is with tabs; lines have at
most 100 columns. Lines of generated code end where they like.
"""

import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ctrgen.pipeline.build import BuildRequest, build
from tests.support.paths import ROOT, SCHEMAS

FOLDERS = ("runtime", "generated")
COLUMNS = 100
_ENDS = re.compile(r" +\\$", re.MULTILINE)
"""Where lines of a macro end: how far from its text is up to the longest line."""


def findings(text: str, formatted: str, dense: bool = False) -> Iterator[tuple[int, str]]:
    """Line numbers of `text` with what is wrong there; lines that are `dense` end anywhere."""
    lines, wanted = (_ENDS.sub(r" \\", code).splitlines() for code in (text, formatted))
    for number, line in enumerate(lines, 1):
        if len(line.expandtabs()) > COLUMNS and '"' not in line:
            yield number, f"more than {COLUMNS} columns"
    for kind, a, b, c, d in difflib.SequenceMatcher(None, lines, wanted, False).get_opcodes():
        if kind == "equal" or (dense and _together(lines[a:b], wanted[c:d])):
            continue
        if b - a == d - c:
            pairs = zip(range(a, b), range(c, d), strict=True)
            for at, other in pairs:
                if lines[at] != wanted[other] and not _free(lines, at, wanted[other]):
                    yield at + 1, f"should be: {wanted[other].strip()}"
        else:
            yield a + 1, "should be: " + " / ".join(line.strip() for line in wanted[c:d])


def _together(lines: list[str], wanted: list[str]) -> bool:
    """Whether lines are the wanted ones but for where they end; words are apart as there."""
    words = [
        re.sub(r"(?<=\*)\s+|\s+(?=[.\[])", "", " ".join(code)).split() for code in (lines, wanted)
    ]
    return words[0] == words[1]


def _free(lines: list[str], at: int, wanted: str) -> bool:
    """Whether a line continues the one before and differs only in its indentation."""
    line = lines[at]
    indent = line[: len(line) - len(line.lstrip())]
    before = lines[at - 1].rstrip("\\ \t") if at else ""
    goes_on = bool(before) and not before.endswith((";", "{", "}", "*/", ")"))
    goes_on = goes_on and ("?" in before or not before.endswith(":"))
    return line.strip() == wanted.strip() and goes_on and "        " not in indent


def formatted(program: str, paths: list[Path]) -> list[str]:
    """The texts of files as clang-format writes them, which formats copies in one process."""
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(folder, f"{number}{path.suffix}") for number, path in enumerate(paths)]
        for path, copy in zip(paths, copies, strict=True):
            shutil.copyfile(path, copy)
        style = f"--style=file:{ROOT / '.clang-format'}"
        subprocess.run([program, style, "-i", *map(str, copies)], check=True)
        return [copy.read_text("utf-8") for copy in copies]


def main() -> int:
    """0 when everything is as it should be, 1 when not, 2 without clang-format."""
    program = shutil.which("clang-format", path=str(Path(sys.executable).parent))
    if program is None:
        print("c_style: no clang-format in the environment of this Python", file=sys.stderr)
        return 2
    wrong = 0
    with tempfile.TemporaryDirectory() as built:
        for schema in SCHEMAS.glob("*.yaml"):
            build(BuildRequest(str(schema), str(Path(built, schema.stem)), only=("c", "bench")))
        folders = (*(ROOT / name for name in FOLDERS), Path(built))
        found = [(folder, path) for folder in folders for path in sorted(folder.rglob("*.[ch]"))]
        texts = formatted(program, [path for _, path in found])
        for (folder, path), wanted in zip(found, texts, strict=True):
            dense = not path.is_relative_to(ROOT / "runtime")
            for number, what in findings(path.read_text("utf-8"), wanted, dense):
                print(f"{path.relative_to(folder.parent)}:{number}: {what}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
