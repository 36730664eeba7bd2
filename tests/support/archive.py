# SPDX-License-Identifier: BSD-3-Clause
"""Files that tests keep as compressed data: inputs of fuzzers, what releases generated."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path


@functools.cache
def unpacked(path: Path) -> Path:
    """A temporary folder with the files of an archive, not to be changed."""
    made = Path(tempfile.mkdtemp(prefix="ctrgen-archive-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(made)
    return made


def read(path: Path) -> dict[str, bytes]:
    """The files of an archive, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, files: Mapping[str, bytes]) -> None:
    """Write an archive; the same files make the same archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED, 9)


def pack(path: Path, members: list[Path]) -> None:
    """Write an archive of files and folders that lie side by side, and remove them."""
    found = (one for member in members for one in (member, *member.rglob("*")) if one.is_file())
    write(path, {str(one.relative_to(path.parent)): one.read_bytes() for one in found})
    for member in members:
        shutil.rmtree(member) if member.is_dir() else member.unlink()
