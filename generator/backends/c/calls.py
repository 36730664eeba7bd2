# SPDX-License-Identifier: BSD-3-Clause
"""How updates are called: their scopes, and the parameters of a call, of a run and of a batch."""

from __future__ import annotations

import itertools

from ...model import ir
from ...model.kinds import OBSERVE
from ...model.lazy import cached_property
from ...model.naming import symbols
from ...model.naming.symbols import Names
from . import parameters
from .levels import constants
from .transactions import C_TYPES, RUN, Parameter, parameter, summed_up
from .views import ModuleView


class UpdateCall:
    """How an update is called: its scopes, and the parameters of its forms."""

    def __init__(self, module: ModuleView, update: ir.Update, number: int = 0) -> None:
        self.ir = update
        self.number = number
        self.name = update.name
        self.module = module
        self.sym = self._names("")
        self.observes = any(op.single for op in update.operations)
        fixed = update.fixed
        self.scopes = tuple(
            scope.at(constants(module.ir, scope.ir, fixed.get(scope.name, {})))
            for scope in map(module.by_name.__getitem__, update.scopes)
        )
        self.indexed = tuple(scope for scope in self.scopes if not scope.is_global)
        self.prefetched = tuple(
            scope for scope in self.indexed if scope.worth_a_prefetch and scope.unsure
        )
        names = [argument.name for argument in update.arguments]
        c_names = parameters.assign(names, module.taken, module.prefix, "_arg")
        self.by_argument = {a.name: (a.type, c_names[a.name]) for a in update.arguments}

    def _names(self, suffix: str, part: bool = False) -> Names:
        """Names of the update, or of its `part` under one strategy, which `suffix` tells."""
        named = (self.module.ir, self.ir)
        return symbols.of_part(*named, suffix) if part else symbols.of_update(*named)

    @cached_property
    def indexes(self) -> tuple[Parameter, ...]:
        """Index parameters, and pointers to objects of the application's."""
        embedded = {scope.name: scope for scope in self.indexed if scope.embedded}
        return tuple(
            parameter(
                f"struct {embedded[name].sym.embedded} *" if name in embedded else "uint32_t",
                self.module.indexes[name],
            )
            for name in self.ir.indexes
        )

    @cached_property
    def arguments(self) -> tuple[Parameter, ...]:
        """The arguments of the schema."""
        return tuple(parameter(C_TYPES[type_], name) for type_, name in self.by_argument.values())

    @cached_property
    def call_parameters(self) -> tuple[Parameter, ...]:
        """Parameters of a single call: indexes, then arguments."""
        return self.indexes + self.arguments

    @property
    def args(self) -> str:
        return ", ".join(p.name for p in self.call_parameters)

    @property
    def bulk_params(self) -> str:
        """Arrays in place of values, then their length."""
        return ", ".join([*(p.array for p in self.call_parameters), "unsigned int n"])

    @property
    def bulk_args(self) -> str:
        """Arguments of a single call for element `i` of a bulk call."""
        return ", ".join(f"{p.name}_v[i]" for p in self.call_parameters)

    @cached_property
    def _uses(self) -> dict[tuple[str | None, bool, bool], None]:
        """The uses of arguments, each once: of which, whether it is stored (or else added), and
        whether a bulk call does that once."""
        ops = self.ir.operations
        added = (op for op in ops if op.argument and op.verb != OBSERVE)
        uses = [(op.argument, op.verb == "set", self._is_once(op.scope, op.verb)) for op in added]
        uses += [(op.observed or op.argument, False, False) for op in ops if op.single]
        return dict.fromkeys(uses)

    def _arguments(self, *, stored: bool, once: bool | None = None) -> tuple[Parameter, ...]:
        """Arguments that are stored (or else added); by operations that a bulk call does `once`."""
        wanted = (use[0] for use in self._uses if use[1] == stored and once in (None, use[2]))
        by_name = dict(zip(self.by_argument, self.arguments, strict=True))
        return tuple(by_name[name] for name in dict.fromkeys(wanted) if name)

    @cached_property
    def summed(self) -> tuple[Parameter, ...]:
        """Arguments that are added somewhere: a run holds their sums."""
        return tuple(map(summed_up, self._arguments(stored=False)))

    @cached_property
    def last(self) -> tuple[Parameter, ...]:
        """Arguments that are stored somewhere: a run holds the last value."""
        arguments = self._arguments(stored=True)
        return tuple(Parameter(p.type, f"{p.name}_last", p.name) for p in arguments)

    @cached_property
    def run_parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the run form: indexes, number of calls, sums, last values."""
        if self.observes:
            return self.call_parameters
        calls = Parameter("uint64_t", RUN.calls, "1")
        return (*self.indexes, calls, *self.summed, *self.last)

    @property
    def run_members(self) -> str:
        """These as members of a struct."""
        rows = itertools.groupby(self.run_parameters, lambda p: p.type)
        return " ".join(f"{type_} {', '.join(p.name for p in row)};" for type_, row in rows)

    @property
    def emptied(self) -> str:
        """The assignment that empties the run that a batch holds."""
        names = [p.name for p in self.summed] + [RUN.calls]
        return " = ".join([*(f"b->{self.name}.{name}" for name in names), "0"])

    @property
    def batch_args(self) -> str:
        """Arguments of the run form from the run that a batch holds."""
        return ", ".join(f"b->{self.name}.{p.name}" for p in self.run_parameters)

    @cached_property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """Every index parameter with the macro that bounds it."""
        return tuple(dict.fromkeys(limit for scope in self.indexed for limit in scope.unsure))

    @cached_property
    def may_drop(self) -> bool:
        """Whether a call may be dropped, for an index or for what does not exist."""
        return bool(self.module.drop and self.limits) or any(s.dynamic for s in self.scopes)

    @cached_property
    def _single(self) -> frozenset[str]:
        """Scopes of which every call changes the same instance."""
        return frozenset(scope.name for scope in self.scopes if scope.single)

    def _is_once(self, scope: str, verb: str) -> bool:
        """Whether a bulk call may do an operation once for all of its elements.

        A value is not set for elements that are all dropped.
        """
        return scope in self._single and (verb != "set" or not self.may_drop)
