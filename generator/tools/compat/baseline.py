# SPDX-License-Identifier: BSD-3-Clause
"""Finds the version to compare with: a file, or the schema at a revision of git, read from git's
objects without a checkout. Findings call it `REV:path`, as `git show` does."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from ...findings.usage import UsageError
from ...frontends import Reader, Shown


class Baseline(NamedTuple):
    """The old version: its path, a reader (None: the file system), and the name in findings. In a
    revision the path is `REV:/path`, so that its includes are found like those of a file."""

    path: str
    read: Reader | None = None
    shown: Shown = str


def find(against: str, schema: str) -> Baseline:
    """The old version of `schema` that `against` names: a file, a revision of git (the file of the
    same path there) or `REV:PATH`, with `git:` in front where a file has that name. Raises
    UsageError."""
    if not against or "\0" in against:
        raise UsageError("--against is empty", "--against v1.0, or --against old.yaml")
    if against.startswith("git:"):
        return _revision(against[4:], schema)
    if against == "-":
        if schema == "-":
            raise UsageError("only one of the two can be the standard input")
        return Baseline("-")
    if Path(against).exists() and not Path(against).is_dir():
        by_path = against.startswith(("./", "../", "/"))
        if not by_path and _commit(against, Path(schema).parent):
            message = f"'{against}' is both a file and a revision"
            raise UsageError(message, f"write ./{against} or git:{against}")
        return Baseline(against)
    return _revision(against, schema, " and no file")


def _revision(text: str, schema: str, nor: str = "") -> Baseline:
    folder = Path(schema).parent  # of the standard input: the current one
    revision, colon, path = text.partition(":")
    if shutil.which("git") is None:
        raise UsageError(f"'{text}' is no file, and there is no git to look a revision up with")
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None:
        message = f"'{text}' is no file, and {folder.resolve()} is in no git repository"
        raise UsageError(message, "--against takes a file or a revision")
    commit = _commit(revision, folder)
    if commit is None:
        hint = "`git fetch` brings branches and tags; a shallow clone lacks older commits"
        raise UsageError(f"there is no revision '{revision}'{nor} '{text}'", hint)
    root = Path(os.fsdecode(top).rstrip("\n"))
    if not colon:
        if schema == "-":
            raise UsageError("the standard input is in no revision", "name it: REV:PATH")
        # The folder's links are resolved, the file's own is not: git has the link's name.
        place = folder.resolve() / Path(schema).name
        try:
            path = place.relative_to(root.resolve()).as_posix()
        except ValueError:
            raise UsageError(f"'{schema}' is not in the repository {root}") from None
    elif path.startswith(("./", "../")):
        path = os.path.relpath(Path.cwd() / path, root.resolve()).replace(os.sep, "/")
    read = _reader(folder, revision, commit)
    top_path = f"{revision}:/{path}"
    try:
        read(top_path)
    except OSError as error:
        hint = f"if it had another name: --against {revision}:OLD/PATH"
        raise UsageError(f"'{path}' is not in revision '{revision}'", hint) from error
    start = f"{revision}:/"
    return Baseline(top_path, read, lambda path: path.replace(start, start[:-1], 1))


def _reader(folder: Path, revision: str, commit: str) -> Reader:
    start = f"{revision}:/"

    def read(path: str) -> bytes:
        name = path[len(start) :] if path.startswith(start) else ""
        if not name:
            raise FileNotFoundError(2, "it would be outside of the repository", path)
        text = _git(folder, "cat-file", "blob", f"{commit}:{name}")
        if text is None:
            raise FileNotFoundError(2, f"not in revision {revision}", path)
        return text

    return read


def _commit(revision: str, folder: Path) -> str | None:
    if not revision:
        return None
    verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    text = _git(folder, *verify, revision + "^{commit}")
    return None if text is None else text.decode("ascii", "replace").strip()


def _git(folder: Path, *command: str) -> bytes | None:
    """Output of git; None if it fails, or if there is no git."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "--no-pager", *command], cwd=folder if folder.is_dir() else None,
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None
