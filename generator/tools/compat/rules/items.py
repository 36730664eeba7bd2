# SPDX-License-Identifier: BSD-3-Clause
"""Items that were removed, added, renamed or redefined."""

from ....model import ir
from ....model.kinds import KINDS
from ....model.naming.lines import listed
from ..model import ADD_ITEM, ADD_STATE, ERROR, KEEP_UNUSED, changes
from ..pairs import Change, Changes, Comparison, name_of, subject, was


@changes(
    ("histogram-bounds", ERROR, "c-api c-abi oid semantics prometheus",
     "Buckets are members, functions, objects and labels by their bounds; one of the same name "
     "may take other values.",
     "Add a histogram of another name and keep this one for a while."),
)  # fmt: skip
def histograms(c: Comparison) -> Changes:
    for old, new in c.rebounded:
        place = c.after.place("item", new.scope, new.name)
        span = place.value("log2" if new.log2 else "bounds")
        message = f"histogram '{new.scope}.{new.name}' had {_shown(old)}, now has {_shown(new)}"
        yield Change("histogram-bounds", span, f"{new.scope}.{new.name}", message)


@changes(
    ("limit-changed", ERROR, "c-api semantics",
     "A limit is of other counters, or it stops updates instead of reporting, or the reverse; "
     "counters with a limit change in updates alone.",
     "Add a limit of another name and keep this one for a while."),
)  # fmt: skip
def limits(c: Comparison) -> Changes:
    for old_scope, scope in c.scopes.pairs:
        former = {limit.name: limit for limit in old_scope.limits}
        for new in scope.limits:
            old = former.get(new.name) or former.get(new.renamed_from)
            if old is not None and (old.of, old.stops) != (new.of, new.stops):
                where = c.after.place("item", new.scope, new.name).key()
                message = f"limit '{new.scope}.{new.name}' {_acts(old)}, now {_acts(new)}"
                yield Change("limit-changed", where, f"{new.scope}.{new.name}", message)
        for counter in (i for i in scope.items if i.limited and i.kind.accumulates):
            before = {item.name: item for item in old_scope.items}
            old_item = before.get(counter.name) or before.get(counter.renamed_from)
            if old_item is not None and not old_item.limited:
                where = c.after.place("item", counter.scope, counter.name).key()
                message = f"{name_of(counter)} has a limit now, and no `add` and `inc`"
                yield Change("limit-changed", where, subject(counter), message)


def _acts(limit: ir.Limit) -> str:
    """Operation and operands."""
    return f"{'stopped' if limit.stops else 'reported'} at {' + '.join(limit.of)}"


def _shown(histogram: ir.Histogram) -> str:
    """The bounds, or the ends of many."""
    bounds = [str(bound) for bound in histogram.bounds]
    if len(bounds) > 8:
        return f"{len(bounds)} bounds from {bounds[0]} to {bounds[-1]}"
    return f"the bounds {', '.join(bounds)}"


@changes(
    ("item-removed", ERROR, "c-api c-abi oid prometheus",
     "A counter, gauge or state was removed; its OID is never reused.", KEEP_UNUSED),
    ("item-renamed", ERROR, "c-api c-abi prometheus",
     "The name of an item is part of C names and of the metric; the OID stays.",
     "Change the `description` instead, or rename together with the users."),
    ("item-kind", ERROR, "c-api c-abi oid semantics prometheus",
     f"{listed(KINDS).capitalize()} have different functions, SMI types and metric types.",
     ADD_ITEM),
    ("peak-changed", ERROR, "c-api oid semantics",
     "A peak changed between greatest and least value, or has another gauge.",
     ADD_ITEM),
    ("source-changed", ERROR, "c-api c-abi semantics",
     "The value has another source: functions that update it were removed or added, and it may "
     "be unavailable, or another quantity.", ADD_ITEM),
    ("item-width", ERROR, "c-api c-abi oid semantics",
     "The width is the C type and the SMI type, and where a counter wraps around.",
     "Add an item of another name; Counter32 and Counter64 are different objects."),
    ("item-unit", ERROR, "oid semantics",
     "The unit changed: consumers misread the value, and cannot detect that.", ADD_ITEM),
    ("gauge-range", ERROR, "oid semantics",
     "The bounds of an item changed: they are part of its SMI type, and consumers may scale by "
     "them.", ADD_ITEM),
    ("state-type", ERROR, "c-api c-abi oid semantics prometheus",
     "The type of a state is its C type and its SMI type.", ADD_STATE),
    ("string-length", ERROR, "c-api c-abi oid",
     "Callers have buffers of the old length, and the length is part of the SMI type.", ADD_STATE),
)  # fmt: skip
def items(c: Comparison) -> Changes:
    rebounded = {(h.scope, h.name) for pair in c.rebounded for h in pair}  # a rule of their own
    for _, scope in c.scopes.pairs:
        matched = c.items_of[scope.name]
        for item in matched.gone:
            if (item.scope, item.histogram) in rebounded:
                continue
            message = f"{name_of(item)} ({was(item.span)}) was removed"
            former = item.histogram or item.name
            hint = f"if it was renamed, add to the new item: `renamed_from: {former}`"
            yield Change("item-removed", scope.span, subject(item), message, hint)
        for old, new in matched.pairs:
            yield from _item(c, old, new)


def _item(c: Comparison, old: ir.Item, new: ir.Item) -> Changes:
    name, same_kind = name_of(new), old.kind is new.kind

    def changed(rule: str, key: str, message: str, hint: str = "") -> Change:
        return Change(rule, c.item_at(new, key), subject(new), message, hint)

    if old.name != new.name:
        former, metric = c.family(old, new)
        message = f"{name_of(old)} is now called '{new.histogram or new.name}'"
        hint = f"metric {former} is now {metric}" if former != metric else ""
        yield changed("item-renamed", "renamed_from", message, hint)
    if not same_kind:
        message = f"'{subject(new)}' was {old.kind.noun}, is now {new.kind.noun}"
        yield Change("item-kind", new.span, subject(new), message)
    if same_kind and new.kind.numeric and old.width != new.width:
        yield changed("item-width", "width", f"{name} had {old.width} bits, now has {new.width}")
    if same_kind and (old.least, old.of) != (new.least, new.of):
        message = f"{name} was the {_kept(old)}, is now the {_kept(new)}"
        yield changed("peak-changed", "keep" if old.of == new.of else "of", message)
    if _origin(c, old) != _origin(None, new):
        message = f"{name} was {_described(old)}, is now {_described(new)}"
        yield Change("source-changed", new.span, subject(new), message)
    if old.unit not in ("", "1", new.unit):  # a unit may be added (RFC 2578, 10.2 (6))
        message = f"{name} was in {old.unit}, is now in {new.unit or 'no unit'}"
        yield changed("item-unit", "unit", message)
    # Bounds that follow from the width change with it.
    written = (old.minimum, old.maximum) != (new.minimum, new.maximum)
    if same_kind and written and old.range != new.range:
        (low, high), (least, most) = old.range, new.range
        message = f"{name} was from {low} to {high}, is now from {least} to {most}"
        yield changed("gauge-range", "max" if high != most else "min", message)
    if same_kind and not new.kind.numeric and old.type != new.type:
        message = f"{name} was of type {old.type}, is now of type {new.type}"
        yield changed("state-type", "type", message)
    if old.type == new.type == "string" and old.length != new.length:
        message = f"{name} had up to {old.length} octets, now up to {new.length}"
        hint = f"{c.new.name}_stats functions copy {new.length + 1} octets"
        yield changed("string-length", "length", message, hint)


def _origin(c: Comparison | None, item: ir.Item) -> tuple[object, ...]:
    """Where the value of an item comes from; with a comparison, operands as they are called now."""
    derivation = item.derivation
    if derivation is None:
        return item.source, item.statistic
    names = [(item.scope, name) for name in derivation.operands]
    operands = tuple((c.new_item.get(name, name) if c else name)[1] for name in names)
    return item.source, derivation.operation, operands, derivation.scale, derivation.window


def _described(item: ir.Item) -> str:
    derivation = item.derivation
    if derivation is not None:
        scale = f" times {derivation.scale}" if derivation.scale != 1 else ""
        return f"the {derivation.operation.value} of {' and '.join(derivation.operands)}{scale}"
    if item.statistic:
        return f"'{item.statistic}' of a device"
    return "stored by the module" if item.stored else "returned by a callback"


def _kept(peak: ir.Item) -> str:
    of = f"of gauge '{peak.of}'" if peak.of else "that is observed"
    return f"{'least' if peak.least else 'greatest'} value {of}"
