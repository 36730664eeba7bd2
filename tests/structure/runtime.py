# SPDX-License-Identifier: BSD-3-Clause
"""Reads what files of the runtime need of each other: headers by `#include`, objects by symbols.

A room is core, port, parts or strategies: a folder of runtime/src, and for strategies that of
templates as well. Weak references count as none: they ask whether something is there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ctrgen.backends import runtimeinfo
from tests.support.cbuild import Build, shared
from tests.support.process import succeed

Needs = Mapping[str, Mapping[str, str]]
"""By object, the objects that it needs, and a symbol of each."""

_INCLUDE = re.compile(r'^#include "(\w+\.h)"$', re.MULTILINE)


def room(source: Path) -> str:
    """The room of a source."""
    parts = source.parts
    return parts[parts.index("src") + 1] if "src" in parts else "strategies"


def compiled(build: Build, folder: Path) -> dict[str, Path]:
    """The source of each object of the runtime, which is in the folder."""
    sources = runtimeinfo.sources(build.port, *build.parts)
    for source, made in zip(sources, shared().objects(build, sources, []), strict=True):
        (folder / f"{source.stem}.o").symlink_to(made)
    return {source.stem: source for source in sources}


def needs(folder: Path) -> dict[str, dict[str, str]]:
    """What the objects of a folder need of each other."""
    owner: dict[str, str] = {}
    wanted: dict[str, set[str]] = {}
    for path in sorted(folder.glob("*.o")):
        wanted[path.stem] = set()
        for line in succeed("nm", path).splitlines():
            kind, name = line.split()[-2:]
            if kind == "U":
                wanted[path.stem].add(name)
            elif kind in "TDBRVWC":
                owner[name] = path.stem
    return {
        each: {owner[name]: name for name in sorted(names) if owner.get(name, each) != each}
        for each, names in wanted.items()
    }


def circles(graph: Needs) -> list[list[str]]:
    """Objects that need each other, by others or at once; each circle sorted."""
    reach = {each: _reached(graph, each) for each in graph}
    found = {
        tuple(sorted(other for other in reach[each] if each in reach[other]))
        for each in graph
        if each in reach[each]
    }
    return [list(each) for each in sorted(found)]


def _reached(graph: Needs, start: str) -> set[str]:
    seen: set[str] = set()
    todo = list(graph[start])
    while todo:
        if (step := todo.pop()) not in seen:
            seen.add(step)
            todo += graph[step]
    return seen


def crossings(graph: Needs, rooms: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
    """References between rooms: `object: symbol`, by the two rooms."""
    found: dict[tuple[str, str], list[str]] = {}
    for each, others in graph.items():
        for other, symbol in others.items():
            if rooms[each] != rooms[other]:
                found.setdefault((rooms[each], rooms[other]), []).append(f"{each}: {symbol}")
    return found


def included(source: Path, folders: Iterable[Path]) -> Iterator[str]:
    """The headers of ours that a source includes, and those that these include."""
    places = {path.name: path for folder in folders for path in folder.glob("*.h")}
    seen: set[str] = set()
    todo = [source]
    while todo:
        for name in _INCLUDE.findall(todo.pop().read_text("utf-8")):
            if name in places and name not in seen:
                seen.add(name)
                todo.append(places[name])
                yield name
