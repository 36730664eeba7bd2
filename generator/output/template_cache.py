# SPDX-License-Identifier: BSD-3-Clause
"""Keeps compiled templates between runs: compiling them is most of what a build takes.

The cache only ever makes a build faster. It lies in the user's own cache
folder, is used only when nobody else can write to it, and anything wrong with
it is as if it were empty. `CTRGEN_NO_CACHE=1` does without.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

from .. import __version__

SWITCH = "CTRGEN_NO_CACHE"
"""Environment variable that turns the cache off."""


class TemplateCache(jinja2.FileSystemBytecodeCache):
    """Compiled templates in a folder; Jinja2 compares checksums of their sources."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill `bucket` from its file, if there is a sound one."""
        with contextlib.suppress(OSError, EOFError, ValueError, TypeError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the file of `bucket`, whole or not at all."""
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


def _private(folder: Path) -> bool:
    """Whether this user, and nobody else, can change what is in `folder`."""
    status = folder.lstat()
    writable = stat.S_IMODE(status.st_mode) & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not writable


def template_cache(compiler: Path) -> TemplateCache | None:
    """The cache of this user, or None when there can be no safe one.

    `compiler` is the file that sets up the compiling: with another version of
    it, of Python or of Jinja2, another folder is used.
    """
    if os.environ.get(SWITCH):
        return None
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        if not base.is_absolute():
            return None
        tag = hashlib.sha256(compiler.read_bytes())
        tag.update(f"{__version__} {jinja2.__version__} {sys.version}".encode())
        root = base / "ctrgen"
        folder = root / f"templates-{tag.hexdigest()[:16]}"
        for path in (root, folder):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return TemplateCache(str(folder)) if _private(root) and _private(folder) else None
    except (OSError, RuntimeError):  # no home folder, or not a writable one
        return None
