# SPDX-License-Identifier: BSD-3-Clause
"""Machine code of C functions, for x86-64 and for aarch64 (cross-compiled), from either compiler.

Of an instruction that matters here, a letter is kept; `shape` makes a word of them, to be
compared with a pattern. What is no load, store, barrier or locked instruction has none.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

TRIPLE = "aarch64-linux-gnu"


@dataclass(frozen=True)
class Target:
    """A compiler for an architecture."""

    arch: str
    compiler: str

    @property
    def command(self) -> tuple[str, ...]:
        """The compiler and what it needs to know."""
        if self.arch == "x86_64":
            return (self.compiler,)
        # Atomics in line, not behind a call that looks for the newer instructions.
        plain = ("-mno-outline-atomics",)
        if self.compiler == "gcc":
            return (f"{TRIPLE}-gcc", *plain)
        return (self.compiler, f"--target={TRIPLE}", *plain)

    @property
    def objdump(self) -> str:
        return "objdump" if self.arch == "x86_64" else f"{TRIPLE}-objdump"

    @property
    def there(self) -> bool:
        """Whether compiler, disassembler and C library headers are installed."""
        headers = self.arch == "x86_64" or Path(f"/usr/{TRIPLE}/include/stdio.h").exists()
        return headers and all(shutil.which(tool) for tool in (self.command[0], self.objdump))


TARGETS = [Target(arch, cc) for arch in ("x86_64", "aarch64") for cc in ("gcc", "clang")]


def each(arch: str = "") -> pytest.MarkDecorator:
    """Has a test run for each target, or those of an architecture, that is installed."""
    lacks = pytest.mark.skip(reason="not installed")
    cases = [
        pytest.param(one, marks=() if one.there else lacks, id=f"{one.arch}-{one.compiler}")
        for one in TARGETS
        if arch in ("", one.arch)
    ]
    return pytest.mark.parametrize("target", cases)


def compiled(
    target: Target, source: Path, made: Path, flags: Iterable[str], level: str = "-O3"
) -> Path:
    """A source file as an object file."""
    command = [*target.command, level, "-std=gnu11", "-g0", "-fno-pic", *flags]
    subprocess.run([*command, "-c", str(source), "-o", str(made)], check=True)
    return made


def functions(target: Target, made: Path) -> dict[str, list[str]]:
    """The instructions of every function of an object file."""
    text = subprocess.run(
        [target.objdump, "-d", "--no-show-raw-insn", str(made)],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    found: dict[str, list[str]] = {}
    for name, body in re.findall(r"<(\w+)>:\n(.*?)(?=\n\n|\Z)", text, re.DOTALL):
        lines = [line.split("\t", 1)[1] for line in body.splitlines() if "\t" in line]
        found[name] = [re.sub(r"\s+", " ", line).strip() for line in lines]
    return found


def hot(lines: list[str]) -> list[str]:
    """What lies before the first return, or without one before the jump to what is called last.

    The path of threads without an lcore id lies behind.
    """
    ends = [n for n, line in enumerate(lines) if line.startswith("ret")]
    ends = ends or [n for n, line in enumerate(lines) if re.match("(jmp|b) ", line)]
    return lines[: ends[0] + 1]


_LETTERS = {
    "x86_64": (("X", r"lock |xchg .*\("), ("F", r"[lsm]fence")),
    "aarch64": (("a", r"ldar|ldapr|ldaxr|casa|swpa|ldadda"), ("r", r"stlr|stlxr|casl|swpl|ldaddl"),
                ("f", r"dmb ishld"), ("w", r"dmb ishst"), ("F", r"dmb ish$|dmb sy"),
                ("x", r"ldxr|stxr|cas |swp |ldadd |stadd "), ("l", r"ldu?[rp]"),
                ("s", r"stu?[rp]")),
}  # fmt: skip


def letter(target: Target, line: str) -> str:
    """a, r: acquire, release; f, w, F: fence of loads, of stores, of all; x, X: exclusive, locked;
    l, s: plain."""
    for found, pattern in _LETTERS[target.arch]:
        if re.match(pattern, line):
            return found
    return ""


def shape(target: Target, lines: list[str]) -> str:
    """The letters of instructions, those on the stack left out."""
    return "".join(letter(target, line) for line in lines if not re.search(r"\[sp|x29, x30", line))


_STORE = re.compile(
    r"(?:lock )?(?:mov|add|sub|inc|dec|xchg)[bwlq]? .*?(-?0x[0-9a-f]+)?\(([^()]*)\)$"
)


def written(lines: list[str]) -> list[str]:
    """Of x86-64: the offset of each word that is written, with a `+` if it is read as well."""
    found = []
    for line in lines:
        if match := _STORE.match(line):
            own = "" if line.startswith("mov") else "+"
            found.append(f"{int(match[1] or '0', 16)}{own}")
    return found


def vector(target: Target, lines: list[str]) -> list[str]:
    """Instructions on vector registers."""
    register = r"%[xyz]mm" if target.arch == "x86_64" else r"\b[qv]\d+\b|\bd\d+\b"
    return [line for line in lines if re.search(register, line)]
