# SPDX-License-Identifier: BSD-3-Clause
"""Planted bugs of tests/run and tests/machine: bugs/SUBJECT.bugs; those in what one strategy does
are in its folder of tests.

`== NAME ==` starts a bug, and on its line or the next is
`STRATEGY TEST [PROGRAM] [OPTION=VALUE].. [cures] : SAYS`: the test that sees it, the program with
that test of tests.run.variants or of a strategy (`ep` if none, `@dpdk` on the other port,
`+sanitized` under AddressSanitizer), and a regular expression of what it says. `-- FILE --` starts
edits of a file, with an empty line between two: `-` and `+` are whole lines, `<` and `>` text
without the end of its last line. `-- NAME --` is the edits of another bug. Lines with `#` are
comments.
"""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.run import amount_scripts, variants
from tests.run.variants import ep
from tests.support import strategies
from tests.support.cbuild import SANITIZED, Build
from tests.support.planted import Bug, Edit

CORE = "runtime/src/core/{}.c"
GET, RESET, FEW, TAKE = (CORE.format(name) for name in ("get", "reset", "few", "take"))
READ_SLOWLY, MEMORY, VALUES = (CORE.format(name) for name in ("read_slowly", "memory", "values"))
SNAPSHOT, END, LCORE, SETTLE = (
    CORE.format(name) for name in ("snapshot", "life_end", "part", "begin")
)
CORE_H, WORDS_H = "runtime/src/core/core.h", "runtime/src/core/words.h"
COUNTER = "runtime/src/core/core.h"
"""Files of the library."""

_PATHS = [
    path
    for folder in (Path(__file__).with_name("bugs"), *sorted(strategies.FOLDER.iterdir()))
    for path in sorted(folder.glob("*.bugs"))
]
FILES = {path.stem: path for path in _PATHS}
assert len(FILES) == len(_PATHS), "two files of bugs have one name"
OF_STRATEGIES = tuple(name for name, path in FILES.items() if path.parent.name != "bugs")
"""Subjects that are about one strategy."""
_BUG = re.compile(r"^== (\S+) ==[ \n]", re.MULTILINE)
_FILE = re.compile(r"^-- (\S+) --\n", re.MULTILINE)
_PROGRAM = re.compile(r"(\w+)(@dpdk)?(\+sanitized)?")


@dataclass(frozen=True)
class Mutant(Bug):
    """A bug that `test` of `program` sees under strategy `sync`; what it says matches `says`.

    Where the bug `cures`, the test passes that is to fail, and never says it.
    """

    sync: str
    test: str
    says: str
    program: Callable[..., Build] = ep
    options: Mapping[str, object] = field(default_factory=dict)
    cures: bool = False


def of(*subjects: str) -> list[Mutant]:
    """The bugs of some files."""
    return [_mutant(name, text) for subject in subjects for name, text in _read(subject).items()]


@functools.cache
def _read(subject: str) -> dict[str, str]:
    """The text of each bug of a file."""
    text = re.sub(r"^#.*\n", "", FILES[subject].read_text("utf-8"), flags=re.M)
    head, *found = _BUG.split(text)
    assert not head, f"{subject}.bugs does not begin with a bug"
    return dict(zip(found[::2], found[1::2], strict=True))


@functools.cache
def _texts() -> dict[str, str]:
    """The text of each bug of all files."""
    return {name: text for subject in FILES for name, text in _read(subject).items()}


def _mutant(name: str, text: str) -> Mutant:
    line = text.partition("\n")[0]
    words, _, says = line.partition(" : ")
    sync, test, *rest = words.split()
    options = dict(word.split("=") for word in rest if "=" in word)
    names = [word for word in rest if "=" not in word and word != "cures"]
    program = _program(*names)
    values = {key: _value(value) for key, value in options.items()}
    return Mutant(name, _edits(text), sync, test, says, program, values, "cures" in rest)


def _value(text: str) -> object:
    """A number, a script of tests.run.amount_scripts, or a word."""
    return int(text) if text.isdigit() else getattr(amount_scripts, text, text)


def _program(text: str = "ep") -> Callable[..., Build]:
    """What builds a program, whatever tests are asked for."""
    found = _PROGRAM.fullmatch(text)
    assert found, text
    program = variants.named(found[1])
    if not found[2] and not found[3]:
        return program

    def changed(variant: str, test: str | None = None) -> Build:
        build = program(variant, "dpdk" if found[2] else "posix", test)
        return build.but(flags=SANITIZED) if found[3] else build  # type: ignore[no-any-return]

    return changed


def _edits(text: str) -> tuple[Edit, ...]:
    """The edits of a bug."""
    edits: list[Edit] = []
    _, *found = _FILE.split(text)
    for path, body in zip(found[::2], found[1::2], strict=True):
        if "/" not in path:
            edits += _edits(_texts()[path])
            continue
        for hunk in body.removesuffix("\n").split("\n\n"):
            lines = hunk.split("\n")
            end = "\n" if lines[0][0] == "-" else ""
            old, new = ([line[1:] for line in lines if line[0] in marks] for marks in ("-<", "+>"))
            edits.append(Edit(path, "\n".join(old) + end, "\n".join(new) + (end if new else "")))
    return tuple(edits)
