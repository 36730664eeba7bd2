# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of a module and of the scopes that share a strategy.

Templates loop over these objects and choose between them; every parameter list and lvalue is made
here, in `items` and in `transactions`, every C identifier in `model.naming.symbols` (`sym`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

from ...model import ir, layout, records
from ...model.lazy import cached_property
from ...model.naming import symbols
from ...model.naming.symbols import Names
from ...strategies.base import applies
from . import grouping, parameters
from .contract import Answers
from .items import ScopeView
from .levels import LevelView, label_tables, level_views


def tables_last(scopes: Iterable[ScopeView]) -> tuple[ScopeView, ...]:
    """Scopes in the order of a struct that several lcores write (model/layout.py)."""
    by_name = {scope.name: scope for scope in scopes}
    parts = layout.tables_last(scope.layout for scope in by_name.values())
    return tuple(by_name[part.scope.name] for part in parts)


@dataclass(frozen=True)
class DomainView:
    """The scopes under one strategy, with that strategy's answers."""

    layout: layout.Domain
    scopes: tuple[ScopeView, ...]
    sym: Names
    suffix: str  # what tells its names from those of other domains; empty for the only one
    sync: Answers
    writers: str

    @cached_property
    def module(self) -> Names:
        """C names of the module as a whole."""
        return symbols.of_module(self.scopes[0].module)

    @cached_property
    def opt(self) -> dict[str, int | str | bool]:
        """The strategy's tunables."""
        return dict(self.layout.sync.tunables)

    @cached_property
    def strategy(self) -> str:
        return self.layout.sync.strategy

    @cached_property
    def lcores(self) -> bool:
        """Whether there is an instance for each lcore."""
        return self.layout.strategy.per_lcore

    @cached_property
    def signals(self) -> str:
        """On which machines an update may interrupt another one of its thread."""
        return self.layout.strategy.promised(self.opt).signals

    @cached_property
    def debugged(self) -> str:
        """Expression: what debug builds allow and check of an update, of enum ctr_debug_flags."""
        strategy = self.layout.strategy
        own = bool(strategy.shape.lcores or strategy.shape.memory.lcore) and not self.by_cpu
        nests = {"any": "CTR_DEBUG_NESTS", "x86-64": "CTR_DEBUG_NESTS_X86_64"}
        allowed = nests.get("any" if strategy.own_object else self.signals)
        flags = (allowed, self.from_signals and "CTR_DEBUG_SIGNALS", own and "CTR_DEBUG_OWN")
        return " | ".join(flag for flag in flags if flag) or "0"

    @cached_property
    def from_signals(self) -> bool:
        """Whether the schema has updates in signal handlers."""
        return any(scope.ir.requires.writers == "signals" for scope in self.scopes)

    @cached_property
    def consistent(self) -> bool:
        """Whether the counters of one read belong together."""
        return self.layout.strategy.consistent

    @cached_property
    def may_fail(self) -> bool:
        """Whether reads and resets may give up (-EAGAIN)."""
        return applies(self.layout.strategy.may_fail, self.opt)

    @cached_property
    def element_transactions(self) -> bool:
        """Whether each element of a bulk call is a transaction of its own."""
        return applies(self.layout.strategy.element_transactions, self.opt)

    @cached_property
    def any_thread(self) -> bool:
        """Whether threads without an lcore id may update."""
        return self.writers == "any"

    @cached_property
    def has_variants(self) -> bool:
        """Whether updates have an out-of-line variant."""
        return bool(self.layout.strategy.outlined) or (
            self.any_thread and self.sync.answers("others")
        )

    @cached_property
    def settles(self) -> bool:
        """Whether lcores may hold back something of an instance that ends."""
        strategy = self.layout.strategy
        holds_back = self.active and strategy.holds_back and not strategy.polls
        return holds_back and any(scope.mortal for scope in self.scopes)

    @cached_property
    def may_drop(self) -> bool:
        """Whether updates may be dropped, and counted."""
        return applies(self.layout.strategy.drops, self.opt)

    @cached_property
    def drains(self) -> bool:
        """Whether something of an instance that ends may be on its way to who settles it."""
        polled = self.active and self.layout.strategy.polls
        return polled and any(scope.mortal for scope in self.scopes)

    @property
    def size(self) -> int:
        """Bytes of the instance struct."""
        return self.layout.instance_size

    @cached_property
    def lcore_values(self) -> bool:
        """Whether an lcore's part of a count can be read."""
        return self.layout.strategy.lcore_values

    @property
    def operations(self) -> str:
        """What its operations in C are called: its own, or those that all others have."""
        own = self.active and self.layout.strategy.operations
        return self.strategy if own else "plain"

    def begins_anew(self, scope: ScopeView) -> bool:
        """Whether lcores' parts return to 0 with each generation: read, and without a base."""
        counts = scope.mortal and scope.data is not None and bool(scope.counters)
        return counts and self.lcores and self.lcore_values and not scope.offset

    @property
    def more(self) -> int:
        """How many instances there are beside those of lcores."""
        return self.layout.more

    @property
    def locked(self) -> bool:
        """Whether writers of copies of threads without an lcore id exclude each other."""
        return self.any_thread and self.layout.strategy.main.locked

    @property
    def by_cpu(self) -> bool:
        """Whether the instances are by CPU."""
        return self.layout.strategy.by_cpu

    grouped = staticmethod(grouping.grouped)
    together = staticmethod(grouping.together)
    words = staticmethod(grouping.words)

    @cached_property
    def largest(self) -> int:
        """Units of a buffer that the largest record takes, if updates are held back."""
        return records.largest(self.scopes[0].module, self.layout.sync)[1]

    @cached_property
    def active(self) -> bool:
        """Whether there is anything to synchronize; else the strategy is asked nothing."""
        return any(scope.data is not None for scope in self.scopes)

    @cached_property
    def instance_scopes(self) -> tuple[ScopeView, ...]:
        """Scopes whose data live in the instance struct, in its order."""
        scopes = tuple(s for s in self.scopes if s.data is not None and not s.embedded)
        return scopes if self.lcores else tables_last(scopes)

    @cached_property
    def held_scopes(self) -> tuple[ScopeView, ...]:
        """Scopes of which an lcore holds some elements at a time."""
        return tuple(s for s in self.scopes if s.layout.held)

    @cached_property
    def symbolic(self) -> tuple[LevelView, ...]:
        """The indexes whose maxima, constants of DPDK, the size of an instance depends on."""
        levels = (level for scope in self.instance_scopes for level in scope.symbolic)
        return tuple({level.ir.name: level for level in levels}.values())

    @cached_property
    def has_instance(self) -> bool:
        """Whether there is an instance; for each lcore only if a scope has data in it."""
        return self.size > 0 and (bool(self.instance_scopes) or not self.lcores)


@dataclass(frozen=True)
class ModuleView:
    """The whole module as C sees it."""

    ir: ir.Module
    domains: tuple[DomainView, ...]
    scopes: tuple[ScopeView, ...]
    sym: Names
    words: frozenset[str]  # what the templates use names for
    indexes: dict[str, str]  # C names of the scopes as parameters
    levels: tuple[LevelView, ...]  # every index once, those of scopes without items first

    @property
    def prefix(self) -> str:
        return symbols.prefix(self.ir.name)

    @cached_property
    def taken(self) -> frozenset[str]:
        """What no argument of an update is called."""
        return self.words.union(*map(parameters.variables, self.indexes.values()))

    @cached_property
    def by_name(self) -> dict[str, ScopeView]:
        return {scope.name: scope for scope in self.scopes}

    @cached_property
    def commons(self) -> tuple[ScopeView, ...]:
        """Scopes that have a part of which the module has one copy."""
        return tuple(scope for scope in self.scopes if scope.common is not None)

    @property
    def common_members(self) -> tuple[ScopeView, ...]:
        """These in the order of the common part."""
        return tables_last(self.commons)

    @property
    def includes(self) -> list[str]:
        """Headers of the runtime that the updates of its strategies need."""
        return list(
            filter(None, dict.fromkeys(d.layout.strategy.include for d in self.active_domains))
        )

    @cached_property
    def headers(self) -> dict[str, str]:
        """The headers that strategies bring, by the name that they have beside the module's."""
        return {
            f"{self.prefix}_{name}": text
            for domain in self.active_domains
            for name, text in domain.layout.strategy.header_texts.items()
        }

    @cached_property
    def readable(self) -> tuple[ScopeView, ...]:
        """Scopes that can be reached without the application's objects."""
        return tuple(scope for scope in self.scopes if not scope.embedded)

    @cached_property
    def active_domains(self) -> tuple[DomainView, ...]:
        return tuple(domain for domain in self.domains if domain.active)

    @property
    def keyed(self) -> tuple[ScopeView, ...]:
        """Scopes whose instances have keys."""
        return tuple(scope for scope in self.scopes if scope.key_parts)

    @property
    def dynamic(self) -> tuple[ScopeView, ...]:
        return tuple(scope for scope in self.scopes if scope.dynamic)

    def holder(self, scope: ScopeView) -> ScopeView | None:
        """The innermost dynamic scope that the instances of a scope are inside of."""
        outer = self.ir.holder(scope.ir)
        return self.by_name[outer.name] if outer else None

    def inner(self, scope: ScopeView) -> tuple[ScopeView, ...]:
        """The scopes whose instances end with those of a dynamic one, each by that of its own."""
        return tuple(s for s in self.readable if self.holder(s) is scope)

    @cached_property
    def inside(self) -> tuple[ScopeView, ...]:
        """All scopes whose instances end with others."""
        return tuple(scope for scope in self.readable if self.holder(scope))

    def ending(self, scope: ScopeView) -> tuple[DomainView, ...]:
        """The strategies of all that ends with an instance of a dynamic scope."""
        names = {scope.name, *(s.name for s in self.readable if scope.name in s.ir.path)}
        return tuple(d for d in self.domains if any(s.name in names for s in d.scopes))

    def restarts(self, scope: ScopeView) -> bool:
        """Whether lcores' parts of a dynamic instance, or of static ones in it, return to 0."""
        static = (s for s in self.inner(scope) if not s.dynamic)
        return any(self.domain_by_scope[s.name].begins_anew(s) for s in (scope, *static))

    def generations(self, scopes: Iterable[ScopeView]) -> list[tuple[str, str]]:
        """What debug builds check in an update of instances that end: tables, positions."""
        found = []
        for scope in scopes:
            if outer := scope if scope.dynamic else self.holder(scope):
                levels = dict(zip(outer.ir.path, scope.indexes, strict=False))
                found.append((outer.sym.table, outer.at(levels).flat))
        return list(dict.fromkeys(found))

    @cached_property
    def views(self) -> dict[str, str]:
        """The constants of views by name."""
        return symbols.of_views(self.ir)

    @cached_property
    def renames(self) -> list[tuple[str, str, str]]:
        """Scope, item or part of its key (empty: the scope itself), former name if it had one."""
        found = [(s.name, "", s.ir.renamed_from) for s in self.readable]
        found += [(s.name, i.name, i.ir.renamed_from) for s in self.readable for i in s.items]
        keyed = [(s.name, p.name, p.renamed_from) for s in self.ir.every_scope for p in s.key]
        return [rename for rename in (*found, *keyed) if rename[2]]

    @cached_property
    def early(self) -> bool:
        """Whether functions are declared before a struct that has the name of one."""
        every = symbols.symbols(self.ir)
        names = {symbol.name for symbol in every if symbol.beside}
        return any(symbol.name in names for symbol in every if symbol.tag)

    @cached_property
    def member(self) -> Names:
        """What a snapshot has beside the members of scopes."""
        return symbols.of_snapshot(self.ir)

    @cached_property
    def symbol_headers(self) -> tuple[str, ...]:
        """Headers with constants that are maxima on the port for DPDK."""
        return tuple(dict.fromkeys(lev.ir.header for lev in self.levels if lev.ir.symbol))

    @property
    def default_view(self) -> str:
        return self.views.get("default", "")

    @property
    def drop(self) -> bool:
        """Whether the fast path checks indexes."""
        return self.ir.bounds == "drop"

    @property
    def buffered(self) -> bool:
        """Whether any strategy holds updates back."""
        return any(d.layout.strategy.holds_back for d in self.domains)

    @property
    def polls(self) -> str:
        """What drains what lcores send: `thread`, `application`; empty if they send nothing."""
        polls = any(d.layout.strategy.polls for d in self.active_domains)
        return self.ir.poll if polls else ""

    @cached_property
    def domain_by_scope(self) -> dict[str, DomainView]:
        return {scope.name: domain for domain in self.domains for scope in domain.scopes}


@functools.lru_cache(maxsize=1)
def module_view(module: ir.Module) -> ModuleView:
    """The views of a checked module; several backends ask for the same."""
    words = parameters.words(frozenset(scope.sync.strategy for scope in module.scopes))
    levels = [level.name for scope in module.every_scope for level in scope.own]
    taken = words | parameters.variables(ir.GLOBAL)
    indexes = parameters.assign(levels, taken, symbols.prefix(module.name), "_index")
    sym = symbols.of_module(module)
    names = {scope.name: symbols.of_scope(module, scope) for scope in module.scopes}
    own = {scope.name: level_views(module, scope) for scope in module.every_scope}

    by_level = {level.ir.name: level for views in own.values() for level in views}

    def scope_view(part: layout.ScopeLayout) -> ScopeView:
        scope = part.scope
        limits = tuple((indexes[level], by_level[level].sym.MAX) for level in scope.path)
        c_names = tuple(index for index, _ in limits)
        if scope.storage is ir.Storage.EMBEDDED:
            limits, c_names = (), (indexes[scope.name],)
        common = f"{sym.common}.{scope.name}"
        member = symbols.of_snapshot(module, scope)
        return ScopeView(
            module, scope, part, names[scope.name], member, c_names, limits, common,
            label_tables(module, scope),
            tuple(by_level[name] for name in scope.path if by_level[name].ir.symbol),
        )  # fmt: skip

    suffixes = symbols.domain_suffixes(module)
    domains = tuple(
        DomainView(
            domain,
            tuple(scope_view(part) for part in domain.scopes),
            symbols.of_domain(module, domain.sync),
            suffixes[domain.sync],
            Answers.of(domain.sync.strategy),
            module.writers,
        )
        for domain in layout.domains(module)
    )
    views = {scope.name: scope for domain in domains for scope in domain.scopes}
    scopes = tuple(views[scope.name] for scope in module.scopes)
    indexed = (s for s in module.every_scope if s.storage is not ir.Storage.EMBEDDED)
    every = tuple(view for scope in indexed for view in own[scope.name])
    return ModuleView(module, domains, scopes, sym, words, indexes, every)
