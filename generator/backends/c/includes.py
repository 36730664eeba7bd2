# SPDX-License-Identifier: BSD-3-Clause
"""Which headers of the runtime generated C includes: those that define what it uses."""

import functools
import re
from collections.abc import Iterable
from importlib import resources

ALWAYS = ("ctr_module.h", "ctr_port.h", "ctr_quiescent.h", "ctr_values.h")
"""Headers that every generated header includes: threads, quiescence, readers."""

TABLES = "ctr_table.h"
"""Tables are for sources; headers pass pointers to them."""

_NAMES = [re.compile(rf"{word}_(?<!\w{word}_)\w+") for word in ("ctr", "CTR")]
"""With nothing before the words, which makes the search much faster than `\\b` would."""

_INCLUDE = re.compile(r'^#include "(\w+\.h)"$', re.MULTILINE)
_DEFINED = re.compile(
    r"^#define ((?:ctr|CTR)_\w+)"  # a macro
    r"|^(?:struct|enum) (ctr_\w+) \{"  # a type
    r"|^\t(CTR_\w+)\b"  # a constant of an enum
    r"|^(ctr_\w+)\("  # an inline function
    r"|^(?!static|struct \w+;|#|\s|/)[\w *]*?\b(ctr_\w+)[(;\[]",  # a declaration
    re.MULTILINE,
)
_APART = ("ctr.h", "ctr_bench.h", "ctr_bpf.h")
"""The header of all; that of benchmark programs; that of programs for the kernel."""


@functools.cache
def _headers() -> dict[str, str]:
    folder = resources.files("ctrgen.runtime") / "include"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name: file.read_text("utf-8") for file in files if file.name not in _APART}


@functools.cache
def _places() -> dict[str, str]:
    """The header of each name. That of several ports is the one that includes both."""
    places: dict[str, str] = {}
    for header, text in _headers().items():
        of_all_ports = re.sub(r"_(?:posix|dpdk)\.h$", ".h", header)
        for found in _DEFINED.finditer(text):
            places.setdefault(next(filter(None, found.groups())), of_all_ports)
    return places


@functools.cache
def _reached(header: str) -> frozenset[str]:
    """Headers that a header includes, directly or indirectly."""
    own = frozenset(_INCLUDE.findall(_headers()[header])) & _headers().keys()
    return own.union(*(_reached(name) for name in own))


def in_header(text: str) -> list[str]:
    """Headers that a generated header with the body `text` includes."""
    return _least(_defining(text) - {TABLES} | {*ALWAYS})


def in_source(text: str, header: str) -> list[str]:
    """Headers that a generated source includes in addition to its `header`."""
    return _least(_defining(text), {*_INCLUDE.findall(header)} & _headers().keys())


def _defining(text: str) -> set[str]:
    """The headers that define what text uses."""
    places = _places()
    used = {name for names in _NAMES for name in names.findall(text)}
    return {places[name] for name in used & places.keys()}


def _least(headers: set[str], included: Iterable[str] = ()) -> list[str]:
    """Those that none of the others includes, nor is included already. Sorted."""
    there = {*included}.union(*(_reached(name) for name in (*headers, *included)))
    return sorted(headers - there)
