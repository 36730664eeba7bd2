# SPDX-License-Identifier: BSD-3-Clause
"""`defaults` of a file and `sets` of items, put into scopes before anything is validated. They keep
their positions, at which findings about them are."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ...findings.diagnostics import Diagnostics, Severity, Span, declare
from ...findings.suggest import did_you_mean
from ...model.kinds import GROUPS
from ..raw import Node, Raw, mapping, plain, span

declare("unknown-set", Severity.ERROR, "What a scope uses is a set of some file of the schema.")
declare("duplicate-set", Severity.ERROR, "A set is written once, and used once by a scope.")
declare("empty-set", Severity.ERROR, "A set has at least one counter, gauge or state.")
declare("set-limit", Severity.ERROR, "Scopes take at most 100,000 items from sets.")
declare("unused-set", Severity.WARNING, "A set is used by a scope.")

MAX_ITEMS = 100_000
"""Most items that all scopes together have from sets."""


@dataclass(slots=True)
class Set:
    """A set of items: the location of its name, its contents, the scopes that use it by file."""

    name: str
    node: Node
    where: Span
    uses: set[tuple[str, str]] = field(default_factory=set)


def expand(raws: list[Raw], diagnostics: Diagnostics) -> None:
    """Put the defaults and sets of all files into scopes. What is not of the right shape stays as
    it is: validation finds it."""
    files = [raw for raw in raws if not raw.is_smi]
    touched = [raw for raw in files if {"defaults", "sets"} & mapping(raw.root).keys()]
    for raw in touched:
        _defaults(raw.root)
    sets = _collected(touched, diagnostics)
    used = [raw for raw in files if _use_all(raw.root, sets, diagnostics)]
    for raw in {id(raw): raw for raw in (*touched, *used)}.values():
        raw.data = plain(raw.root)
    for found in sets.values():
        if not any(_items(found.node)):
            message, hint = f"set '{found.name}' has no items", "add some, or remove the set"
            diagnostics.report("empty-set", found.where, message, hint)
        elif not found.uses and found.where.path == raws[0].path:  # others may use an included one
            message, hint = f"set '{found.name}' is not used", "write `use: [NAME]` in a scope"
            diagnostics.report("unused-set", found.where, message, hint)


def _below(node: Node, key: str) -> dict[str, Node]:
    return mapping(mapping(node).get(key))


# ---- defaults ----


def _defaults(root: Node) -> None:
    """Fill in the defaults of a file: in its scopes and sets, and the items of those."""
    defaults = _below(root, "defaults")
    scopes = _below(root, "scopes")
    of_scopes = mapping(defaults.get("scopes"))
    for name, scope in scopes.items():
        keys = mapping(scope)
        if name != "global" and {"use", *GROUPS} & keys.keys():  # else it only gives an index
            fixed = {"storage"} if "labels" in keys else set()
            scopes[name] = _filled(scope, {k: v for k, v in of_scopes.items() if k not in fixed})
    for holder in (*scopes.values(), *_below(root, "sets").values()):
        for kind in GROUPS:
            items = _below(holder, kind)
            for name, item in items.items():
                items[name] = _filled(item, mapping(defaults.get(kind)))


def _filled(node: Node, defaults: dict[str, Node]) -> Node:
    """A mapping with the keys that it does not have; an alias may have the same node."""
    if not isinstance(node.value, dict) or not defaults.keys() - node.value.keys():
        return node
    return replace(node, value={**defaults, **node.value})


# ---- sets ----


def _collected(raws: list[Raw], diagnostics: Diagnostics) -> dict[str, Set]:
    sets: dict[str, Set] = {}
    for raw in raws:
        for name, node in _below(raw.root, "sets").items():
            where = raw.key_span(("sets", name))
            first = sets.setdefault(name, Set(name, node, where))
            if first.node is not node:
                message = f"set '{name}' is already in {first.where.path}:{first.where.line}"
                diagnostics.report("duplicate-set", where, message, "rename one of the two")
    return sets


def _use_all(root: Node, sets: dict[str, Set], diagnostics: Diagnostics) -> bool:
    """Give the scopes of a file what they use; whether any does."""
    found = False
    scopes = _below(root, "scopes")
    for name, scope in scopes.items():
        use = mapping(scope).get("use")
        if use is not None and isinstance(use.value, list):
            scopes[name] = replace(scope)  # an alias may have the same node
            _use(name, scopes[name], use, sets, diagnostics)
            found = True
    return found


def _use(name: str, scope: Node, use: Node, sets: dict[str, Set], diagnostics: Diagnostics) -> None:
    groups: dict[str, dict[str, Node]] = {}
    origin: dict[str, Set] = {}
    for entry in use.value:
        where = span(entry.region)
        used = sets.get(entry.value) if isinstance(entry.value, str) else None
        if used is None:
            if isinstance(entry.value, str):
                hint = did_you_mean(entry.value, sets, "sets") if sets else "there are no `sets:`"
                diagnostics.report("unknown-set", where, f"there is no set '{entry.value}'", hint)
            continue
        if (name, where.path) in used.uses:
            message = f"scope '{name}' uses set '{used.name}' twice"
            diagnostics.report("duplicate-set", where, message, "remove one of the two")
            continue
        used.uses.add((name, where.path))
        for kind, item, node in _items(used.node):
            if item in origin:
                message = f"sets '{origin[item].name}' and '{used.name}' both have '{item}'"
                diagnostics.report("duplicate-item", where, message, "rename one of the two")
                continue
            origin[item] = used
            groups.setdefault(kind, {})[item] = node
    total = sum(len(found.uses) * sum(1 for _ in _items(found.node)) for found in sets.values())
    if total <= MAX_ITEMS:
        _join(name, scope, groups, origin, diagnostics)
    else:
        message = f"scopes take more than {MAX_ITEMS:,} items from sets"
        diagnostics.report("set-limit", span(use.region), message, "use smaller sets")


def _items(node: Node) -> Iterator[tuple[str, str, Node]]:
    for kind in mapping(node):
        if kind in GROUPS:
            for name, item in _below(node, kind).items():
                yield kind, name, item


def _join(
    name: str, scope: Node, groups: dict[str, dict[str, Node]], origin: dict[str, Set],
    diagnostics: Diagnostics,
) -> None:  # fmt: skip
    """Put the groups of items before those of a scope."""
    own = {kind: _below(scope, kind) for kind in GROUPS}
    joined: dict[str, Node] = {}
    for kind, items in groups.items():
        for item in items.keys() & own[kind].keys():
            where = span(own[kind][item].key or own[kind][item].region)
            message = f"scope '{name}' has '{item}' from set '{origin[item].name}' as well"
            diagnostics.report("duplicate-item", where, message, "rename one of the two")
        written = scope.value.get(kind)
        if written is None or written.value is None:
            joined[kind] = Node(items, next(iter(items.values())).region)
        elif isinstance(written.value, dict):
            joined[kind] = replace(written, value={**items, **own[kind], **items})
    rest = {key: node for key, node in scope.value.items() if key not in joined}
    scope.value = {**joined, **rest}
