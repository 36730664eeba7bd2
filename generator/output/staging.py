# SPDX-License-Identifier: BSD-3-Clause
"""Changes a set of files at once: everything is staged, then renamed. Whatever fails on the way,
full disk and interrupt included, all is as it was before."""

import fcntl
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath

from ..findings.usage import UsageError, reason

PREFIX = ".ctrgen-tmp-"
"""How the name of every temporary file begins; the process that writes it follows."""


class OutputError(UsageError):
    """The output folder cannot be used; `path` is what is in the way, `hint` what to do, `reason`
    the message where a file is named before it."""

    def __init__(self, path: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.path = path
        self.reason = message.removeprefix(_HERE)


_HERE = "cannot write here: "
ELSEWHERE = "choose another folder with -o"


def _unwritable(error: OSError, path: Path) -> OutputError:
    return OutputError(str(path), f"{_HERE}{reason(error)}", ELSEWHERE)


def locate(folder: Path, relative: str) -> Path:
    """Where `relative` lies in `folder`. Raises OutputError for absolute paths, `..`, control
    characters, and symbolic links that lead out of the folder."""
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
    """Contents of a regular file; None if there is none. Raises OutputError otherwise."""
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


def _quietly(step: Callable[..., object], *arguments: object) -> None:
    with suppress(OSError):
        step(*arguments)


def _make_folder(folder: Path, undo: ExitStack) -> None:
    for path in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
        path.mkdir(exist_ok=True)
        undo.callback(_quietly, path.rmdir)


def _beside(target: Path, temporary: ExitStack) -> Path:
    """A name for a temporary file, which is removed in the end."""
    path = target.with_name(f"{PREFIX}{os.getpid()}-{secrets.token_hex(8)}")
    temporary.callback(_quietly, path.unlink)
    return path


def leftovers(folders: Iterable[Path], prefix: str = PREFIX) -> Iterator[Path]:
    """What killed processes left in folders: names of PREFIX and of a process that has ended, and
    all that are older than a day."""
    for path in [path for folder in {*folders} for path in folder.glob(f"{prefix}*")]:
        process = re.match(r"[0-9]{1,9}(?=-)", path.name.removeprefix(prefix))
        try:
            is_left = time.time() - path.lstat().st_mtime > 86_400
            if process and not is_left:
                os.kill(int(process[0]), 0)
        except ProcessLookupError:
            is_left = True
        except OSError:  # a process of another user, or a file that has vanished
            continue
        if is_left:
            yield path


def clean(folders: Iterable[Path]) -> None:
    """Remove temporary files that killed processes left."""
    for path in leftovers(folders):
        _quietly(path.unlink)


def _stage(target: Path, text: str, temporary: ExitStack) -> Path:
    staged = _beside(target, temporary)
    handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(handle, "wb") as stream:
        if target.exists():
            shutil.copymode(target, staged)
        stream.write(text.encode("utf-8"))
    return staged


def _replace(staged: Path | None, target: Path, temporary: ExitStack, undo: ExitStack) -> None:
    """Put `staged` (None: nothing) where `target` is, keeping what was there."""
    if os.path.lexists(target):
        backup = _beside(target, temporary)
        if staged is None:
            target.rename(backup)
        else:
            try:
                os.link(target, backup, follow_symlinks=False)
            except OSError:  # no hard links on this file system
                shutil.copy(target, backup)
        undo.callback(_quietly, backup.replace, target)
    else:
        undo.callback(_quietly, target.unlink)
    if staged is not None:
        staged.replace(target)


def commit(folder: Path, changes: Mapping[Path, str | None]) -> None:
    """Write every path of `changes` (None: remove it), all or nothing, in the order given. Creates
    folders, and removes those in `folder` that become empty. Raises OutputError."""
    path = folder
    staged: dict[Path, Path | None] = {}
    try:
        with ExitStack() as folders, ExitStack() as temporary, ExitStack() as replaced:
            for path, text in changes.items():
                staged[path] = None
                if text is not None:
                    _make_folder(path.parent, folders)
                    staged[path] = _stage(path, text, temporary)
            for path, source in staged.items():
                _replace(source, path, temporary, replaced)
            replaced.pop_all()
            folders.pop_all()
    except OSError as error:
        raise _unwritable(error, path) from error
    for parent in [path.parent for path, source in staged.items() if source is None]:
        with suppress(OSError):
            while parent != folder:
                parent.rmdir()
                parent = parent.parent


@contextmanager
def locked(folder: Path, waits: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Keeps a second ctrgen out of `folder` while it runs; calls `waits` before it waits for one. A
    missing folder is created, and removed again if it stays empty. Raises OutputError."""
    with ExitStack() as undo:
        try:
            _make_folder(folder, undo)
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise _unwritable(error, folder) from error
        try:
            with suppress(OSError):  # a file system without locks
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    waits()
                    fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)
        undo.pop_all()
