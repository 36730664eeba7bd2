# SPDX-License-Identifier: BSD-3-Clause
"""Which modules the files of a folder define, and what these import; by their text, not by name.

A folder of thousands of files is read once: what was found is kept in the user's cache folder,
and a file is read again when its size or time has changed. Without a cache folder nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..raw import MAX_BYTES
from .source import decode, headed

Modules = dict[str, list[str]]
"""What a file defines: the names of modules, each with the modules that it imports from."""
Entry = tuple[int, int, Modules]
"""Time (ns) and size (octets) of a file when it was read, and what it defines."""

FIRST = 256 << 10
"""Octets in which the first module of a file begins; no more is read of what is no module."""
FRESH = 2_000_000_000
"""A file that changed so many ns before it was read may change again at the same time."""
SMALL = 20
"""Nothing is kept of a folder with fewer files: to read it takes no time."""
_VERSION = 1
_IMPORTS = re.compile(r"\bIMPORTS\b([^;]*)(?:;|\Z)")
_FROM = re.compile(r"\bFROM\s+([A-Za-z][\w-]*)")
_HEAD = re.compile(rb"\bDEFINITIONS\b")

known: dict[str, dict[str, Entry]] = {}
"""Folders that this process has read: names of files, and what was found in them."""


def folder(path: str) -> dict[str, Modules]:
    """The files of a folder that define modules, by name, each with what it defines."""
    real = os.path.realpath(path)
    before = known[real] if real in known else _kept(real)
    now: dict[str, Entry] = {}
    fresh = False
    for name, when, size in _files(real):
        entry = before.get(name)
        if entry is None or entry[:2] != (when, size):
            entry, fresh = (when, size, _defined(Path(real, name), size)), True
        now[name] = entry
    if fresh or len(now) < len(before):
        _keep(real, now)
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


# ---- what is kept ----


def cache() -> Path | None:
    """The folder that ctrgen may keep things in, None for a user without one."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    home = os.path.expanduser("~/.cache")  # noqa: PTH111 (Path raises without a home)
    base = Path(stated if Path(stated).is_absolute() else home)
    return base / "ctrgen" / "modules" if base.is_absolute() else None


@lru_cache
def _file(real: str) -> str:
    return f"{hashlib.sha256(os.fsencode(real)).hexdigest()[:32]}.json"


def _kept(real: str) -> dict[str, Entry]:
    """What was kept of a folder; nothing when there is no such file, or anything else in it."""
    place = cache()
    if place is None:
        return {}
    try:
        data = json.loads((place / _file(real)).read_bytes())
        if data["version"] != _VERSION or data["folder"] != real:
            return {}
        return {name: _entry(*entry) for name, entry in data["files"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def _entry(when: Any, size: Any, modules: Any) -> Entry:
    if not all(isinstance(of, list) for of in modules.values()):
        raise TypeError("not a list of imports")
    return (int(when), int(size), {str(name): [*map(str, of)] for name, of in modules.items()})


def _keep(real: str, entries: dict[str, Entry]) -> None:
    """Keep what was found in a folder, whole or not at all; no error if that cannot be."""
    place, last = cache(), time.time_ns() - FRESH
    old = {name: entry for name, entry in entries.items() if entry[0] < last}
    if place is None or len(old) < SMALL:
        return
    temporary = place / f".{_file(real)}.{secrets.token_hex(4)}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        data = json.dumps({"version": _VERSION, "folder": real, "files": old})
        temporary.write_text(data, "utf-8")
        temporary.replace(place / _file(real))
    except (OSError, ValueError):
        _forget(temporary)


def _forget(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError:
        return
