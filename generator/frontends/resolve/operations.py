# SPDX-License-Identifier: BSD-3-Clause
"""Resolves updates: which items they change, and the indexes they take or fix by labels, as in
`drop.pkts[vlan]`, `fault.pkts[crc, in]` or `[reason=crc]`."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ...findings.diagnostics import Diagnostics, Span, errors
from ...findings.suggest import Suggester
from ...model import ir
from ...model.kinds import OBSERVE, OBSERVED, VERBS
from ...model.language import defaults, schema, units
from ...model.naming.lines import listed
from ..raw import Path
from .place import Place
from .validate import is_lost

Labels = tuple[tuple[str, str], ...]
"""Pairs of a level's name and one of its labels."""

_TARGET = re.compile(r"([^\[\]]*?)\s*(?:\[([^\[\]]*)\])?")
_INSTANCES = re.compile(
    r"(?P<scope>\w+)\s*\[\s*(?:0\s*\.\.\s*(?P<last>\d{1,2})|(?P<role>[A-Za-z]\w*))\s*\]"
    r"(?P<item>\.[^\[\]]*)"
)


class Target(NamedTuple):
    """What an operation names: `scope.item` without brackets, or all of it if they are broken. The
    `words` of brackets at its end; of those behind the scope the largest number of instances,
    `most` of `[0..most - 1]`, or a `role`."""

    bare: str
    words: tuple[str, ...] = ()
    most: int = 0
    role: str = ""


errors({
    "update-target": "What an update changes is written `scope.item`, or `scope.item[label]`.",
    "unknown-scope": "Items are changed and watched in scopes that exist.",
    "unknown-item": "Items that an update, an order or a notification names exist.",
    "unknown-label": "Labels that an update names are those of the scope.",
    "unknown-argument": "An amount is a number or a parameter of the update.",
    "argument-type": "An amount has a type that the item can take.",
    "limit-update": "Updates change the counters that a limit is of, not the items that show it.",
    "histogram-update": "A histogram changes as a whole, by `observe:`; besides histograms, only "
    f"{listed(kind.plural for kind in OBSERVED)} are observed.",
})  # fmt: skip

_WORD = re.compile(r"\w+")
_OBSERVABLE = ("histogram", *(kind.value for kind in OBSERVED))


class Targets:
    """The scopes and items that updates can name, looked up in constant time."""

    def __init__(
        self, scopes: tuple[ir.Scope, ...], diagnostics: Diagnostics, lost: set[Path]
    ) -> None:
        self.lost = lost
        self.report = diagnostics.report
        self.scopes = {scope.name: scope for scope in scopes}
        self.order = {scope.name: number for number, scope in enumerate(scopes)}
        self.suggest = Suggester()
        self.items = {scope.name: {i.name: i for i in scope.items} for scope in scopes}
        self.histograms = {s.name: {h.name: h for h in s.histograms} for s in scopes}
        self.single = {s.name: [i.name for i in s.items if not i.histogram] for s in scopes}
        self.observable = {
            s.name: [*self.histograms[s.name], *(i.name for i in s.items if i.observed)]
            for s in scopes
        }

    def split(self, target: str) -> Target:
        """The parts of a target. Brackets behind a scope without an index of its own are broken,
        and so is a role in one with labels."""
        match = _INSTANCES.fullmatch(target)
        scope = self.scopes.get(match["scope"]) if match else None
        if match and (scope is None or scope.countable(labels=match["role"] is None)):
            most = 0 if match["last"] is None else int(match["last"]) + 1
            return Target(f"{match['scope']}{match['item']}", (), most, match["role"] or "")
        match = _TARGET.fullmatch(target)
        if match is None:
            return Target(target)
        words = () if match[2] is None else tuple(word.strip() for word in match[2].split(","))
        return Target(match[1], words)

    def observed(self, target: str, span: Span) -> tuple[ir.Item, ...] | None:
        """The first bucket and the sum of the histogram that `scope.histogram` names, or the item,
        or None after reporting what is wrong."""
        scope, _, name = target.partition(".")
        histogram = self.histograms.get(scope, {}).get(name)
        if histogram is not None:
            items = self.items[scope]
            return items[histogram.buckets[0]], items[histogram.sum]
        item = self.find(target, span, "histograms")
        if item is not None and item.observed:
            return (item,)
        if item is not None and item.of:
            message = f"'{target}' follows the gauge '{item.of}' by itself"
            self.report("histogram-update", span, message, "leave it out")
        elif item is not None:
            message = f"'{target}' is {listed(f'no {word}' for word in _OBSERVABLE)}"
            self.report("histogram-update", span, message, "move it to `add:` or `set:`")
        return None

    def item(self, target: str, span: Span) -> tuple[ir.Item, ...] | None:
        """The one item that `scope.item` names, if an update can change it by itself, or None after
        reporting what is wrong."""
        scope, _, name = target.partition(".")
        if name in self.histograms.get(scope, ()):
            hint = "write it under `observe:`"
            self.report("histogram-update", span, f"'{target}' is a histogram", hint)
            return None
        item = self.find(target, span, "items")
        if item is not None and item.histogram:
            message = f"'{target}' is a part of histogram '{item.histogram}'"
            hint = f"write `observe: {{{scope}.{item.histogram}: PARAMETER}}`"
            self.report("histogram-update", span, message, hint)
            return None
        if item is not None and item.limit:
            message = f"'{target}' shows the limit '{item.limit}', and follows it by itself"
            self.report("limit-update", span, message, "leave it out")
            return None
        return (item,) if item is not None else None

    def find(self, target: str, span: Span, what: str) -> ir.Item | None:
        """The item that `scope.item` names, or None after reporting what is wrong; `what` might
        have been meant."""
        scope, dot, name = target.partition(".")
        broken = "[" in target or "]" in target
        if broken or not dot or not scope or not name or "." in name:
            form, hint = "scope.item", "write `scope.item`, for instance `global.pkts`"
            if broken:
                form = "scope.item[label]"
                hint = "one pair of brackets stands at the end, as in `drop.pkts[vlan]`"
            elif not dot and target in self.items.get(ir.GLOBAL, {}):
                hint = f"did you mean 'global.{target}'?"
            hint = self._in_order(target) or hint
            self.report("update-target", span, f"'{target}' is not of the form {form}", hint)
            return None
        if scope not in self.scopes and any(is_lost(path, scope) for path in self.lost):
            return None
        if scope not in self.scopes:
            hint = self.suggest(scope, self.scopes, "scopes")
            self.report("unknown-scope", span, f"there is no scope '{scope}'", hint)
            return None
        item = self.items[scope].get(name)
        if item is None and not any(is_lost(path, scope) for path in self.lost):
            among = self.single[scope] if what == "items" else self.observable[scope]
            hint = self.suggest(name, among, f"{what} of '{scope}'")
            noun = "item" if what == "items" else listed(_OBSERVABLE, "or")
            message = f"scope '{scope}' has no {noun} '{name}'"
            self.report("unknown-item", span, message, hint)
        return item

    def _in_order(self, target: str) -> str:
        """How a target is written whose scope, item and labels stand in another order, such as
        `drop[vlan].pkts`; nothing for any other."""
        scope, *words = _WORD.findall(target) or [""]
        name = next((word for word in words if word in self.items.get(scope, ())), "")
        inside = [word for word in words if word != name]
        if not name or not inside:
            return ""
        if any(level.labels for level in self.scopes[scope].levels):
            return f"write `{scope}.{name}[{', '.join(inside)}]`"
        if not self.scopes[scope].countable():
            return f"write `{scope}.{name}`: it exists once"
        return (
            f"write `{scope}.{name}`: the index is a parameter of the function; "
            f"`{scope}[0..3].{name}` for a list of up to 4; "
            f"`{scope}[first].{name}` to name one of several"
        )

    def labels(self, scope: str, words: tuple[str, ...], span: Span) -> Labels | None:
        """The indexes of a scope that the words in brackets fix, outermost first; None after a
        report. Words are labels, one for each labelled dimension, or some of `dimension=label`."""
        if ("scopes", scope, "labels") in self.lost:
            return None
        levels = {lv.dimension: lv for lv in self.scopes[scope].levels if lv.labels}
        if not levels:
            message = f"the instances of '{scope}' have no labels"
            hint = "leave the brackets out"
            if self.scopes[scope].countable():
                hint += (
                    f"; brackets that name one of several instances follow the scope: `{scope}[..]`"
                )
            self.report("unknown-label", span, message, hint)
            return None
        wanted = self._by_dimension(words, tuple(levels), span)
        for dimension, label in (wanted or {}).items():
            if dimension not in levels:
                message = f"'{scope}' has no labelled dimension '{dimension}'"
                hint = self.suggest(dimension, levels, "dimensions")
                self.report("unknown-label", span, message, hint)
                return None
            if label not in levels[dimension].labels:
                whose = f"'{scope}'" if len(levels) == 1 else f"'{dimension}' of '{scope}'"
                hint = self.suggest(label, levels[dimension].labels, "labels")
                self.report("unknown-label", span, f"{whose} has no label '{label}'", hint)
                return None
        if wanted is None:
            return None
        return tuple((level.name, wanted[name]) for name, level in levels.items() if name in wanted)

    def _by_dimension(
        self, words: Sequence[str], dimensions: Sequence[str], span: Span
    ) -> dict[str, str] | None:
        """The labels by dimension, whatever they are; None after a report."""
        pairs = [word.partition("=") for word in words]
        if not any(equals for _, equals, _ in pairs) and len(words) == len(dimensions):
            return dict(zip(dimensions, words, strict=True))
        wanted = {name.strip(): label.strip() for name, _, label in pairs}
        if all(equals for _, equals, _ in pairs) and len(wanted) == len(words):
            return wanted
        if len(dimensions) == 1:
            message = f"one label of '{dimensions[0]}' is expected in the brackets"
            hint = "an update changes one instance; write an update for each"
        else:
            names = " and ".join(f"'{name}'" for name in dimensions)
            message = f"one label for each of {names} is expected in the brackets"
            hint = f"to fix only some, name them: `[{dimensions[-1]}=LABEL]`; "
            hint += "the others are parameters"
        self.report("update-target", span, message, hint)
        return None

    def amount(
        self, verb: str, item: ir.Item, amount: schema.Amount, model: schema.Update,
        span: Callable[[], Span],
    ) -> tuple[int | None, str | None] | None:  # fmt: skip
        """Constant and argument of an operation, of which there is one; None after a report."""
        if isinstance(amount, bool):
            if verb == "set" and item.type == "bool":
                return int(amount), None
            message = f"'{item.name}' cannot take {str(amount).lower()}"
            hint = "true and false are for states of type bool"
            self.report("argument-type", span(), message, hint)
            return None
        if isinstance(amount, int):
            return amount, None
        if amount in model.args:
            return None, amount
        labels = {label.name: label.value for label in reversed(item.labels)}
        if verb == "set" and amount in labels:
            return labels[amount], None
        known = [*model.args, *(label.name for label in item.labels)]
        hint = self.suggest(amount, known, "known here") or "declare it under `args:` of the update"
        if not amount.isidentifier():
            hint = "an amount is a number or a parameter: let the caller work it out, and pass it"
        self.report("unknown-argument", span(), f"the update has no parameter '{amount}'", hint)
        return None


def _args_lost(where: Path, lost: set[Path]) -> bool:
    """Whether the parameters of an update could not be read, or may have an unknown key."""
    keys = {path[2] for path in lost if path[:2] == where[:2] and len(path) == 3}
    return bool(keys - ({*schema.Update.model_fields} - {"args"}))


def _operations(
    verb: str, target: str, amount: schema.Amount, where: Place, model: schema.Update,
    targets: Targets,
) -> Iterator[ir.Operation]:  # fmt: skip
    """What an update does to a target: to one item, or by an observation to a bucket, which goes up
    by one, and to the sum. What makes no sense is reported."""
    span, observes = where.key(), verb == OBSERVE
    bare, words, most, role = targets.split(target)
    items = targets.observed(bare, span) if observes else targets.item(bare, span)
    args_lost = targets.lost and isinstance(amount, str) and _args_lost(where.path, targets.lost)
    if not items or args_lost:
        return
    *buckets, last = items
    labels = targets.labels(last.scope, words, span) if words else ()
    if observes and not isinstance(amount, str):
        message = f"'{target}' observes a parameter, not {str(amount).lower()}"
        hint = "a constant is the same each time: use a counter"
        targets.report("argument-type", where.value(), message, hint)
        return
    given = targets.amount("add" if observes else verb, last, amount, model, where.value)
    if given is None or labels is None:
        return
    done = "add" if last.histogram else verb
    shown = target if observes or "[" in target else ""
    for item in buckets:
        at = (span, labels, shown, str(amount), most, role)
        yield ir.Operation(done, item.scope, item.name, 1, None, *at)
    yield ir.Operation(done, last.scope, last.name, *given, span, labels, shown, "", most, role)


def update(name: str, model: schema.Update, place: Place, targets: Targets) -> ir.Update:
    """One update of the schema; operations that make no sense are reported and left out."""
    written = place.part.raw.data["updates"][name] or {}
    operations = [
        operation
        for verb in (*(key for key in written if key in VERBS), OBSERVE)
        for target, amount in getattr(model, verb).items()
        for operation in _operations(
            verb, target, amount, Place(place.part, (*place.path, verb, target)), model, targets
        )
    ]
    touched = sorted({op.scope for op in operations}, key=targets.order.__getitem__)
    held = {(op.scope, level) for op in operations for level, _ in op.labels}
    roles = {scope: [op.role for op in operations if op.scope == scope] for scope in touched}
    indexes = [
        index
        for scope in touched
        for level in targets.scopes[scope].path
        if (scope, level) not in held
        for index in (roles[scope] if level == scope and any(roles[scope]) else [level])
    ]
    return ir.Update(
        name=name,
        description=units.text(model.description) or defaults.update_description(name),
        arguments=tuple(ir.Argument(arg, type_) for arg, type_ in model.args.items()),
        operations=tuple(operations),
        scopes=tuple(touched),
        indexes=tuple(dict.fromkeys(indexes)),
        span=place.key(),
        weight=model.weight,
    )
