# SPDX-License-Identifier: BSD-3-Clause
"""Changes a set of files at once: everything is staged, then renamed, or nothing happened.

Whatever fails on the way, full disk and interrupt included, what was there before is put back
and the temporary files beside the targets are removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from ..findings.usage import UsageError, reason

PREFIX = ".ctrgen-tmp-"
"""How the name of every temporary file begins."""


class OutputError(UsageError):
    """The output folder cannot be used; `path` is what is in the way, `hint` what to do."""

    def __init__(self, path: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.path = path


ELSEWHERE = "choose another folder with -o"


def _unwritable(error: OSError, path: Path) -> OutputError:
    return OutputError(str(path), f"cannot write here: {reason(error)}", ELSEWHERE)


def locate(folder: Path, relative: str) -> Path:
    """Where `relative` lies in `folder`. Raises OutputError when that is not inside it.

    Refused are absolute paths, `..`, control characters, and symbolic links on
    the way that lead out of the folder.
    """
    pure = PurePosixPath(relative)
    plain = relative == str(pure) and not pure.is_absolute() and relative != "."
    if not plain or ".." in pure.parts or not relative.isprintable():
        raise OutputError(str(folder), f"output path {relative!r} is not inside the output folder")
    target = folder.joinpath(*pure.parts)
    # realpath, unlike Path.resolve, does not raise on a loop of links
    if not Path(os.path.realpath(target)).is_relative_to(os.path.realpath(folder)):
        raise OutputError(
            str(target), "a symbolic link leads out of the output folder", "remove the link"
        )
    return target


def content(path: Path) -> bytes | None:
    """What a regular file holds, None when there is no such file. Raises OutputError otherwise."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OutputError(str(path), "is not a regular file", "move it out of the way")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise OutputError(str(path), "a file is where a folder must be", ELSEWHERE) from None
    except OSError as error:
        raise OutputError(str(path), f"cannot be read: {reason(error)}") from error


class _Transaction:
    """The steps done so far, and how to take them back."""

    def __init__(self) -> None:
        self.temporary: list[Path] = []
        self.folders: list[Path] = []
        self.restore: list[tuple[Path | None, Path]] = []

    def make_folder(self, folder: Path) -> None:
        for path in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
            path.mkdir(exist_ok=True)
            self.folders.append(path)

    def stage(self, target: Path, text: str) -> Path:
        self.make_folder(target.parent)
        staged = self._temporary(target)
        handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(handle, "wb") as stream:
            if target.exists():
                shutil.copymode(target, staged)
            stream.write(text.encode("utf-8"))
        return staged

    def _temporary(self, target: Path) -> Path:
        path = target.with_name(PREFIX + secrets.token_hex(8))
        self.temporary.append(path)
        return path

    def replace(self, staged: Path | None, target: Path) -> None:
        """Put `staged` (None: nothing) where `target` is, keeping what was there."""
        backup = None
        if os.path.lexists(target):
            backup = self._temporary(target)
            if staged is None:
                target.rename(backup)
            else:
                try:
                    os.link(target, backup, follow_symlinks=False)
                except OSError:  # no hard links on this file system
                    shutil.copy(target, backup)
        self.restore.append((backup, target))
        if staged is not None:
            staged.replace(target)

    def undo(self) -> None:
        for backup, target in reversed(self.restore):
            with contextlib.suppress(OSError):
                if backup is None:
                    target.unlink(missing_ok=True)
                elif os.path.lexists(backup):
                    backup.replace(target)
        self.clean()
        for folder in reversed(self.folders):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def clean(self) -> None:
        for path in self.temporary:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def commit(
    folder: Path,
    changes: Mapping[str, str | None],
    companions: Mapping[Path, str | None] | None = None,
) -> None:
    """Write every path of `changes` (None: remove it), all or nothing, in the order given.

    `companions` are files outside of the folder that are written with them.
    Creates folders as needed and removes those that a removal leaves empty.
    Raises OutputError after having restored what was there.
    """
    done = _Transaction()
    path = folder
    try:
        staged: dict[Path, Path | None] = {}
        inside = ((locate(folder, relative), text) for relative, text in changes.items())
        for path, text in itertools.chain(inside, (companions or {}).items()):
            staged[path] = None if text is None else done.stage(path, text)
        for path, source in staged.items():
            done.replace(source, path)
    except BaseException as error:
        done.undo()
        if isinstance(error, OSError):
            raise _unwritable(error, path) from error
        raise
    done.clean()
    for parent in [path.parent for path, source in staged.items() if source is None]:
        with contextlib.suppress(OSError):
            while parent != folder:
                parent.rmdir()
                parent = parent.parent


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps a second ctrgen out of `folder` meanwhile; creates it when it is missing.

    A folder made here is removed again when nothing was put into it.
    Raises OutputError when the folder cannot be made or opened.
    """
    done = _Transaction()
    try:
        done.make_folder(folder)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        done.undo()
        raise _unwritable(error, folder) from error
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    except BaseException:
        done.undo()  # removes only folders that are still empty
        raise
    finally:
        os.close(handle)
