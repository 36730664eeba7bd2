# SPDX-License-Identifier: BSD-3-Clause
"""SMIv2 (and SMIv1) modules as raw schemas, the same that YAML gives.

smidump reads them, pysmi behind it; docs/smi-mapping.md says what becomes what.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ...findings.diagnostics import Diagnostics, Span
from ..raw import Node
from . import findings as _findings  # noqa: F401  (declares the rules)
from . import places
from .source import Source, cycle, decode, looks_like, modules

__all__ = ["find", "is_module_name", "load", "looks_like"]

_MODULE_NAME = re.compile(r"[A-Z][A-Za-z0-9]*(-[A-Za-z0-9]+)*\Z")


def is_module_name(text: str) -> bool:
    """Whether a text could be the name of a module rather than of a file."""
    return _MODULE_NAME.match(text) is not None


def find(name: str, mib_path: tuple[str, ...] = (), own: Path | None = None) -> Path | None:
    """The file of a module, None when it is in none of the folders that are searched."""
    found = places.find(name, places.folders(mib_path, own))
    return found[0] if found else None


def load(
    path: str,
    data: bytes,
    diagnostics: Diagnostics,
    mib_path: tuple[str, ...] = (),
    wanted: str = "",
) -> Node | None:
    """The schema of the module in a file, or None after reporting why there is none.

    `path` names the file in findings; it need not exist. `wanted` is the module
    to take from a file with several; without it, the first one.
    """
    from ..yaml import MAX_BYTES

    whole = Span.of_file(path)
    if len(data) > MAX_BYTES:
        diagnostics.report("file-too-large", whole, f"the file holds {len(data)} octets")
        return None
    text = decode(data)
    diagnostics.source(path, text)
    source = _chosen(modules(text), path, wanted, diagnostics)
    if source is None:
        return None
    circle = cycle(source)
    if circle:
        line, column, end_line, end = (number + 1 for number in source.region(circle[0]))
        message = f"'{circle[0]}' is made from itself: {' <- '.join([*circle, circle[0]])}"
        diagnostics.report("import-cycle", Span(path, line, column, end_line, end), message)
        return None
    return _imported(source, path, mib_path, diagnostics)


def _chosen(found: list[Source], path: str, wanted: str, diagnostics: Diagnostics) -> Source | None:
    if not found:
        hint = "it starts with `NAME-MIB DEFINITIONS ::= BEGIN`"
        where = Span.of_file(path)
        diagnostics.report("import-unreadable", where, "this is not an SMI module", hint)
        return None
    chosen = next((one for one in found if one.name == wanted), found[0])
    for one in found:
        if one is not chosen:
            line, column = one.place(one.start)
            span = Span(path, line + 1, column + 1, line + 1, column + 1 + len(one.name))
            again = "a second module" if one.name == chosen.name else "module"
            message = f"{again} '{one.name}' in this file is not imported"
            hint = f"'{chosen.name}' is; put each module into a file of its own"
            diagnostics.report("import-several-modules", span, message, hint)
    return chosen


def _imported(
    source: Source, path: str, mib_path: tuple[str, ...], diagnostics: Diagnostics
) -> Node | None:
    from ...mib import names
    from . import comments, mapping, own, tree
    from .reading import Reading

    reading = Reading(source, path, mib_path, diagnostics)
    module = reading.run()
    if module is None:
        return None
    reading.far[module.name] = module
    said = own.Said(source)
    mine = own.whole(module, said)
    if mine:
        module = own.stripped(module, said)
    mapper = mapping.Mapper(module, source, path, reading.lookup, reading.object, reading.note)
    if mine and not said.imported:
        mapper.scopes = names.Made(module.name, module.identity)
    schema = mapper.run()
    if mine:
        own.restore(schema, module, mapper.holders, said)
    for definition in source.twice:
        line, column = source.place(definition.start)
        end = column + 1 + len(definition.name)
        span = Span(path, line + 1, column + 1, line + 1, end)
        message = f"'{definition.name}' is defined twice"
        diagnostics.report("import-duplicate", span, message, "the first one counts")
    if not mine:
        _left_out(source, reading.note)
    comments.apply(reading, schema, mapper.holders)
    if mine:
        own.settle(schema, module, mapper.holders, said)
    if not schema["scopes"]:
        message = f"'{module.name}' has no scalars and no tables"
        reading.note("import-no-objects", "", message, "there is nothing to count in it")
        return None
    return tree.node(schema, mapper.region(""))


_KINDS = {
    "NOTIFICATION-TYPE": "notifications",
    "TRAP-TYPE": "traps",
    "AGENT-CAPABILITIES": "agent capabilities",
    "MODULE-COMPLIANCE": "compliance statements",
    "OBJECT-GROUP": "object groups",
    "NOTIFICATION-GROUP": "notification groups",
}


def _left_out(source: Source, note: Callable[[str, str, str], None]) -> None:
    """Say what a schema has no words for, each kind once, at the first of it."""
    counts = Counter(one.macro for one in source.definitions.values() if one.macro in _KINDS)
    for macro, count in counts.items():
        first = next(one for one in source.definitions.values() if one.macro == macro)
        what = _KINDS[macro] if count > 1 else _KINDS[macro].removesuffix("s")
        verb = "are" if count > 1 else "is"
        message = f"{count} {what} {verb} not imported, '{first.name}' first"
        note("import-not-imported", first.name, message)
