# SPDX-License-Identifier: BSD-3-Clause
"""Mutated modules by a seed, and the import of one with a time limit."""

import random
import re
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import yaml

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.pipeline import importing
from tests.support import smi as smi_modules

SECONDS = 120
"""Longest that an import may take: a thousand times what it needs."""

FIRST_SMI = """\
OLD-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, Counter, Gauge, TimeTicks, IpAddress FROM RFC1155-SMI
    OBJECT-TYPE FROM RFC-1212 TRAP-TYPE FROM RFC-1215;
old OBJECT IDENTIFIER ::= { enterprises 32473 7 }
oldIn OBJECT-TYPE SYNTAX Counter ACCESS read-only STATUS mandatory
    DESCRIPTION "In." ::= { old 1 }
oldReset OBJECT-TYPE SYNTAX INTEGER { off(0), on(1) } ACCESS write-only STATUS mandatory
    DESCRIPTION "Resets." ::= { old 2 }
oldTable OBJECT-TYPE SYNTAX SEQUENCE OF OldEntry ACCESS not-accessible STATUS mandatory
    DESCRIPTION "Rows." ::= { old 3 }
oldEntry OBJECT-TYPE SYNTAX OldEntry ACCESS not-accessible STATUS mandatory
    DESCRIPTION "A row." INDEX { oldIndex, oldAddress } ::= { oldTable 1 }
OldEntry ::= SEQUENCE { oldIndex INTEGER, oldAddress IpAddress, oldStatus INTEGER, oldUsed Gauge }
oldIndex OBJECT-TYPE SYNTAX INTEGER (1..8) ACCESS read-only STATUS mandatory
    DESCRIPTION "Its number." ::= { oldEntry 1 }
oldAddress OBJECT-TYPE SYNTAX IpAddress ACCESS read-only STATUS mandatory
    DESCRIPTION "Its address." ::= { oldEntry 2 }
oldStatus OBJECT-TYPE SYNTAX INTEGER { up(1), down(2) } ACCESS read-only STATUS mandatory
    DESCRIPTION "Its state." ::= { oldEntry 3 }
oldUsed OBJECT-TYPE SYNTAX Gauge ACCESS read-only STATUS optional
    DESCRIPTION "What is used." ::= { oldEntry 4 }
oldFell TRAP-TYPE ENTERPRISE old VARIABLES { oldUsed } DESCRIPTION "It fell." ::= 1
END
"""
ORIGINALS = ((smi_modules.OWN / "SHELF-MIB.txt").read_text("utf-8"), FIRST_SMI)
STRANGE = (
    *("if", "int", "reset", "global", "class", "a" * 54 + "B" * 20, "x-1", "A", "a_b", "END"),
    *("0", "-1", "4294967296", "99999999999999999999", "'FF'h", '"', "--", "{", "}", "::=", ",",
      ";"),
    *("write-only", "not-accessible", "OBJECT IDENTIFIER", "SEQUENCE OF", "BITS", "IMPLIED", "\0"),
    *("Counter64", "MacAddress", "NOWHERE::thing", "\xe9", "\r"),
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z][\w-]*|[0-9]+")


def mutant(seed: int) -> str:
    """A module in which one to four things are not as they were."""
    chance = random.Random(seed)
    text = chance.choice(ORIGINALS)
    for _ in range(chance.randrange(1, 5)):
        text = chance.choice((_cut, _word, _everywhere, _moved, _again))(chance, text)
    return text


def _cut(chance: random.Random, text: str) -> str:
    start = chance.randrange(len(text) + 1)
    end = start + chance.choice((0, 1, 5, 40, 300))
    return text[:start] + chance.choice(("", " ", *STRANGE)) + text[end:]


def _word(chance: random.Random, text: str) -> str:
    """A word is another one."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    found, other = chance.choice(words), chance.choice(words)[0]
    return text[: found.start()] + chance.choice((other, *STRANGE)) + text[found.end() :]


def _everywhere(chance: random.Random, text: str) -> str:
    """A name is another one wherever it stands."""
    words = _WORD.findall(text)
    if not words:
        return text
    new = chance.choice((chance.choice(words), *STRANGE))
    return re.sub(rf"\b{re.escape(chance.choice(words))}\b", lambda _: new, text)


def _moved(chance: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    start = chance.randrange(len(lines) + 1)
    part = lines[start : start + chance.randrange(1, 12)]
    rest = lines[:start] + lines[start + len(part) :]
    place = chance.randrange(len(rest) + 1)
    return "".join((*rest[:place], *part, *rest[place:]))


def _again(chance: random.Random, text: str) -> str:
    """Some lines are there twice."""
    lines = text.splitlines(keepends=True)
    start = chance.randrange(len(lines) + 1)
    end = start + chance.randrange(1, 20)
    return "".join((*lines[:end], *lines[start:end], *lines[end:]))


def limited(action: Callable[[], None]) -> None:
    """Do something that ends in SECONDS, or fail."""

    def late(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"it takes over {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        action()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def survives(seed: int, folder: Path) -> bool:
    """Import a mutant: whether there is a schema. That or an error; and `check` accepts it."""
    file, target = folder / "M-MIB", folder / "m.yaml"
    file.write_text(mutant(seed), "utf-8", newline="")
    text: str | None = None
    found = Diagnostics()

    def run() -> None:
        nonlocal text, found
        text, found = importing.run(str(file), smi_modules.base_path())

    limited(run)
    assert (text is None) == found.failed
    if text is not None:
        assert isinstance(yaml.safe_load(text), dict)
        target.write_text(text, "utf-8")
        limited(lambda: accepted(target))
    return text is not None


def accepted(schema: Path) -> None:
    """Whether `check` finds no error in what an import wrote."""
    from ctrgen.pipeline.check import check

    checked = check(str(schema), mib_path=smi_modules.base_path())
    assert checked.module is not None, checked.diagnostics.findings
