# SPDX-License-Identifier: BSD-3-Clause
"""A YANG module of the same objects, and C that writes their values as JSON (RFC 7951)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...model import health, ir
from ...model.naming import symbols
from ...output.render import render
from ...publish import text
from ...publish.assign import assign
from ...publish.lock import Lock
from .. import BuiltIn, Options, in_short
from .tree import Leaf, Node, container, mapped, nodes, notified, shows

_RFC6991 = "RFC 6991: Common YANG Data Types"
IMPORTS = (("yang", "ietf-yang-types", _RFC6991), ("inet", "ietf-inet-types", _RFC6991))
"""Modules that types come from: prefix, name, where they are defined."""


class Written(NamedTuple):
    """A node whose values are written: the place of its scope, the leaves that have an item, and
    the leaf of the last discontinuity, if there is one."""

    node: Node
    place: int
    leaves: tuple[Leaf, ...]
    discontinuity: str


def _imports(found: list[Node]) -> list[tuple[str, str, str]]:
    used = {leaf.type.name.partition(":")[0] for node in found for leaf in node.keys + node.leaves}
    return [entry for entry in IMPORTS if entry[0] in used]


def _revisions(lock: Lock) -> list[tuple[str, str]]:
    """Dates and descriptions, newest first: those of one day are one revision."""
    by_day: dict[str, list[str]] = {}
    for revision in lock.revisions:
        by_day.setdefault(revision.date[:10], []).append(revision.description)
    return [(day, "\n\n".join(texts)) for day, texts in by_day.items()]


def _written(module: ir.Module, found: list[Node]) -> Iterator[Written]:
    """The nodes whose values the application can write: all but those whose keys only it knows."""
    places = {scope.name: place for place, scope in enumerate(health.shown(module))}
    for node in found:
        if node.scope is None or mapped(module, node):
            continue
        items = node.scope.items
        leaves = [
            leaf
            for leaf in node.leaves
            if leaf.item is not None and shows(leaf.type, items[leaf.item])
        ]
        jumps = (leaf.name for leaf in node.leaves if leaf.role == "discontinuity")
        yield Written(node, places[node.scope.name], tuple(leaves), next(jumps, ""))


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The module and the C; nothing when there is nothing to show."""
    lock = options.lock or assign(module, None).lock
    found = nodes(module, lock)
    if not found:
        return {}
    written = list(_written(module, found))
    name, prefix = container(lock), module.name.replace("_", "-")
    text_of_module = render(
        "yang/module.yang.j2", options=options, m=module, name=name, mib=lock.name,
        prefix=name if prefix in ("yang", "inet") else prefix, namespace=module.snmp.namespace,
        imports=_imports(found), nodes=found, notifications=list(notified(module, lock, found)),
        revisions=_revisions(lock), draft=text.DRAFT,
    )  # fmt: skip
    p = symbols.prefix(module.name)
    shown = {node.node.scope for node in written}
    files = {
        f"{p}_yang{end}": render(
            f"yang/module{end}.j2", options=options, p=p, name=name, written=written,
            sym=symbols.of_module(module),
            left_out=[node.name for node in found if node.scope and node.scope not in shown],
        )
        for end in (".h", ".c")
    }  # fmt: skip
    return {f"{name}.yang": text_of_module, **files}


BACKEND = BuiltIn("yang", in_short(__doc__), generate, default=False, uses_lock=True)
