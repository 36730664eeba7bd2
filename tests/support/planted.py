# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant where a test must see them, and copies of the project's packages that have them.

A `Bug` is a name and its edits. What plants it and what must see it differ: the programs of
tests/run, the machine code of tests/machine and the models of tests/models each have a kind of bug
of their own. A `Tree` is a copy of the packages with edits, or with additions that touch no file.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctrgen.backends import runtimeinfo
from tests.support import process
from tests.support.paths import ROOT
from tests.support.process import Environment

BITS = "runtime/include/ctr_bits.h"
COMMON = "runtime/include/ctr_common.h"
WORD = "runtime/include/ctr_word.h"
READING = "runtime/include/ctr_read_ctx.h"
LOCK = "runtime/include/ctr_lock.h"
PI = "runtime/include/ctr_pi.h"
SEQCOUNT = "runtime/include/ctr_seqcount.h"
SLOTS = "runtime/src/core/ctr_slots.c"

PACKAGES = {"generator": "", "templates": "templates", "runtime": "runtime", "schemas": "schemas"}
"""Folders of the project, and where the import package has them."""


@dataclass(frozen=True)
class Edit:
    """In a file, a text and what takes its place wherever it stands."""

    path: str
    old: str
    new: str

    def applied(self, text: str) -> str:
        """The text of the file with the edit. Fails where there is nothing to edit."""
        assert self.old in text, f"{self.path} has no text to plant a bug at: {self.old!r}"
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Bug:
    """A bug, by its name: edits of the project's files."""

    name: str
    edits: tuple[Edit, ...]


def relaxed(text: str) -> str:
    """C whose orderings have become relaxed."""
    return re.sub("__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)", "__ATOMIC_RELAXED", text)


@dataclass(frozen=True)
class Tree:
    """Where the packages come from: None is the project itself."""

    path: Path | None = None

    def command(self, *words: str | Path) -> list[str]:
        """The words of a command line of ctrgen, for a process with environment()."""
        return [sys.executable, "-m", "ctrgen", *map(str, words)]

    def environment(self, changes: Environment | None = None) -> dict[str, str]:
        """The variables with which Python takes the packages of this tree."""
        path = {"PYTHONPATH": str(self.path)} if self.path else {}
        return process.environment({**path, "PYTHONDONTWRITEBYTECODE": "1", **(changes or {})})

    def run(
        self, *words: str | Path, env: Environment | None = None, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        """Run ctrgen, whatever comes of it; `options` as of process.run()."""
        return process.run(*self.command(*words), env=self.environment(env), **options)

    def succeed(self, *words: str | Path, **options: Any) -> str:
        """What ctrgen prints; `options` as of process.succeed()."""
        return process.succeed(*self.command(*words), env=self.environment(), **options)

    def generator(self) -> "Tree":
        """The tree that generates what this one does: the project if only the runtime differs."""
        links = [(self.path or Path()) / "ctrgen" / name for name in ("model", "templates")]
        return PROJECT if all(link.is_symlink() for link in links) else self

    def runtime(self) -> Path:
        """The folder of the C runtime; the project's own where it is as there."""
        return self._folders()[0][1]

    def _folders(self) -> list[tuple[Path, Path]]:
        """The folders of the project with C files, and where this tree has them."""
        ours = [runtimeinfo.path(), runtimeinfo.path().with_name("templates")]
        if self.path is None:
            return [(folder, folder) for folder in ours]
        return [(folder, (self.path / "ctrgen" / folder.name).resolve()) for folder in ours]

    def of(self, word: str) -> str:
        """A word of a command line that names a file of the project, as this tree has it."""
        for ours, theirs in self._folders():
            word = word.replace(str(ours), str(theirs))
        return word

    def added(self) -> list[str]:
        """The C files of strategies that the project does not have."""
        ours, theirs = (folder / "c" / "sync" for folder in self._folders()[1])
        return [
            str(path)
            for path in sorted(theirs.glob("*/*.c"))
            if not (ours / path.relative_to(theirs)).exists()
        ]

    def original(self, path: Path) -> Path:
        """The file of the project of which this tree has a copy; others as they are."""
        for ours, theirs in self._folders():
            if path.is_relative_to(theirs):
                return ours / path.relative_to(theirs)
        return path


PROJECT = Tree()


def planted(
    folder: Path, edits: Iterable[Edit] = (), added: Mapping[str, str] | None = None
) -> Tree:
    """The packages below `folder`, with edits of files and with new files.

    Every edited text must be there, so that a planted bug does not vanish unnoticed;
    every new file must be new. Packages that are not changed are links.
    """
    root, edits, added = folder / "planted", list(edits), added or {}
    changed = {name.partition("/")[0] for name in (*(edit.path for edit in edits), *added)}
    (root / "ctrgen").mkdir(parents=True)
    for source, target in PACKAGES.items():
        if source in changed:
            # With bytecode: it is compiled again only of what is edited.
            left_out = shutil.ignore_patterns("*.pcap")
            shutil.copytree(
                ROOT / source, root / "ctrgen" / target, ignore=left_out, dirs_exist_ok=True
            )
        elif target:
            (root / "ctrgen" / target).symlink_to(ROOT / source)
        else:
            for entry in (ROOT / source).iterdir():
                (root / "ctrgen" / entry.name).symlink_to(entry)

    def place(name: str) -> Path:
        top, _, rest = name.partition("/")
        return root / "ctrgen" / PACKAGES[top] / rest

    for edit in edits:
        path = place(edit.path)
        path.write_text(edit.applied(path.read_text("utf-8")), "utf-8")
    for name, text in added.items():
        path = place(name)
        assert not path.exists(), f"{name} exists"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Tree(root)


def fails(folder: Path, edit: Edit, *words: str) -> None:
    """Tests of the project, as arguments of pytest, of which one fails with an edit planted."""
    tree = planted(folder / "tree", [edit])
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--long", "-p", "no:cacheprovider"]
    command += [f"--basetemp={folder / 'run'}", *words]
    done = process.run(*command, cwd=ROOT, env=tree.environment(), timeout=300)
    assert done.returncode == 1 and " failed" in done.stdout, done.stdout + done.stderr


def copy_of(source: Path, target: Path, *left_out: str) -> Path:
    """A copy of a folder of the project without what was built in it; where it is."""
    junk = ("__pycache__", "*.egg-info", "build", *left_out)
    return Path(
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*junk), dirs_exist_ok=True)
    )
