# SPDX-License-Identifier: BSD-3-Clause
"""Reference page in Markdown: each item with its names in every output."""

import re
from collections.abc import Iterator

from ..model import health, ir, layout, totals
from ..model.naming import symbols
from ..model.naming.prometheus import metrics
from ..model.strategies.catalogue import all_strategies
from ..model.strategies.promises import PROMISES, Promises
from ..output.render import render
from ..publish.assign import assign
from ..publish.lock import Key, Lock
from . import BuiltIn, Options, in_short

LCORES = (1, 4, 16)
"""Numbers of lcores for which memory is stated."""

_CALLS = frozenset([verb for kind in ir.Kind for verb in kind.accessors] + ["touch"])
"""Operations on an item that are functions of the application."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")


Facts = list[tuple[str, tuple[str, ...]]]
"""Names of an item in the outputs: the output, and literal names."""


class Pages:
    """Contents of pages about scopes and items: facts, and names in all outputs."""

    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.module, self.live = module, lock.live()
        self.layouts = {
            part.scope.name: (domain, part)
            for domain in layout.domains(module)
            for part in domain.scopes
        }
        self.updates: dict[tuple[str, str], dict[str, None]] = {}
        for update in module.updates:
            call = symbols.of_update(module, update).update
            for op in update.operations:
                self.updates.setdefault((op.scope, op.item), {})[call] = None
        self.metrics = {(one.scope.name, one.item.name): one for one in metrics(module)}

    def about(self, scope: ir.Scope) -> list[tuple[str, str]]:
        """Facts about all of a scope."""
        if scope.name == ir.HEALTH:
            return []
        tunables = ", ".join(f"{key}: {value}" for key, value in scope.sync.tunables)
        strategy = scope.sync.strategy
        parts = ", ".join(f"{part.name} ({part.description})" for part in scope.key)
        return [
            ("Instances", _instances(scope)),
            *([("Known by", parts)] if parts else []),
            ("Storage", scope.storage.value),
            ("Memory", self._bytes(scope)),
            ("Strategy", f"{strategy} ({tunables})" if tunables else strategy),
            *_promises(scope),
        ]

    def calls(self, scope: ir.Scope) -> list[str]:
        """Functions that read and reset an instance of a scope."""
        if scope.name == ir.HEALTH:
            return [f"{call}()" for _, call in _reports(self.module)]
        sym = symbols.of_scope(self.module, scope)
        return [f"{call}()" for call in (sym.read, *([sym.reset] if scope.reset else []))]

    def facts(self, scope: ir.Scope, item: ir.Item) -> Facts:
        """Those of an item, without the outputs that do not have it."""
        if scope.name == ir.HEALTH:
            calls = [call for name, call in _reports(self.module) if name == item.name]
        else:
            names = symbols.of_item(self.module, item).symbols()
            present = _CALLS - ({"lcore_get"} if scope.storage is ir.Storage.EMBEDDED else set())
            calls = [symbol.name for symbol in names if symbol.key in present]
        for histogram in scope.histograms if item.histogram else ():
            if histogram.name == item.histogram:
                calls.insert(0, symbols.of_histogram(self.module, histogram).update)
        updates = self.updates.get((scope.name, item.name), ())
        found: Facts = [
            ("C", tuple(f"{call}()" for call in calls)),
            ("Changed by", tuple(f"{call}()" for call in updates)),
        ]
        if not item.stored:
            read = symbols.of_scope(self.module, scope)["read"]
            found = [
                ("C", (f"{read}()", f"values.available.{item.name}")), ("Source", _origin(item)),
            ]  # fmt: skip
        entry = self.live.get(Key(scope.name, item.name))
        if entry is not None:
            found.append(("SNMP", (entry.name, entry.dotted)))
        if (one := self.metrics.get((scope.name, item.name))) is not None:
            labels = f"{{{', '.join(one.labels)}}}" if one.labels else ""
            found.append(("Metric", (f"{one.metric.name}{labels}",)))
        return [(title, codes) for title, codes in found if codes]

    def _bytes(self, scope: ir.Scope) -> str:
        """The memory of each instance of a scope."""
        domain, part = self.layouts[scope.name]
        each = totals.bytes_per_instance(part)
        if scope.storage is ir.Storage.EMBEDDED:
            return f"{each:,} bytes in the application's object"
        once = part.record_size + (part.common.size if part.common else 0)
        copies = ""
        if domain.strategy.per_lcore:
            copies = " for each lcore in use, and for other threads"
            copies = " for each CPU, and once more" if domain.strategy.by_cpu else copies
        texts = [f"{each:,} bytes{copies}"] if each else []
        texts += [f"{once:,} bytes once"] if once else []
        return f"{'each instance: ' if scope.levels else ''}{'; '.join(texts) or 'none'}"


def _reports(module: ir.Module) -> Iterator[tuple[str, str]]:
    """The items in which a module reports of itself, and the C functions that give them."""
    for report, about in health.reports(module):
        sym = symbols.of_scope(module, about) if about else symbols.of_module(module)
        if report.function != "MAX":
            yield health.item_name(report, about), sym[report.function]


def _origin(item: ir.Item) -> tuple[str, ...]:
    """Where the value of an item comes from that the module does not keep."""
    if item.derivation is None:
        return (item.source.value, item.statistic) if item.statistic else (item.source.value,)
    derivation = item.derivation
    scale = (f"times {derivation.scale}",) if derivation.scale != 1 else ()
    return (derivation.operation.value, *derivation.operands, *scale)


def what(item: ir.Item) -> str:
    """The kind of an item, its unit and its range."""
    kind = item.kind.value
    if item.kind.numeric:
        bits = f"{kind}, {item.width} bits"
        unit = "" if item.unit in ("", "1") else f", in {item.unit}"
        low, high = item.range
        bounds = f", from {low:,} to {high:,}" if item.kind.bounded else ""
        return f"{bits}{unit}{bounds}"
    unit = f", in {item.unit}" if item.unit not in ("", "1") else ""
    return f"{kind}, {item.type}{unit}"


def _promises(scope: ir.Scope) -> Iterator[tuple[str, str]]:
    """Guarantees of a scope with its tunables; those below the best level with their
    consequences."""
    promised = all_strategies()[scope.sync.strategy].promised(dict(scope.sync.tunables))
    for name, field in Promises.model_fields.items():
        value = getattr(promised, name)
        text = {True: "yes", False: "no"}.get(value, str(value))
        if name == "reset" and not scope.reset:
            text = "never"
        elif name != "instances" and (short := promised.shortfall(name, PROMISES[name][0])):
            text += f": {short}"
        if name != "instances":
            yield field.title or name.capitalize(), text


def _instances(scope: ir.Scope) -> str:
    if not scope.levels:
        return "one"
    if scope.storage is ir.Storage.EMBEDDED:
        return "one in each object of the application"
    several = " x ".join(f"{level.maximum:,} ({level.dimension})" for level in scope.levels)
    labels = [", ".join(level.shown) for level in scope.levels if level.labels]
    return f"{several}: {'; '.join(labels)}" if labels else several


def _memory(module: ir.Module) -> str:
    first, *others = ((f"{totals.footprint(module, n):,}", n) for n in LCORES)
    more = "".join(f", {size} with {lcores}" for size, lcores in others)
    return f"{first[0]} bytes with {first[1]} lcore in use{more}; all instances there"


def marked(text: str) -> str:
    """Text as it is, in Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The page."""
    lock = options.lock or assign(module, None).lock
    name = symbols.prefix(module.name)
    updates = [(symbols.of_update(module, u).update, u.description) for u in module.updates]
    values = {
        "options": options, "m": module, "name": name, "mib": lock.name, "updates": updates,
        "draft": not module.snmp.published, "memory": _memory(module),
        "scopes": health.shown(module), "pages": Pages(module, lock), "what": what,
    }  # fmt: skip
    return {f"{name}.md": render("docs/page.md.j2", marked=marked, **values)}


BACKEND = BuiltIn("docs", in_short(__doc__), generate, default=False, uses_lock=True)
