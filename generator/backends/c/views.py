# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see: names, types and places, decided here once.

Templates loop over these objects and choose between them; every C identifier,
parameter list and lvalue is made in this module and in `transactions`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from ...model import ir, layout
from ...model.layout import Part
from ...strategies.base import applies
from .contract import Answers


@dataclass(frozen=True)
class ItemView:
    """One item as C sees it."""

    ir: ir.Item
    scope: ScopeView
    part: str  # "data" or "common": where its word lives

    @property
    def name(self) -> str:
        return self.ir.name

    @property
    def counter(self) -> bool:
        return self.ir.kind.accumulates

    @property
    def gauge(self) -> bool:
        return self.ir.kind.bounded

    @property
    def state(self) -> bool:
        return not self.ir.kind.numeric

    @functools.cached_property
    def wide(self) -> bool:
        """Whether the item lives in a cell rather than in a word."""
        return self.ir.value_type.wide

    @property
    def octets(self) -> int:
        return self.ir.octets

    @property
    def string(self) -> bool:
        return self.ir.value_type.c == "char"

    @functools.cached_property
    def bits(self) -> int:
        """Width of the word in storage; gauges model a signed quantity of 64 bits."""
        return layout.item_size(self.ir) * 8

    @functools.cached_property
    def type(self) -> str:
        """C type of a value; of each octet of a wide one."""
        return self.ir.value_type.c or f"enum {self.enum}"

    @property
    def enum(self) -> str:
        return f"{self.scope.prefix}_{self.name}"

    @property
    def minimum(self) -> int:
        """Least value of a gauge."""
        return self.ir.range[0]

    @property
    def maximum(self) -> int:
        """Greatest value of a gauge or counter."""
        return self.ir.range[1]

    @property
    def descriptor_type(self) -> str:
        return f"CTR_{self.ir.value_type.constant}"

    def fn(self, verb: str) -> str:
        """Name of an accessor: `ep_stats_session_inc_pkts`."""
        return f"{self.scope.item_prefix}_{verb}_{self.name}"

    @property
    def documented(self) -> str:
        """`session.pkts (packets)`: how comments name the item."""
        unit = f" ({self.ir.unit})" if self.ir.unit else ""
        return f"{self.scope.name}.{self.name}{unit}"


@dataclass(frozen=True)
class ScopeView:
    """One scope as C sees it."""

    ir: ir.Scope
    layout: layout.ScopeLayout
    module: str  # prefix of the module, "ep_stats"

    @property
    def name(self) -> str:
        return self.ir.name

    @property
    def is_global(self) -> bool:
        return self.ir.name == ir.GLOBAL

    @functools.cached_property
    def prefix(self) -> str:
        """Prefix of the scope's types and whole-scope functions: `ep_stats_session`."""
        return f"{self.module}_{self.name}"

    @functools.cached_property
    def item_prefix(self) -> str:
        """Prefix of the accessors of its items; global items have no scope in their names."""
        return self.module if self.is_global else self.prefix

    @property
    def upper(self) -> str:
        return self.prefix.upper()

    @property
    def dynamic(self) -> bool:
        return self.ir.storage is ir.Storage.DYNAMIC

    @property
    def embedded(self) -> bool:
        return self.ir.storage is ir.Storage.EMBEDDED

    @property
    def reset(self) -> bool:
        return self.ir.reset

    @functools.cached_property
    def indexes(self) -> tuple[str, ...]:
        """Names of the index parameters, outermost first; an embedded object counts as one."""
        return (self.name,) if self.embedded else self.ir.path

    @functools.cached_property
    def params(self) -> str:
        """Parameter list that names an instance, for writers; empty for global."""
        if self.embedded:
            return f"struct {self.prefix}_embedded *{self.name}"
        return ", ".join(f"uint32_t {index}" for index in self.indexes)

    @property
    def read_params(self) -> str:
        return f"const {self.params}" if self.embedded else self.params

    @functools.cached_property
    def args(self) -> str:
        """Arguments that pass an instance on."""
        return ", ".join(self.indexes)

    @functools.cached_property
    def subscript(self) -> str:
        """`[port][queue]` for an element of a static array."""
        return "".join(f"[{index}]" for index in self.indexes)

    @functools.cached_property
    def dimensions(self) -> str:
        """`[EP_STATS_PORT_MAX][EP_STATS_QUEUE_MAX]`."""
        return "".join(f"[{self.module.upper()}_{level.upper()}_MAX]" for level in self.ir.path)

    @functools.cached_property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """Each index with the macro that bounds it."""
        if self.embedded:
            return ()
        return tuple(
            (level, f"{self.module.upper()}_{level.upper()}_MAX") for level in self.ir.path
        )

    @functools.cached_property
    def flat(self) -> str:
        """The indexes as one number: position in a table of all instances."""
        limits = self.limits
        text = limits[0][0]
        for level, maximum in limits[1:]:
            text = (
                f"({text}) * {maximum} + {level}"
                if "*" in text
                else f"{text} * {maximum} + {level}"
            )
        return text

    def unflat(self, i: str) -> str:
        """The arguments for the instance at position `i` of a table of all instances."""
        parts = []
        rest = i
        for level, maximum in reversed(self.limits):
            last = level == self.limits[0][0]
            parts.append(rest if last else f"{rest} % {maximum}")
            rest = f"{rest} / {maximum}"
        return ", ".join(reversed(parts))

    @functools.cached_property
    def items(self) -> tuple[ItemView, ...]:
        """All items in schema order, which is the order of the value struct."""
        common = {f.name for f in self.layout.common.fields} if self.layout.common else set()
        return tuple(
            ItemView(item, self, "common" if item.name in common else "data")
            for item in self.ir.items
        )

    @functools.cached_property
    def by_name(self) -> dict[str, ItemView]:
        return {item.name: item for item in self.items}

    @functools.cached_property
    def counters(self) -> tuple[ItemView, ...]:
        return tuple(item for item in self.items if item.counter)

    @functools.cached_property
    def held(self) -> tuple[ItemView, ...]:
        """Gauges and states that live in the instance, beside the counters."""
        return tuple(item for item in self.items if not item.counter and item.part == "data")

    @functools.cached_property
    def commons(self) -> tuple[ItemView, ...]:
        """Gauges and states of which the module has one copy."""
        return tuple(item for item in self.items if item.part == "common")

    @property
    def data(self) -> Part | None:
        return self.layout.data

    @property
    def offset(self) -> Part | None:
        return self.layout.offset

    @property
    def common(self) -> Part | None:
        return None if self.embedded else self.layout.common

    @property
    def chunk(self) -> int:
        return self.layout.chunk

    @property
    def chunks(self) -> int:
        return self.layout.chunks


@dataclass(frozen=True)
class DomainView:
    """The scopes under one strategy, with that strategy's answers."""

    layout: layout.Domain
    scopes: tuple[ScopeView, ...]
    module: str
    prefix: str  # equals `module` while there is one domain
    sync: Answers
    writers: str
    largest: int  # operations of the largest transaction

    @functools.cached_property
    def opt(self) -> dict[str, int | str | bool]:
        """The strategy's tunables."""
        return dict(self.layout.sync.tunables)

    @property
    def strategy(self) -> str:
        return self.layout.sync.strategy

    @property
    def lcores(self) -> bool:
        """Whether there is an instance for each lcore."""
        return self.layout.per_lcore

    @property
    def consistent(self) -> bool:
        """Whether the counters of one read belong together."""
        return self.layout.strategy.promises.consistency == "update"

    @property
    def may_fail(self) -> bool:
        """Whether reads and resets may give up (-EAGAIN)."""
        return applies(self.layout.strategy.may_fail, self.opt)

    @property
    def element_transactions(self) -> bool:
        """Whether each element of a bulk call is a transaction of its own."""
        return applies(self.layout.strategy.element_transactions, self.opt)

    @property
    def any_thread(self) -> bool:
        """Whether threads without an lcore id may update."""
        return self.writers == "any"

    @property
    def size(self) -> int:
        """Bytes of the instance struct."""
        return self.layout.instance_size

    @functools.cached_property
    def kept(self) -> tuple[ScopeView, ...]:
        """Scopes whose data live in the instance struct."""
        return tuple(s for s in self.scopes if s.data is not None and not s.embedded)

    @functools.cached_property
    def has_instance(self) -> bool:
        """Whether there is an instance; for each lcore only if it keeps something."""
        return self.size > 0 and (bool(self.kept) or not self.lcores)


@dataclass(frozen=True)
class ModuleView:
    """The whole module as C sees it."""

    ir: ir.Module
    domains: tuple[DomainView, ...]
    scopes: tuple[ScopeView, ...]

    @property
    def prefix(self) -> str:
        return f"{self.ir.name}_stats"

    @property
    def upper(self) -> str:
        return self.prefix.upper()

    @functools.cached_property
    def commons(self) -> tuple[ScopeView, ...]:
        """Scopes that have a part of which the module has one copy."""
        return tuple(scope for scope in self.scopes if scope.common is not None)

    @functools.cached_property
    def readable(self) -> tuple[ScopeView, ...]:
        """Scopes that can be reached without the application's objects."""
        return tuple(scope for scope in self.scopes if not scope.embedded)

    @property
    def dynamic(self) -> tuple[ScopeView, ...]:
        return tuple(scope for scope in self.scopes if scope.dynamic)

    @property
    def drop(self) -> bool:
        """Whether the fast path checks indexes."""
        return self.ir.bounds == "drop"

    @property
    def buffered(self) -> bool:
        """Whether any strategy holds updates back."""
        return any(d.layout.strategy.promises.propagation == "flush" for d in self.domains)

    @property
    def opens(self) -> int:
        """How many domains have something to make that can fail."""
        return sum(1 for domain in self.domains if domain.sync.open(domain))

    @property
    def value(self) -> Any:
        """The macro that gives the value of a gauge or state from its word."""
        return self.domains[0].sync.value

    @functools.cached_property
    def domain_by_scope(self) -> dict[str, DomainView]:
        return {scope.name: domain for domain in self.domains for scope in domain.scopes}


def module_view(module: ir.Module) -> ModuleView:
    """Make the views of a checked module."""
    prefix = f"{module.name}_stats"
    found = layout.domains(module)
    largest = max((len(update.operations) for update in module.updates), default=1)
    domains = []
    views: dict[str, ScopeView] = {}
    seen: dict[str, int] = {}
    for domain in found:
        name = domain.sync.strategy
        seen[name] = seen.get(name, 0) + 1
        suffix = name if seen[name] == 1 else f"{name}{seen[name]}"
        scopes = tuple(ScopeView(s.scope, s, prefix) for s in domain.scopes)
        views.update((scope.name, scope) for scope in scopes)
        domains.append(
            DomainView(
                domain,
                scopes,
                prefix,
                prefix if len(found) == 1 else f"{prefix}_{suffix}",
                Answers.of(name),
                module.writers,
                largest,
            )
        )
    ordered = tuple(views[scope.name] for scope in module.scopes)
    return ModuleView(module, tuple(domains), ordered)
