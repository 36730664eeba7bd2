# SPDX-License-Identifier: BSD-3-Clause
"""Transactions and cache lines of the updates of a packet, with their numbers."""

import math
from dataclasses import dataclass, field, replace

from . import ir, layout
from .kinds import OBSERVE
from .layout import CACHE_LINE

MIGRATIONS = {"pinned": 0.0, "rare": 0.001, "none": 1.0}
"""Share of a flow's packets that come to another lcore than the one before, by affinity.

With `none` a packet goes to any lcore. `rare` is one in a thousand: DSW moves flows at
most once in some tens of thousands of packets, so the figure is on the safe side.
"""


@dataclass(frozen=True, slots=True)
class Deployment:
    """Where and how the schema is used.

    `flows` instances of the scope `flow_scope` are in use ("" for none). `work` are the cycles of
    a packet without statistics, `pps` packets per second of all lcores together, `hz` the clock.

    `updates` are those that happen, all if none is named, as often as the schema says compared with
    each other: the most frequent with every packet. `api` are the calls: `single` or `bulk`.
    """

    lcores: int
    flows: int = 1
    flow_scope: str = ""
    affinity: str = "rare"
    work: float | None = None
    pps: float | None = None
    hz: float = 0.0
    updates: tuple[str, ...] = ()
    api: str = "single"

    @property
    def elsewhere(self) -> float:
        """Chance that another lcore than this one handled any packet before."""
        return 1 - 1 / self.lcores

    @property
    def moved(self) -> float:
        """Chance that another lcore handled the packet before of the same flow."""
        return MIGRATIONS[self.affinity] * self.elsewhere


@dataclass(frozen=True, slots=True)
class Touch:
    """A cache line of an element that a transaction changes.

    `elements` of the kind are in use, `crowded` of them on each line; `local` of them are
    used by one lcore. `adds` to this line; `common` is what exists once also
    where each lcore has an instance, which is `private`; `seldom` is what is read each time and
    rarely written, as peaks are. It is `line` of the element, and the line before it is touched too
    where it is `behind` one.
    """

    scope: str
    elements: int
    crowded: int
    local: int
    private: bool
    common: bool
    adds: int
    seldom: bool = False
    behind: bool = False
    line: int = 0

    @property
    def lines(self) -> int:
        """Cache lines of the kind in use, in one copy."""
        return math.ceil(self.elements / self.crowded)

    @property
    def key(self) -> tuple[str, bool, int]:
        """Which line of which element it is."""
        return self.scope, self.common, self.line

    @property
    def lcore_lines(self) -> int:
        """Of those, the ones that one lcore touches: its elements lie anywhere."""
        return min(self.lines, self.local)


@dataclass
class Transaction:
    """The operations of one update on the scopes of one domain; `computed` are instructions that
    find the buckets of histograms. It happens with this `share` of packets.

    `flat` of the operations are on what exists once. The update has an index where it is `indexed`,
    is in this transaction altogether where it is `alone`, and observes, or has a list, where
    `observes`: calls do not sum up.
    """

    domain: layout.Domain
    operations: int = 0
    share: float = 1.0
    flat: int = 0
    computed: int = 0
    has_set: bool = False
    indexed: bool = False
    alone: bool = True
    observes: bool = False
    touches: list[Touch] = field(default_factory=list)


def instances(scope: ir.Scope, deployment: Deployment) -> int:
    """Instances of a scope that are in use: all, or as many as there are flows."""
    levels = zip(scope.path, scope.maxima, strict=True)
    flow, flows = deployment.flow_scope, deployment.flows
    return math.prod(min(limit, flows) if name == flow else limit for name, limit in levels)


def touched(scope: ir.Scope, deployment: Deployment) -> int:
    """Instances of a scope that updates touch: each flow has one of every scope with an index."""
    count = instances(scope, deployment)
    return min(count, deployment.flows) if scope.path and deployment.flow_scope else count


def local(scope: ir.Scope, deployment: Deployment) -> int:
    """Instances of a scope that one lcore touches: those of its flows."""
    embedded = scope.storage is ir.Storage.EMBEDDED
    count = deployment.flows if embedded else touched(scope, deployment)
    if deployment.affinity == "none" or not (scope.path or embedded):
        return count
    return min(count, math.ceil(deployment.flows / deployment.lcores))


def transactions(module: ir.Module, deployment: Deployment) -> list[Transaction]:
    """The updates of a packet."""
    result = []
    called = [u for u in module.updates if not deployment.updates or u.name in deployment.updates]
    most = max((update.weight for update in called), default=1)
    for update in called:
        domains = list(layout.domains(module))
        touched = {op.scope for op in update.operations}
        spans = sum(any(part.scope.name in touched for part in d.scopes) for d in domains)
        for domain in domains:
            names = {part.scope.name for part in domain.scopes}
            operations = [op for op in update.operations if op.scope in names]
            if operations:
                made = _transaction(domain, operations, deployment)
                made.share = update.weight / most
                made.alone = spans == 1
                made.indexed = bool(update.indexes)
                made.observes = any(op.observed or op.most for op in update.operations)
                result.append(made)
    return result


def _transaction(
    domain: layout.Domain, operations: list[ir.Operation], deployment: Deployment
) -> Transaction:
    transaction = Transaction(domain, sum(op.most or 1 for op in operations))
    parts = {part.scope.name: part for part in domain.scopes}
    grouped: dict[tuple[str, str, bool, int], list[ir.Operation]] = {}
    for op in operations:
        common, line = _place(parts[op.scope], op.item)
        grouped.setdefault((op.scope, op.role, common, line), []).append(op)
        transaction.flat += not parts[op.scope].scope.levels
        transaction.has_set |= op.verb == "set" and not common
        if op.observed:
            histograms = parts[op.scope].scope.histograms
            transaction.computed += next(
                h.computation for h in histograms if h.buckets[0] == op.item
            )
    for (name, role, common, line), ops in grouped.items():
        touch = _touch(parts[name], domain, common, ops, deployment)
        touch = replace(touch, line=line, behind=(name, role, common, line - 1) in grouped)
        transaction.touches += [touch] * (ops[0].most or 1)  # a list is as long as it may be
    return transaction


def _place(part: layout.ScopeLayout, item: str) -> tuple[bool, int]:
    """Whether an item is in the common part, and which line of its element it is on."""
    for common, fields in ((False, part.data), (True, part.common)):
        for entry in fields.fields if fields else ():
            if entry.item is not None and entry.item.name == item:
                return common, entry.offset // CACHE_LINE
    return False, 0


def _touch(
    part: layout.ScopeLayout, domain: layout.Domain, common: bool, operations: list[ir.Operation],
    deployment: Deployment,
) -> Touch:  # fmt: skip
    scope = part.scope
    element = part.common if common else part.data
    size = element.size if element else 8
    embedded = scope.storage is ir.Storage.EMBEDDED
    count = deployment.flows if embedded else touched(scope, deployment)
    return Touch(
        scope=scope.name, elements=count,
        crowded=1 if embedded else max(1, min(count, CACHE_LINE // size)),
        local=local(scope, deployment), private=domain.strategy.per_lcore and not common,
        common=common, adds=sum(op.verb not in ("set", OBSERVE) for op in operations),
        seldom=all(op.verb == OBSERVE for op in operations),
    )  # fmt: skip


def written_elsewhere(touch: Touch, module: ir.Module, deployment: Deployment) -> float:
    """Chance that another lcore wrote the line last.

    Elements of several flows share a line, so that a line can be another's although
    each flow stays where it is (false sharing); and flows share an element where there are
    fewer. The line of an embedded scope is there already: the application needs the object itself.
    """
    scope = module.scope(touch.scope)
    if touch.private or touch.seldom or scope.storage is ir.Storage.EMBEDDED:
        return 0.0
    of_flow = min(1.0, touch.elements / deployment.flows) if deployment.flow_scope else 0.0
    of_flow *= bool(scope.path)  # that the packet before was of the same flow
    same = of_flow * deployment.moved + (1 - of_flow) * deployment.elsewhere
    return (1 - 1 / touch.crowded) * deployment.elsewhere + same / touch.crowded
