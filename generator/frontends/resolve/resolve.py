# SPDX-License-Identifier: BSD-3-Clause
"""Turns validated files into the intermediate representation, every default filled in. What cannot
be represented (an update of an unknown counter, a scope inside of itself) is reported and left
out."""

import dataclasses

from ...findings.diagnostics import Diagnostics, Span, errors
from ...findings.suggest import Suggester
from ...model import ir
from ...model.kinds import DERIVED, GROUPS, HISTOGRAMS, KINDS, LIMITS
from ...model.language import defaults, schema, units
from ...model.language.items import Displayed
from ...model.naming.lines import listed
from ...model.types import TYPES
from . import levels, limits, notifications, operations, snmp, syncs
from .items import counters, derived, histogram, settle
from .levels import common, labels
from .place import Place, Resolution
from .validate import Part

errors({
    "duplicate-scope": "Only `global` may be written in more than one file.",
    "duplicate-item": "The items of a scope, and the counters of histograms, share names.",
    "duplicate-update": "An update is written in one file.",
    "duplicate-notification": "A notification is written in one file.",
    "unknown-parent": "The parent of a scope is a scope.",
    "parent-cycle": "A scope is not inside itself.",
    "parent-kind": "A parent has an index: it is neither global nor embedded.",
})  # fmt: skip

MAX_LEVELS = 8
"""Deepest nesting of scopes: each level is one parameter of every function."""


def resolve(
    parts: list[Part], diagnostics: Diagnostics, sync: schema.SyncChoice | str | None = None
) -> Resolution:
    """Join the files of a schema, the top file first, into one module. `sync` replaces the strategy
    of the module, not those that scopes name. The result is only fit for use when neither
    `diagnostics` nor `rules.check` has an error."""
    return _Resolver(parts, diagnostics, sync).run()


class _Resolver:
    def __init__(
        self, parts: list[Part], diagnostics: Diagnostics, sync: schema.SyncChoice | str | None
    ) -> None:
        self.parts = parts
        self.report = diagnostics.report
        self.diagnostics = diagnostics
        top = parts[0].model
        assert isinstance(top, schema.Schema)
        self.top = top
        self.places: dict[tuple[str, ...], Place] = {}
        self.globals: list[Place] = []
        self.scopes: dict[str, schema.Scope] = {}
        self.suggest = Suggester()
        self.requires = units.requires(top.requires, None)
        place = Place(parts[0], ("sync",))
        self.sync = syncs.resolve(sync or top.sync, place, diagnostics)
        raw = parts[0].raw
        self.span = raw.value_span(("module",)) if raw.has(("module",)) else Span.of_file(raw.path)
        self.sync_span = place.value() if place.has() else self.span

    def run(self) -> Resolution:
        for part in self.parts:
            self._collect(part)
        paths = self._paths()
        every = [self._scope(name, paths[name]) for name in self.scopes]
        outer = {scope.parent for scope in self.scopes.values()}
        inside = (s for s in every if s.storage is not ir.Storage.EMBEDDED and s.levels)
        bare = {scope.name for scope in inside if scope.name in outer and not scope.items}
        parents = tuple(scope for scope in every if scope.name in bare)
        scopes = tuple(scope for scope in every if scope.name not in bare)
        lost = {path for part in self.parts for path in part.lost}
        targets = operations.Targets((*parents, *scopes), self.diagnostics, lost)
        updates = tuple(
            operations.update(name, update, Place(part, ("updates", name)), targets)
            for part in self.parts
            for name, update in part.model.updates.items()
            if self._claim("update", name, Place(part, ("updates", name)))
        )
        resolved = (
            notifications.notification(name, entry, Place(part, ("notifications", name)), targets)
            for part in self.parts
            for name, entry in part.model.notifications.items()
            if self._claim("notification", name, Place(part, ("notifications", name)))
        )
        top, raw = self.top, self.parts[0].raw
        module = ir.Module(
            name=top.module,
            description=units.text(top.description) or defaults.module_description(top.module),
            scopes=scopes,
            updates=updates,
            bounds=top.bounds,
            poll=top.poll,
            source=raw.source,
            sources=tuple(part.raw.source for part in self.parts),
            span=self.span,
            snmp=snmp.module(top, raw, self.span),
            requires=self.requires,
            views=tuple(top.views),
            views_span=raw.value_span(("views",)) if raw.has(("views",)) else self.span,
            outputs=self._outputs(),
            scrape_interval=units.seconds((top.prometheus or schema.Prometheus()).scrape_interval),
            parents=parents,
            notifications=tuple(filter(None, resolved)),
        )
        return Resolution(module, self.parts[0], self.places, self.globals)

    def _outputs(self) -> tuple[str, ...]:
        """The backends that the first file asks for that asks for any."""
        for part in self.parts:
            if part.model.outputs:
                self.places["setting", "outputs"] = Place(part, ("outputs",))
                return tuple(part.model.outputs)
        return ()

    def _collect(self, part: Part) -> None:
        for name, scope in part.model.scopes.items():
            place = Place(part, ("scopes", name))
            if name == ir.GLOBAL:
                self.globals.append(place)
            if name == ir.GLOBAL and name in self.scopes:
                self._settings(place, scope)
            elif self._claim("scope", name, place):
                self.scopes[name] = scope

    def _claim(self, kind: str, name: str, place: Place) -> bool:
        """Whether a name is new. A name that another file has is reported."""
        first = self.places.setdefault((kind, name), place)
        if first is not place:
            message = f"{kind} '{name}' is already in {first.key().path}:{first.key().line}"
            self.report(f"duplicate-{kind}", place.key(), message, "rename one of the two")
        return first is place

    def _settings(self, place: Place, scope: schema.Scope) -> None:
        """Join what a later file says about `global` itself."""
        first = self.scopes[ir.GLOBAL]
        for key in sorted(scope.model_fields_set - {*GROUPS, "use"}):
            if getattr(first, key) == type(first).model_fields[key].default:
                setattr(first, key, getattr(scope, key))
                self.places.setdefault(("setting", key), place)
            else:
                message = f"'{key}' of scope 'global' is already set in another file"
                self.report("duplicate-scope", place.key(key), message, "keep one of the two")

    def _paths(self) -> dict[str, tuple[str, ...]]:
        """The chain of scopes with an index down to each scope; broken parents are cut off."""
        parents = {name: self._parent(name) for name in self.scopes}
        paths: dict[str, tuple[str, ...]] = {}
        for name in self.scopes:
            chain: dict[str, None] = {}
            step: str | None = name
            while step is not None and step not in paths and step not in chain:
                chain[step] = None
                step = parents[step]
            if step in chain:
                members = list(chain)
                place = self.places["scope", members[-1]]
                members = members[members.index(str(step)) :]
                round_trip = " -> ".join([*members[:8], "..."] if len(members) > 8 else members)
                message = f"scope '{members[-1]}' is inside itself: {round_trip} -> {step}"
                self.report("parent-cycle", place.value("parent"), message, "remove one `parent`")
                step = None
            base = paths[step] if step is not None else ()
            for member in reversed(chain):
                # A chain beyond MAX_LEVELS is reported by a rule; it need not grow.
                base = () if member == ir.GLOBAL else (*base[:MAX_LEVELS], member)
                paths[member] = base
        return paths

    def _parent(self, name: str) -> str | None:
        parent = self.scopes[name].parent
        if parent is None or name == ir.GLOBAL:
            return None
        rule, hint = "parent-kind", ""
        if parent == ir.GLOBAL:
            message, hint = "'global' cannot be a parent: it has no index", "leave `parent` out"
        elif parent not in self.scopes:
            rule, hint = "unknown-parent", self.suggest(parent, self.scopes, "scopes")
            message = f"there is no scope '{parent}'"
        elif self.scopes[parent].storage == "embedded":
            message = f"'{parent}' cannot be a parent: embedded scopes have no index"
        else:
            return parent
        self.report(rule, self.places["scope", name].value("parent"), message, hint)
        return None

    def _scope(self, name: str, path: tuple[str, ...]) -> ir.Scope:
        scope, place = self.scopes[name], self.places["scope", name]
        sync, sync_span = self.sync, self.sync_span
        if scope.sync is not None:
            where = self.places.get(("setting", "sync"), place) if name == ir.GLOBAL else place
            where = Place(where.part, (*where.path, "sync"))
            sync, sync_span = syncs.resolve(scope.sync, where, self.diagnostics), where.value()
        places = self.globals if name == ir.GLOBAL else [place]
        reset = self.top.reset if scope.reset is None else scope.reset
        items, found, limited = self._items(name, places)
        return ir.Scope(
            name=name,
            description=units.text(scope.description) or defaults.scope_description(name),
            items=items,
            levels=tuple(
                level for outer in path for level in levels.own(outer, self.scopes[outer])
            ),
            storage=ir.Storage(scope.storage),
            sync=sync,
            reset=bool(reset),
            requires=units.requires(scope.requires, self.requires),
            span=place.key(),
            sync_span=sync_span,
            renamed_from=scope.renamed_from or "",
            snmp=snmp.scope(scope),
            reset_lcores=reset == "per_lcore",
            histograms=found,
            limits=limited,
            key=levels.key(scope, place),
        )

    def _items(
        self, scope: str, places: list[Place]
    ) -> tuple[tuple[ir.Item, ...], tuple[ir.Histogram, ...], tuple[ir.Limit, ...]]:
        """The items of a scope, and the histograms and limits that some of them are parts of."""
        items: list[ir.Item] = []
        found: list[ir.Histogram] = []
        limited: list[ir.Limit] = []
        for place in places:
            model = place.part.model.scopes[scope]
            written = place.part.raw.data["scopes"][scope] or {}
            for group in (key for key in written if key in GROUPS):
                for name, entry in getattr(model, group).items():
                    where = Place(place.part, (*place.path, group, name))
                    if not self._claim_item(scope, name, where):
                        continue
                    if group == HISTOGRAMS:
                        made = histogram(scope, name, entry, where.key())
                        if all(self._claim_item(scope, part, where) for part in made.parts):
                            found.append(made)
                            items += counters(made)
                    elif group == LIMITS:
                        limit = limits.limit(scope, name, entry, where.key())
                        if all(self._claim_item(scope, part, where) for part in limit.parts):
                            limited.append(limit)
                            items += limits.items(limit)
                    elif group == DERIVED:
                        items.append(derived(scope, name, entry, where.key()))
                    else:
                        items.append(_item(scope, name, KINDS[group], entry, where.key()))
        items = self._marks(scope, items)

        def place_of(name: str) -> Place:
            return self.places["item", scope, name]

        items = settle(items, lambda item: place_of(item.name), self.report, self.suggest)
        items, settled = limits.settle(items, limited, place_of, self.report, self.suggest)
        return self._ordered(scope, items), tuple(found), settled

    def _marks(self, scope: str, items: list[ir.Item]) -> list[ir.Item]:
        """The items of a scope; peaks of a gauge are like it, those of no gauge are reported."""
        gauges = {item.name: item for item in items if item.kind is ir.Kind.GAUGE}
        for item in items:
            if item.of and item.of not in gauges:
                place = self.places["item", scope, item.name]
                if not place.broken("of"):
                    message = f"scope '{scope}' has no gauge '{item.of}'"
                    hint = self.suggest(item.of, gauges, f"gauges of '{scope}'")
                    self.report("unknown-item", place.value("of"), message, hint)
        own = {g.name: {key: getattr(g, key) for key in _OF_GAUGE} for g in gauges.values()}
        return [dataclasses.replace(item, **own.get(item.of, {})) for item in items]

    def _claim_item(self, scope: str, name: str, where: Place) -> bool:
        """Whether the name of an item is new. One that the scope has is reported."""
        first = self.places.setdefault(("item", scope, name), where)
        if first is where:
            return True
        other = first.key()
        message = f"scope '{scope}' already has '{name}' in line {other.line}"
        if other.path != where.part.raw.path:
            message += f" of {other.path}"
        hint = f"{listed(KINDS)} of a scope share their names"
        if HISTOGRAMS in (first.path[2], where.path[2]):
            hint = "a histogram is a group of counters with such names"
        self.report("duplicate-item", where.key(), message, hint)
        return False

    def _ordered(self, scope: str, items: list[ir.Item]) -> tuple[ir.Item, ...]:
        """The items as `order` has them; others follow, in the order of the file."""
        order = self.scopes[scope].order
        place = self.places["scope", scope]
        if scope == ir.GLOBAL:
            place = self.places.get(("setting", "order"), place)
        known = {item.histogram or item.limit or item.name for item in items}
        for number, name in enumerate(order):
            if name not in known and not place.broken("order", number):
                message = f"scope '{scope}' has no item '{name}'"
                hint = self.suggest(name, known, f"items of '{scope}'")
                self.report("unknown-item", place.value("order", number), message, hint)
        rank = {name: number for number, name in reversed(list(enumerate(order)))}
        return tuple(
            sorted(items, key=lambda i: rank.get(i.histogram or i.limit or i.name, len(order)))
        )


_OF_GAUGE = ("type", "width", "unit", "minimum", "maximum")
"""Keys that a peak takes from its gauge."""


def _item(scope: str, name: str, kind: ir.Kind, entry: Displayed, span: Span) -> ir.Item:
    declared = vars(entry)  # those that items of the kind have, defaults filled in
    value_type = TYPES[f"uint{declared['width'] or 64}" if kind.numeric else declared["type"]]
    return ir.Item(
        kind=kind,
        type=value_type.name,
        width=value_type.width,
        minimum=declared.get("min"),
        maximum=declared.get("max"),
        labels=labels(declared["labels"] or []) if value_type.labelled else (),
        length=(declared["length"] or 1) if value_type.key == "length" else 0,
        snmp=snmp.item(declared["snmp"]),
        of=declared.get("of") or "",
        least=declared.get("keep") == "minimum",
        source=ir.Source(declared.get("source") or "stored"),
        statistic=declared.get("statistic") or "",
        **common(scope, name, entry, span),
    )
