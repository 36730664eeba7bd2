# SPDX-License-Identifier: BSD-3-Clause
"""Names and free text in C: what is reserved, what is generated, how text is escaped.

docs/naming.md describes these rules for users.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...findings.diagnostics import Span
from .. import ir
from .words import KEYWORDS, MACROS, TYPES

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
"""What a name in a schema looks like: a C identifier that starts with a letter."""

_UPDATES = "self out last b n i lcore v snap slot end first u wb memset memcpy"
_SCOPES = """
    at calloc chunk common counted data drop end_ns free index kept live lock made memory node now
    offset one op rc reset_seq seq start_ns strnlen sum tries valid value word worst
"""

PARAMETERS = frozenset(_UPDATES.split())
"""Names that generated updates use for their own parameters, variables and functions."""

INDEXES = PARAMETERS | frozenset(_SCOPES.split())
"""Names that generated functions with an index, or the structs around a scope, use themselves."""

_FORMAT_MACRO = re.compile("(PRI|SCN)[diouxX]")

MEMBERS = frozenset(["live", "lock"])
"""Names of generated members beside the items of a scope."""

DERIVED = ("_v", "_last", "_node", "_data", "_common")
"""Suffixes with which generated functions make variables from their parameters."""

PREFIXES = ("rte_", "ctr_")
"""Prefixes (in any case) of DPDK's names and of the runtime's."""

SCOPE_SUFFIXES = (
    *("read", "lcore_read", "reset", "reset_all", "valid", "max", "items", "index_names"),
    *("index_maxima", "data", "offset", "common", "collect", "restart", "prefetch", "read_at"),
    *("reset_at", "snapshot_read", "snapshot_reset"),
)
"""Functions, types and variables of every scope."""

STORAGE_SUFFIXES = {
    ir.Storage.STATIC: (),
    ir.Storage.DYNAMIC: (
        *("create", "destroy", "exists", "find", "find_common", "chunk", "common_chunk", "grow"),
        *("shrink", "provide"),
    ),
    ir.Storage.EMBEDDED: ("embedded", "init"),
}
"""Further functions and types of a scope, by where its instances live."""

MODULE_SUFFIXES = (
    *("init", "fini", "flush", "try_flush", "hint_flush", "reset", "read_lock", "read_unlock"),
    *("drops", "module", "batch", "batch_begin", "batch_end", "snapshot", "snapshot_create"),
    *("snapshot_read", "snapshot_reset", "snapshot_free", "scopes", "common", "control", "drop"),
    *("dropped", "ready"),
)
"""Functions, types and variables of every module."""

DOMAIN_SUFFIXES = (
    *("instance", "self", "slots", "shared", "pool", "buffer", "held", "up", "wb", "lock", "flush"),
    *("leave", "drop_chunks", "foreign", "foreign_lock", "foreign_enter", "foreign_leave"),
    *("foreign_add32", "foreign_add64"),
)
"""Functions, types and variables of the scopes that share a strategy."""

UPDATE_PREFIXES = ("update", "batch", "run")
"""What goes before the name of an update in its functions."""


def prefix(module: str) -> str:
    """What the names of a module start with: `ep` gives `ep_stats`."""
    return f"{module}_stats"


def reserved(name: str) -> str:
    """Why a name cannot be used in C or C++, or nothing when it can."""
    if name in KEYWORDS:
        return KEYWORDS[name]
    if name in MACROS:
        return f"a macro of {MACROS[name]}"
    if name in TYPES:
        return "a type of the C library"
    if name.startswith("_"):
        return "reserved for the compiler: it starts with an underscore"
    if "__" in name:
        return "reserved in C++: it holds two underscores in a row"
    lower = name.lower()
    if name == name.upper() or _FORMAT_MACRO.match(name):
        return "kept for macros, which have no lower-case letters"
    for start in PREFIXES:
        if lower.startswith(start):
            return "reserved for DPDK" if start == "rte_" else "reserved for the runtime of ctrgen"
    return ""


def fold(name: str) -> str:
    """A name as management protocols tell names apart: `RxPkts` and `rx_pkts` are the same."""
    return name.replace("_", "").lower()


class Symbol(NamedTuple):
    """A generated C name, what it is generated for, and where that was written."""

    name: str
    owner: str
    span: Span


def _scope_symbols(base: str, scope: ir.Scope) -> Iterator[Symbol]:
    what, span = f"scope '{scope.name}'", scope.span
    name = f"{base}_{scope.name}"
    yield Symbol(name, what, span)
    for suffix in (*SCOPE_SUFFIXES, *STORAGE_SUFFIXES[scope.storage]):
        yield Symbol(f"{name}_{suffix}", what, span)
    start = base if scope.name == ir.GLOBAL else name
    upper = name.upper()
    if scope.name != ir.GLOBAL:
        yield Symbol(f"{upper}_MAX", what, span)
    for item in scope.items:
        owner = f"{item.kind.value} '{scope.name}.{item.name}'"
        for verb in item.kind.accessors:
            yield Symbol(f"{start}_{verb}_{item.name}", owner, item.span)
        if item.labels:
            yield Symbol(f"{name}_{item.name}", owner, item.span)
            yield Symbol(f"{name}_{item.name}_labels", owner, item.span)
        for label in item.labels:
            constant = f"{upper}_{item.name}_{label.name}".upper()
            yield Symbol(constant, f"label '{label.name}' of {owner}", item.span)


def _module_symbols(base: str, module: ir.Module) -> Iterator[Symbol]:
    suffixes = list(MODULE_SUFFIXES)
    strategies = sorted({scope.sync.strategy for scope in module.scopes})
    for start in ("", *(f"{strategy}_" for strategy in strategies)):
        suffixes += [start + suffix for suffix in DOMAIN_SUFFIXES]
    for suffix in dict.fromkeys(suffixes):
        yield Symbol(f"{base}_{suffix}", "the module itself", module.span)


def symbols(module: ir.Module) -> Iterator[Symbol]:
    """Every C name that a module generates, in the order of the schema.

    Tags, functions and constants are taken together: C++ keeps them in one space.
    """
    base = prefix(module.name)
    yield from _module_symbols(base, module)
    for scope in module.scopes:
        yield from _scope_symbols(base, scope)
    for update in module.updates:
        owner = f"update '{update.name}'"
        for start in UPDATE_PREFIXES:
            yield Symbol(f"{base}_{start}_{update.name}", owner, update.span)
        yield Symbol(f"{base}_update_{update.name}_bulk", owner, update.span)
        for suffix in ("run", "foreign"):
            yield Symbol(f"{base}_{update.name}_{suffix}", owner, update.span)


INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that show nothing, or turn the text around them."""
_DOXYGEN = re.compile(r"[\\@]|[<&](?=[A-Za-z/!#])|[#%](?=\w)")
_TRIGRAPH = re.compile(r"\?(?=\?)")


def escape_comment(text: str) -> str:
    """Free text for the inside of a `/** */` comment, on one line.

    Nothing in it ends the comment, starts another one, continues a line,
    turns text around on a screen, or is a command to Doxygen.
    """
    text = " ".join(text.split())
    text = INVISIBLE.sub(lambda m: f"U+{ord(m[0]):04X}", text)
    text = _DOXYGEN.sub(lambda m: "\\" + m[0], text)
    text = _TRIGRAPH.sub("? ", text)
    while "*/" in text or "/*" in text:
        text = text.replace("*/", "* /").replace("/*", "/ *")
    return text[:-1] + "\\ ." if text.endswith("\\") else text


def escape_string(text: str) -> str:
    """Free text for the inside of a C string literal, without the quotes.

    Everything but printable ASCII becomes octal escapes of its UTF-8 octets,
    which unlike hexadecimal ones cannot run on into what follows.
    """
    out: list[str] = []
    before = ""
    for char in text:
        if char in '"\\' or (char == "?" and before == "?"):
            out.append("\\" + char)
        elif " " <= char <= "~":
            out.append(char)
        else:
            out.append("".join(f"\\{octet:03o}" for octet in char.encode("utf-8", "replace")))
        before = char
    return "".join(out)


def string_literal(text: str) -> str:
    """Free text as a C string literal, quotes included."""
    return f'"{escape_string(text)}"'
