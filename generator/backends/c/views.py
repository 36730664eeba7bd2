# SPDX-License-Identifier: BSD-3-Clause
"""Views of a module and of the scopes that share a strategy, for C templates.

Templates loop over these objects and choose between them; every parameter list and lvalue is made
here, in `scopes`, `items` and `operations`, every C identifier in `model.naming.symbols` (`sym`).
"""

import functools
from collections.abc import Iterable
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from ...model import ir, layout, records
from ...model.naming import symbols
from ...model.strategies.base import applies
from ...model.strategies.catalogue import all_strategies
from ...output.render import environment
from . import operations, parameters
from .items import ScopeView
from .limits import LimitView
from .scopes import LevelView, Listing


@functools.cache
def answers_of(strategy: str, own: str = "") -> Any:
    """What `update.j2` of a strategy, or template `own`, answers: its macros; what it leaves
    out, lcores.j2 does, with instances for lcores, and sync_defaults.j2, which documents
    every question. `answers(question)`: whether that template itself answers an optional one."""
    shared = ["c/lcores.j2"] if all_strategies()[strategy].per_lcore and not own else []
    names = ["c/sync_defaults.j2", *shared, own or f"c/sync/{strategy}/update.j2"]
    answers = [vars(environment().get_template(name).module) for name in names]
    every = {question: macro for each in answers for question, macro in each.items()}
    return SimpleNamespace(**every, answers=answers[-1].__contains__)


def tables_last(scopes: Iterable[ScopeView]) -> tuple[ScopeView, ...]:
    """Scopes in the order of a struct that several lcores write (model/layout.py)."""
    by_name = {scope.name: scope for scope in scopes}
    parts = layout.tables_last(scope.layout for scope in by_name.values())
    return tuple(by_name[part.scope.name] for part in parts)


class DomainView:
    """The scopes under one strategy, with that strategy's answers. `suffix` tells its names from
    those of other domains; it is empty for the only one."""

    parts = staticmethod(operations.parts)
    together = staticmethod(operations.together)

    def __init__(
        self, module: ir.Module, domain: layout.Domain, scopes: tuple[ScopeView, ...], suffix: str
    ) -> None:
        strategy = domain.strategy
        self.layout, self.scopes, self.suffix = domain, scopes, suffix
        self.sym, self.module = symbols.of_domain(module, domain.sync), symbols.of_module(module)
        self.sync = answers_of(domain.sync.strategy)
        self.opt = dict(domain.sync.tunables)
        self.strategy = domain.sync.strategy
        self.kernel = ""  # in the kernel: which instances there are (Strategy.kernel)
        self.lcores = strategy.per_lcore  # an instance for each lcore
        self.by_cpu = strategy.by_cpu  # instances of CPUs in addition to those of lcores
        self.lcore_values = strategy.lcore_values
        # The copy of threads without an lcore id has a lock.
        self.locked = strategy.main.locked and not module.maps
        # Each element of a bulk call is a transaction of its own.
        self.element_transactions = applies(strategy.element_transactions, self.opt)
        # Updates have an out-of-line variant.
        outside = self.sync.answers("others") and not module.maps
        self.has_variants = bool(strategy.outlined) or outside
        # Lcores have slots; threads a pointer to theirs, where that variant is for lcores as well:
        # an update without the pointer takes it.
        self.slots = strategy.own_copies or strategy.slots
        self.pointed = outside and self.slots and bool(strategy.per_lcore or strategy.outlined)
        # Without data there is nothing to synchronize: the strategy is not queried.
        self.active = any(scope.layout.data is not None for scope in scopes)
        inside = tuple(s for s in scopes if s.layout.data is not None and not s.embedded)
        self.instance_scopes = inside if self.lcores else tables_last(inside)
        self.has_instance = domain.instance_size > 0 and (bool(inside) or not self.lcores)
        self.held_scopes = tuple(scope for scope in scopes if scope.layout.held)
        self.limited_scopes = tuple(scope for scope in scopes if scope.ir.limits)
        own = strategy.own_copies
        for scope in self.limited_scopes:
            scope.acts = tuple(LimitView(module, n, scope, own, self.sym) for n in scope.ir.limits)
        self.limits = tuple(limit for scope in self.limited_scopes for limit in scope.acts)
        self.lending = [limit for limit in self.limits if not limit.gauge]  # of it there are shares
        self.lends = bool(self.limits) and own  # shares are in instances
        # The indexes whose maxima, constants of DPDK, the size of an instance depends on.
        levels = {level.ir.name: level for scope in inside for level in scope.symbolic}
        self.symbolic = tuple(levels.values())
        mortal = self.active and any(scope.layout.mortal for scope in scopes)
        # Updates of instances that end may be pending: in lcores, or sent to a control thread.
        self.settles = mortal and strategy.holds_back and not strategy.polls
        self.drains = mortal and (bool(strategy.polls) or module.maps)
        self.operations = self.strategy if self.active and strategy.operations else "plain"
        # What debug builds allow and check of an update, of enum ctr_debug_flags.
        signals = "any" if strategy.own_object else strategy.promised(self.opt).signals
        nests = {"any": "CTR_DEBUG_NESTS", "x86-64": "CTR_DEBUG_NESTS_X86_64"}.get(signals)
        flags = (nests, self.slots and not self.by_cpu and "CTR_DEBUG_OWN")
        self.debugged = " | ".join(flag for flag in flags if flag) or "0"

    @cached_property
    def largest(self) -> int:
        """Units of a buffer that the largest record takes, if updates are deferred."""
        return records.largest(self.scopes[0].module, self.layout.sync)[1]


class ModuleView:
    """The whole module as C sees it. `indexes` are the C names of scopes as parameters, `levels`
    every index once, those of scopes without items first."""

    parts = staticmethod(operations.parts)

    def __init__(self, module: ir.Module) -> None:
        self.ir, self.sym = module, symbols.of_module(module)
        self.prefix = symbols.prefix(module.name)
        used = parameters.words(frozenset(scope.sync.strategy for scope in module.scopes))
        names = [level.name for scope in module.every_scope for level in scope.own]
        taken = used | parameters.variables(ir.GLOBAL)
        self.indexes = parameters.assign(names, taken, self.prefix, "_index")
        # What no argument of an update is called.
        self.taken = used.union(*map(parameters.variables, self.indexes.values()))
        own = {s.name: [LevelView(module, s, lev) for lev in s.own] for s in module.every_scope}
        by_level = {level.ir.name: level for views in own.values() for level in views}
        indexed = (s for s in module.every_scope if s.storage is not ir.Storage.EMBEDDED)
        self.levels = tuple(view for scope in indexed for view in own[scope.name])
        symbolic = [level.ir.header for level in self.levels if level.ir.symbol]
        self.symbol_headers = tuple(dict.fromkeys(symbolic))  # of maxima on the port for DPDK
        suffixes = symbols.domain_suffixes(module)
        self.domains = tuple(
            DomainView(
                module,
                domain,
                tuple(self._scope(part, by_level) for part in domain.scopes),
                suffixes[domain.sync],
            )
            for domain in layout.domains(module)
        )
        self.active_domains = tuple(domain for domain in self.domains if domain.active)
        self.domain_by_scope = {s.name: domain for domain in self.domains for s in domain.scopes}
        views = {scope.name: scope for domain in self.domains for scope in domain.scopes}
        self.scopes = tuple(views[scope.name] for scope in module.scopes)
        self.by_name = {scope.name: scope for scope in self.scopes}
        # Those that can be reached without the application's objects.
        self.readable = tuple(scope for scope in self.scopes if not scope.embedded)
        self.limits = tuple(limit for domain in self.domains for limit in domain.limits)
        self.lenders = tuple(domain for domain in self.domains if domain.limits)
        # Those with a part of which the module has one copy, and its order there.
        self.commons = tuple(scope for scope in self.scopes if scope.common is not None)
        self.common_members = tables_last(self.commons)
        # Those whose instances end with others.
        self.inside = tuple(scope for scope in self.readable if self.holder(scope))
        self.member = symbols.of_snapshot(module)  # of a snapshot, next to those of scopes
        self.views = symbols.of_views(module)  # constants by name
        self.default_view = self.views.get("default", "")
        self.maps = module.maps
        self.side = ""  # with `maps`: `kernel` for what counts there, `user` for what reads
        self.drop = module.bounds == "drop"  # the fast path checks indexes
        self.buffered = any(d.layout.strategy.holds_back for d in self.domains)
        # What drains what lcores send: `thread`, `application`; empty if they send nothing.
        polls = any(d.layout.strategy.polls for d in self.active_domains)
        self.polls = module.poll if polls else ""

    def _scope(self, part: layout.ScopeLayout, by_level: dict[str, LevelView]) -> ScopeView:
        scope = part.scope
        if scope.storage is ir.Storage.EMBEDDED:
            return ScopeView(self.ir, part, (), (self.indexes[scope.name],))
        levels = tuple(by_level[name] for name in scope.path)
        return ScopeView(self.ir, part, levels, tuple(self.indexes[name] for name in scope.path))

    def holder(self, scope: ScopeView) -> ScopeView | None:
        """The innermost dynamic scope that the instances of a scope are inside of."""
        outer = self.ir.holder(scope.ir)
        return self.by_name[outer.name] if outer else None

    def inner(self, scope: ScopeView) -> tuple[ScopeView, ...]:
        """The scopes whose instances end with those of a dynamic one, each by that of its own."""
        return tuple(s for s in self.readable if self.holder(s) is scope)

    def ending(self, scope: ScopeView) -> list[DomainView]:
        """The strategies that may defer updates of data destroyed with a dynamic instance."""
        names = {scope.name, *(s.name for s in self.readable if scope.name in s.ir.path)}
        found = (d for d in self.domains if any(s.name in names for s in d.scopes))
        return [domain for domain in found if domain.settles or domain.drains]

    def generations(self, scopes: Iterable[ScopeView]) -> list[tuple[str, str, Listing | None]]:
        """Checks of dynamic instances in an update, for debug builds: tables and positions, of a
        list that of index 0."""
        found: list[tuple[str, str, Listing | None]] = []
        for scope in scopes:
            if scope.dynamic and scope.listing:
                found.append((scope.sym.table, scope.base, scope.listing))
            elif outer := scope if scope.dynamic else self.holder(scope):
                levels = dict(zip(outer.ir.path, scope.indexes, strict=False))
                found.append((outer.sym.table, outer.at(levels).flat, None))
        return list(dict.fromkeys(found))

    @property
    def headers(self) -> list[str]:
        """The headers of the runtime that the module's own one includes."""
        items = [item for scope in self.scopes for item in scope.others]
        updating = () if self.maps else self.domains
        uses = {
            "access": True, "quiescent": True, "values": True,
            "bits": self.maps or items or any(scope.indexes for scope in self.scopes)
            or any(domain.operations != "plain" or not domain.lcores for domain in updating),
            "debug": not self.maps, "xdp": self.maps,
            "slots": any(domain.slots for domain in updating),
            "lock": any(domain.locked for domain in updating),
            "seqcount": any(item.wide for item in items),
            "peak": any(item.scope.embedded and item.ir.bounded for item in items),
            "histogram": any(scope.histograms for scope in self.scopes),
            "key": any(scope.key for scope in self.ir.every_scope),
            "list": any(u.lists or u.roles for u in self.ir.updates) and not self.maps,
            "limit": self.limits,
            "device": any(scope.sources and scope.sources.devices for scope in self.scopes),
        }  # fmt: skip
        own = {header for domain in updating for header in domain.layout.strategy.include}
        own |= {f"ctr_{item.ir.kind.value}.h" for item in items if item.ir.keeps}
        return sorted({f"ctr_{name}.h" for name, used in uses.items() if used} | own)

    @cached_property
    def renames(self) -> list[tuple[str, str, str]]:
        """Scope, item or part of its key (empty: the scope itself), former name if it had one."""
        found = [(s.name, "", s.ir.renamed_from) for s in self.readable]
        found += [(s.name, i.name, i.ir.renamed_from) for s in self.readable for i in s.items]
        keyed = [(s.name, p.name, p.renamed_from) for s in self.ir.every_scope for p in s.key]
        return [rename for rename in (*found, *keyed) if rename[2]]


@functools.lru_cache(maxsize=1)
def module_view(module: ir.Module) -> ModuleView:
    """The views of a checked module, cached for several backends."""
    return ModuleView(module)
