# SPDX-License-Identifier: BSD-3-Clause
"""The C runtime copied next to generated code (`ctrgen build --vendor-runtime`): the files that
that code can reach, by the headers that it includes and the strategies that it names.

Each file is the same for all schemas, so that several can share a folder.
"""

import re
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from . import runtimeinfo

UMBRELLA = "ctr.h"
"""The header of all, for applications; no reason to copy what only it includes but headers."""

_INCLUDE = re.compile(r'^#include "(\w+\.h)"$', re.MULTILINE)
_STRATEGY = re.compile(r"\bctr_strategy_\w+")
_DEFINED = re.compile(r"^const struct ctr_strategy (ctr_strategy_\w+) = ", re.MULTILINE)


def files(prefix: str, generated: Mapping[str, str], parts: Iterable[str]) -> dict[str, str]:
    """The runtime as relative path -> text, ready to be copied; `prefix` ends in a slash.

    `generated` are the files of the schema; those in subfolders are ignored. `parts` are optional
    parts of the runtime that the application needs in addition.
    """
    texts = [text for name, text in generated.items()
             if name.endswith((".c", ".h")) and "/" not in name]  # fmt: skip
    rooms = {"core", *(f"port/{port}" for port in runtimeinfo.PORTS),
             *(f"parts/{part}" for part in parts)}  # fmt: skip
    sources = dict(_strategies(texts))
    while True:
        sources |= {path: f"src/{room}/{path.name}" for room in sorted(rooms)
                    for path in runtimeinfo.room_sources(room)}  # fmt: skip
        beside = {each for path in sources for each in path.parent.glob("*.h")}
        reached = _reached([*texts, *(path.read_text("utf-8") for path in {*sources, *beside})])
        helpers = {path: f"src/strategies/{path.name}"
                   for path in runtimeinfo.room_sources("strategies")
                   if f"{path.stem}.h" in reached}  # fmt: skip
        more = _parts(reached)
        if helpers.keys() <= sources.keys() and more <= rooms:
            break
        sources |= helpers
        rooms |= more
    return _copied(prefix, sources, reached | _reached([_header(UMBRELLA)]) | {UMBRELLA})


def _header(name: str) -> str:
    return (runtimeinfo.path() / "include" / name).read_text("utf-8")


def _strategies(texts: Iterable[str]) -> Iterable[tuple[Path, str]]:
    """The C files of the strategies that are named, and where they are copied to."""
    named = {name for text in texts for name in _STRATEGY.findall(text)}
    for path in runtimeinfo.strategies():
        if named & {*_DEFINED.findall(path.read_text("utf-8"))}:
            yield path, f"src/strategies/{path.name}"


def _parts(reached: Iterable[str]) -> set[str]:
    """The folders of parts whose own header is reached."""
    names = (*runtimeinfo.PARTS, *runtimeinfo.COMMON_PARTS)
    return {f"parts/{name}" for name in names if f"ctr_{name}.h" in reached}


def _reached(texts: Iterable[str]) -> set[str]:
    """The headers of the runtime that texts include, and those that these include."""
    known = {path.name for path in (runtimeinfo.path() / "include").glob("*.h")} - {UMBRELLA}
    found: set[str] = set()
    todo = list(texts)
    while todo:
        new = known & {*_INCLUDE.findall(todo.pop())} - found
        found |= new
        todo += map(_header, new)
    return found


def _copied(prefix: str, sources: Mapping[Path, str], headers: Iterable[str]) -> dict[str, str]:
    """Sources with the headers of their folders, public headers, and the meson.build file."""
    copies = {f"include/{name}": _header(name) for name in headers}
    for path, place in sources.items():
        copies[place] = path.read_text("utf-8")
        for beside in path.parent.glob("*.h"):
            copies[f"{place.rpartition('/')[0]}/{beside.name}"] = beside.read_text("utf-8")
    project = resources.files("ctrgen.templates") / "meson" / "runtime.build"
    copies["meson.build"] = project.read_text("utf-8")
    return {f"{prefix}{name}": text for name, text in sorted(copies.items())}
