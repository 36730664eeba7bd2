# SPDX-License-Identifier: BSD-3-Clause
"""What each release generated, and an application of its time: the folders vX.Y.Z."""

import atexit
import functools
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ctrgen.backends import runtimeinfo
from tests.support import archive

HERE = Path(__file__).parent
MODULE = "past"
ARCHIVE = "recorded.tar.xz"
_ABI = re.compile(r"^#define CTR_ABI (\d+)$", re.MULTILINE)


def number(include: Path) -> int:
    """CTR_ABI in a folder of headers."""
    found = _ABI.search((include / "ctr_abi.h").read_text("utf-8"))
    assert found is not None, f"{include}/ctr_abi.h has no CTR_ABI"
    return int(found[1])


@dataclass(frozen=True)
class Recorded:
    """One release: an archive of schema.yaml, its lock file, app.c, generated/, include/ and, since
    0.2, abi.txt; beside it changed.txt."""

    folder: Path

    @property
    def version(self) -> str:
        """Its version."""
        return self.folder.name.removeprefix("v")

    @property
    def schema(self) -> Path:
        """What it generated from; schema.ctrgen.lock is beside it."""
        return self._kept("schema.yaml")

    @property
    def lock(self) -> Path:
        """Which OIDs it gave."""
        return self._kept("schema.ctrgen.lock")

    @property
    def app(self) -> Path:
        """An application that uses what a module of that release has."""
        own = self._kept("app.c")
        return own if self != NEXT or own.parent == self.folder else _renewed(own)

    @property
    def generated(self) -> Path:
        """past_stats.h, past_stats.c and the MIB module."""
        return self._kept("generated")

    @property
    def include(self) -> Path:
        """Those headers of its runtime that generated code includes."""
        return self._kept("include")

    def _kept(self, name: str) -> Path:
        """What is in the archive, or in the folder while it is recorded; what the next release has
        not is that of the last one."""
        packed = self.folder / ARCHIVE
        own = (archive.unpacked(packed) if packed.exists() else self.folder) / name
        return own if self != NEXT or own.exists() else every()[-1]._kept(name)

    @property
    def abi(self) -> int:
        """Its number."""
        return number(self.include)

    def fingerprint(self) -> list[str]:
        """What its objects rely on (abi.py); empty where that was not recorded."""
        path = self._kept("abi.txt")
        return path.read_text("utf-8").splitlines() if path.exists() else []


def every() -> list[Recorded]:
    """All releases, the oldest first."""
    folders = (path for path in HERE.glob("v*") if path.is_dir())
    return [
        Recorded(path)
        for path in sorted(folders, key=lambda path: [int(n) for n in path.name[1:].split(".")])
    ]


NEXT = Recorded(HERE / "next")
"""What the next release is recorded from: schema.yaml and app.c where they are to be others than
those of the last one, and the latter with NEW_NAMES."""

NEW_NAMES = (
    ("past_stats_hint_flush();\n\tpast_stats_quiescent()", "past_stats_burst_end()"),
    ("past_stats_quiescent()", "past_stats_burst_end()"),
)
"""Calls of an application of the last release, and those of this one in their place."""


@functools.cache
def _renewed(app: Path) -> Path:
    """An application with the names of this release."""
    made = Path(tempfile.mkdtemp(prefix="ctrgen-next-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    text = app.read_text("utf-8")
    for former, name in NEW_NAMES:
        assert former in text
        text = text.replace(former, name)
    (made / app.name).write_text(text, "utf-8")
    return made / app.name


def here() -> int:
    """CTR_ABI of the project."""
    return number(runtimeinfo.path() / "include")


def flags(include: Path | None = None) -> list[str]:
    """Words for the compiler, for headers of a release or the project's own."""
    if include is None:
        return shlex.split(runtimeinfo.line("posix", True, False, False))
    return [f"-I{include}", *runtimeinfo.PORT_DEFINES["posix"]]


def sources(runtime: Path) -> list[Path]:
    """The C files of a copy of the runtime, and the project's operations of strategies."""
    own = runtimeinfo.strategies()
    files = [path for path in runtimeinfo.sources("posix") if path not in own]
    return [*(runtime / path.relative_to(runtimeinfo.path()) for path in files), *own]
