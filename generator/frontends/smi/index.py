# SPDX-License-Identifier: BSD-3-Clause
"""Which modules the files of a folder define, and what these import; by their text, not by name.

A process reads a file again when its size or time has changed.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from ..raw import MAX_BYTES
from .source import decode, headed

Modules = dict[str, list[str]]
"""What a file defines: the names of modules, each with the modules that it imports from."""
Entry = tuple[int, int, Modules]
"""Time (ns) and size (octets) of a file when it was read, and what it defines."""

FIRST = 256 << 10
"""Octets in which the first module of a file begins; no more is read of what is no module."""
_IMPORTS = re.compile(r"\bIMPORTS\b([^;]*)(?:;|\Z)")
_FROM = re.compile(r"\bFROM\s+([A-Za-z][\w-]*)")
_HEAD = re.compile(rb"\bDEFINITIONS\b")

known: dict[str, dict[str, Entry]] = {}
"""Folders that this process has read: names of files, and what was found in them."""


def folder(path: str) -> dict[str, Modules]:
    """The files of a folder that define modules, by name, each with what it defines."""
    real = os.path.realpath(path)
    before = known.get(real, {})
    now: dict[str, Entry] = {}
    for name, when, size in _files(real):
        entry = before.get(name)
        if entry is None or entry[:2] != (when, size):
            entry = (when, size, _defined(Path(real, name), size))
        now[name] = entry
    known[real] = now
    return {name: modules for name, (_, _, modules) in now.items() if modules}


def _files(path: str) -> list[tuple[str, int, int]]:
    """Name, time and size of the files of a folder, sorted by name; nothing if it is shut."""
    found = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                try:
                    state = entry.stat()
                except OSError:
                    continue
                if stat.S_ISREG(state.st_mode) and 0 < state.st_size <= MAX_BYTES:
                    found.append((entry.name, state.st_mtime_ns, state.st_size))
    except OSError:
        return []
    return sorted(found)


def _defined(path: Path, size: int) -> Modules:
    """What a file defines; nothing for what cannot be read or is no text."""
    try:
        with path.open("rb") as file:
            data = file.read(FIRST)
            if b"\0" in data or not _HEAD.search(data):
                return {}
            data += file.read(size) if size > FIRST else b""
    except OSError:
        return {}
    found: Modules = {}
    for name, text in headed(decode(data)):
        imports = _IMPORTS.search(text)
        found.setdefault(name, sorted({*_FROM.findall(imports[1])}) if imports else [])
    return found
