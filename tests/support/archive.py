# SPDX-License-Identifier: BSD-3-Clause
"""Files that tests keep as compressed data: inputs of fuzzers, what releases generated."""

import atexit
import functools
import io
import shutil
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path


@functools.cache
def unpacked(path: Path) -> Path:
    """A temporary folder with the files of an archive, not to be changed."""
    made = Path(tempfile.mkdtemp(prefix="ctrgen-archive-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    for name, data in read(path).items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(data)
    return made


def read(path: Path) -> dict[str, bytes]:
    """The files of an archive, by name."""
    with tarfile.open(path) as archive:
        files = ((entry.name, archive.extractfile(entry)) for entry in archive)
        return {name: file.read() for name, file in files if file}


def write(path: Path, files: Mapping[str, bytes]) -> None:
    """Write an archive; the same files make the same archive."""
    with tarfile.open(path, "w:xz", preset=9, format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))


def pack(path: Path, members: list[Path]) -> None:
    """Write an archive of files and folders that lie side by side, and remove them."""
    found = (one for member in members for one in (member, *member.rglob("*")) if one.is_file())
    write(path, {str(one.relative_to(path.parent)): one.read_bytes() for one in found})
    for member in members:
        shutil.rmtree(member) if member.is_dir() else member.unlink()
