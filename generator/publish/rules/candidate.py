# SPDX-License-Identifier: BSD-3-Clause
"""Subject of the rules of a MIB module, and their rule set."""

from dataclasses import dataclass
from functools import cached_property

from ...findings.diagnostics import Span
from ...findings.rules import RuleSet
from ...model import ir
from ..assign import Assignment
from ..lock import Entry, Key, Lock
from ..members import labels
from ..nodespec import NodeSpec, published_scopes


@dataclass(frozen=True)
class Candidate:
    """A MIB module to be: what it is made from, the OIDs it gets, and the lock before it.

    `allowed` are the changes that comments of the schema allow, as (rule, subject).
    """

    module: ir.Module
    assignment: Assignment
    old: Lock | None
    allowed: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def scopes(self) -> tuple[ir.Scope, ...]:
        """The scopes that the module shows."""
        return published_scopes(self.module)

    @cached_property
    def items(self) -> list[ir.Item]:
        """The items that the module shows."""
        return [item for scope in self.scopes for item in scope.items]

    @cached_property
    def index_columns(self) -> set[str]:
        """Names of the index objects that the module itself defines."""
        return {i.name for scope in self.module.scopes for i in scope.snmp.index if i.oid}

    @cached_property
    def entries(self) -> list[tuple[Entry, NodeSpec]]:
        """Every entry that the schema needs, with the part of the schema."""
        required, live = self.assignment.required, self.assignment.lock.live()
        return [(entry, required[key]) for key, entry in live.items() if key in required]

    @cached_property
    def types(self) -> set[str]:
        """Names of the textual conventions that the schema defines."""
        return {convention.name for convention in self.module.snmp.types}

    @cached_property
    def names(self) -> list[tuple[str, Span]]:
        """Every name that the module will define, and what it comes from; those of its reports
        about itself, which no schema chose, step aside for others."""
        where, lock = self.module.snmp.span, self.assignment.lock
        spans = {Key(scope.name): scope.span for scope in self.module.scopes}
        spans.update({key: spec.span for key, spec in self.assignment.required.items()})
        names = [(lock.identity, where), *((name, where) for name, _ in self.module.snmp.nodes)]
        entries = (e for e in lock.entries if not e.gone and e.key.scope != ir.HEALTH)
        return names + [(e.name, spans.get(e.key, where)) for e in entries]

    @cached_property
    def labels(self) -> list[tuple[ir.Item, str]]:
        """Every label of an enumeration by its name in the MIB."""
        labelled = [item for item in self.items if item.value_type.labelled]
        return [(item, name) for item in labelled for name, _ in labels(item)]


RULES: RuleSet[Candidate] = RuleSet()
"""Every rule about a MIB module to be."""

rule = RULES.rule
