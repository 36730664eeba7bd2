# SPDX-License-Identifier: BSD-3-Clause
"""`defaults` of a file and `sets` of items, put into scopes before anything is validated. They keep
their positions; findings about them mention the scopes that use them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...findings.diagnostics import Diagnostic, Diagnostics, Severity, Span, declare
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

_SHOWN = 3
"""Uses of a set that a finding mentions."""


class Use(NamedTuple):
    """A scope that uses a set, and the location of the use."""

    scope: str
    where: Span


@dataclass(slots=True)
class Set:
    """A set of items: the location of its name, its contents, its users."""

    name: str
    node: Node
    where: Span
    uses: list[Use] = field(default_factory=list)

    def holds(self, place: Span) -> bool:
        """Whether a place is in the definition."""
        whole = span(self.node.region)
        start, end = (whole.line, whole.column), (whole.end_line, whole.end_column)
        return whole.path == place.path and start <= (place.line, place.column) < end

    def mentioned(self) -> str:
        """`used by scope 'port' (ep.yaml:7)`."""
        shown = [f"'{use.scope}' ({use.where.path}:{use.where.line})" for use in self.uses[:_SHOWN]]
        more = len(self.uses) - len(shown)
        return f"used by scope {', '.join(shown)}{f' and {more} more' if more else ''}"


def expand(raws: list[Raw], diagnostics: Diagnostics) -> list[Set]:
    """Put the defaults and sets of all files into scopes; returns the sets, for `mention`. What is
    not of the right shape stays as it is: validation finds it."""
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
    return list(sets.values())


def mention(sets: list[Set], diagnostics: Diagnostics) -> None:
    """Say in findings about what is in sets which scopes use it."""
    used = [found for found in sets if found.uses]

    def mentioned(finding: Diagnostic) -> Diagnostic:
        holder = next((found for found in used if found.holds(finding.span)), None)
        if holder is None:
            return finding
        hint = "; ".join(filter(None, [finding.hint, holder.mentioned()]))
        return finding._replace(hint=hint)

    if used:
        diagnostics.amend(mentioned)


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
        if any(other.scope == name and other.where.path == where.path for other in used.uses):
            message = f"scope '{name}' uses set '{used.name}' twice"
            diagnostics.report("duplicate-set", where, message, "remove one of the two")
            continue
        used.uses.append(Use(name, where))
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
