# SPDX-License-Identifier: BSD-3-Clause
"""A YANG module of the same objects, and C that writes their values as JSON (RFC 7951)."""

from collections.abc import Iterator, Sequence
from typing import Any

from ..model import health, ir
from ..model.naming import symbols
from ..model.naming.yang import module_name
from ..output.render import render
from ..publish import notifications, text
from ..publish.assign import assign
from ..publish.lock import Lock
from . import BuiltIn, Options, in_short
from .tree import MOMENT, Node, Tree, Type, free, named, numeric, status, worst

_RFC6991 = "RFC 6991: Common YANG Data Types"
IMPORTS = (("yang", "ietf-yang-types", _RFC6991), ("inet", "ietf-inet-types", _RFC6991))
"""Modules that types come from: prefix, name, where they are defined."""

_LONGEST = 80  # columns of a path on one line, at most
_ADDRESS = "inet:ip-address-no-zone"
_TEXTS = {
    "ipv4": (_ADDRESS, "inet:ipv4-address-no-zone"), "mac": ("yang:mac-address",),
    "ipv6": (_ADDRESS, "inet:ipv6-address-no-zone"),
}  # fmt: skip
"""Types that show values of items that are no numbers; others are text."""


def _notified(tree: Tree, top: str, found: Sequence[Node]) -> Iterator[dict[str, Any]]:
    """The notifications in the order of their OIDs, each with the keys of the entry that it is
    about, and what it carries. Objects that no node has are left out: those of other modules, and
    what only SNMP needs."""
    leaves = {leaf.object: (node, leaf) for node in found for leaf in (*node.leaves, *node.keys)}
    taken = {top}
    for entry in (one for one in tree.lock.published if one.kind == notifications.KIND):
        carried: dict[tuple[str, str], dict[str, Any]] = {}
        names: set[str] = set()
        for node, leaf in (leaves[name] for name in entry.members if name in leaves):
            for part in (*node.keys, leaf):
                if (node.name, part.name) not in carried:
                    path = [f"/{name}" for name in (top, node.name, part.name)]
                    carried[node.name, part.name] = {
                        "name": free(names, part.name, f"{node.name}-{part.name}"), "leaf": part,
                        "steps": path if len("".join(path)) > _LONGEST else ["".join(path)],
                        "status": worst(status(entry), part.status, node.status),
                    }  # fmt: skip
        yield {
            "name": named(taken, entry.name, tree.common(entry.name)), "status": status(entry),
            "description": entry.description or entry.name, "leaves": list(carried.values()),
        }  # fmt: skip


def _shows(kind: Type, item: ir.Item) -> bool:
    """Whether values of an item are values of a type: an object may have a type of its own."""
    if item.value_type.text:
        return kind.name in _TEXTS.get(item.type, ("string",))
    if item.value_type.moment:
        return kind.name == MOMENT
    if kind.labels or item.type == "bool":
        return bool(kind.labels) or kind.name == "boolean"
    return numeric(kind.name)


def _written(module: ir.Module, found: Sequence[Node]) -> Iterator[dict[str, Any]]:
    """The nodes whose values are written, which are all but those whose keys only the application
    knows: the place of the scope, the leaves that have an item, and the leaf of the last
    discontinuity, if there is one."""
    places = {scope.name: place for place, scope in enumerate(health.shown(module))}
    for node in found:
        scope = node.scope
        if scope and not node.mapped and not any(module.scope(n.scope).key for n in scope.levels):
            jumps = (leaf.name for leaf in node.leaves if leaf.role == "discontinuity")
            pairs = (
                (leaf, scope.items[leaf.item]) for leaf in node.leaves if leaf.item is not None
            )
            yield {
                "node": node, "place": places[scope.name], "discontinuity": next(jumps, ""),
                "leaves": [leaf for leaf, item in pairs if _shows(leaf.type, item)],
            }  # fmt: skip


def _revisions(lock: Lock) -> list[tuple[str, str]]:
    """Dates and descriptions, newest first: those of one day are one revision."""
    by_day: dict[str, list[str]] = {}
    for revision in lock.revisions:
        by_day.setdefault(revision.date[:10], []).append(revision.description)
    return [(day, "\n\n".join(texts)) for day, texts in by_day.items()]


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The module and the C; nothing when there is nothing to show."""
    tree = Tree(module, options.lock or assign(module, None).lock)
    found, name, p = list(tree.nodes()), module_name(tree.lock.name), symbols.prefix(module.name)
    if not found:
        return {}
    start, written = module.name.replace("_", "-"), list(_written(module, found))
    used = {leaf.type.name.partition(":")[0] for node in found for leaf in node.keys + node.leaves}
    shown = {one["node"].scope for one in written}
    context = {
        "options": options, "m": module, "mib": tree.lock.name, "name": name, "p": p,
        "prefix": name if start in ("yang", "inet") else start, "nodes": found,
        "imports": [entry for entry in IMPORTS if entry[0] in used],
        "notifications": list(_notified(tree, name, found)), "draft": text.DRAFT,
        "revisions": _revisions(tree.lock), "written": written, "sym": symbols.of_module(module),
        "left_out": [node.name for node in found if node.scope and node.scope not in shown],
    }  # fmt: skip
    files = {f"{name}.yang": "yang", f"{p}_yang.h": "h", f"{p}_yang.c": "c"}
    return {file: render(f"yang/module.{end}.j2", **context) for file, end in files.items()}


BACKEND = BuiltIn("yang", in_short(__doc__), generate, default=False, uses_lock=True)
