# SPDX-License-Identifier: BSD-3-Clause
"""Builds wheel and source distribution twice, and says where two builds differ first.

The two builds have nothing in common but the sources and SOURCE_DATE_EPOCH: another folder, umask,
time zone, locale, and other times of the files. Needs a Python with setuptools, nothing else.
"""

import os
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from .agree import RefusedError

BUILD = "import sys; from setuptools import build_meta as b; b.build_{}(sys.argv[1])"
PLAIN = ("HOME", "LANG", "PATH", "PIP_CONFIG_FILE", "TMPDIR")
"""Variables of whoever builds that the builds see."""


@dataclass(frozen=True)
class Circumstances:
    """Where and when something is built, and by whom; `touched` is the time of all files."""

    folder: str
    umask: int
    zone: str
    locale: str
    touched: int


TWO = (
    Circumstances("one", 0o022, "UTC", "C", 1_600_000_000),
    Circumstances("another/folder", 0o077, "Asia/Tokyo", "C.UTF-8", 1_700_000_000),
)


def build(python: Path | str, source: Path, target: Path, how: Circumstances, epoch: int) -> None:
    """A wheel and a source distribution of a folder of sources. Raises RefusedError."""
    for path in source.rglob("*"):
        os.utime(path, (how.touched, how.touched), follow_symlinks=False)
    plain = {name: os.environ[name] for name in PLAIN if name in os.environ}
    variables = {"SOURCE_DATE_EPOCH": str(epoch), "TZ": how.zone, "LC_ALL": how.locale}
    target.mkdir(parents=True)
    for kind in ("sdist", "wheel"):
        done = subprocess.run(
            [str(python), "-c", BUILD.format(kind), str(target)], cwd=source, umask=how.umask,
            env={**plain, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise RefusedError(f"building the {kind} failed: {done.stdout.strip()[-2000:]}")


def twice(
    python: Path | str, work: Path, check_out: Callable[[Path, int], None], epoch: int
) -> tuple[list[Path], str]:
    """What the first of two builds made, and how the second differs from it; empty if it does not.

    `check_out` fills a folder with the sources, under an umask. Raises RefusedError.
    """
    for how in TWO:
        source = work / how.folder / "ctrgen"
        source.parent.mkdir(parents=True)
        check_out(source, how.umask)
        build(python, source, work / how.folder / "made", how, epoch)
    first, second = (sorted((work / how.folder / "made").iterdir()) for how in TWO)
    if [path.name for path in first] != [path.name for path in second]:
        names = [", ".join(path.name for path in made) for made in (first, second)]
        return first, f"one build made {names[0]}, the other {names[1]}"
    said = (differs(one, other) for one, other in zip(first, second, strict=True))
    return first, next(filter(None, said), "")


Entry = tuple[str, dict[str, object], bytes]
"""A member: its name, what is noted about it, its content."""


def members(path: Path) -> Iterable[Entry]:
    """The members of a .whl or .tar.gz, in their order."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for item in wheel.infolist():
                facts: dict[str, object] = {"mode": oct(item.external_attr >> 16)}
                yield item.filename, facts | {"time": item.date_time}, wheel.read(item)
        return
    with tarfile.open(path) as archive:
        for entry in archive:
            content = archive.extractfile(entry)
            facts = {
                "mode": oct(entry.mode), "time": entry.mtime, "type": entry.type,
                "owner": (entry.uid, entry.gid, entry.uname, entry.gname),
            }  # fmt: skip
            yield entry.name, facts, content.read() if content else b""


def differs(one: Path, other: Path) -> str:
    """In which member two archives differ first and in what of it; empty if they are the same."""
    if one.read_bytes() == other.read_bytes():
        return ""
    pairs = list(members(one)), list(members(other))
    for (name, facts, content), (name2, facts2, content2) in zip(*pairs, strict=False):
        if name != name2:
            return f"{one.name}: {name} is at the place where the other has {name2}"
        for fact in facts:
            if facts[fact] != facts2[fact]:
                return f"{one.name}: {name}: {fact} {facts[fact]}, in the other {facts2[fact]}"
        if content != content2:
            return f"{one.name}: {name}: {_line(content, content2)}"
    if len(pairs[0]) != len(pairs[1]):
        return f"{one.name}: {len(pairs[0])} members, in the other {len(pairs[1])}"
    return f"{one.name}: the same members, packed otherwise (see its first bytes: xxd)"


def _line(one: bytes, other: bytes) -> str:
    """The first line in which two contents differ."""
    lines, others = one.splitlines(), other.splitlines()
    for number, (line, line2) in enumerate(zip(lines, others, strict=False), 1):
        if line != line2:
            return f"line {number} is {line!r}, in the other {line2!r}"
    return f"{len(one)} bytes, in the other {len(other)}"
