# SPDX-License-Identifier: BSD-3-Clause
"""What becomes of a call that an lcore does not apply itself: a record, an out-of-line variant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...model.naming.symbols import Names
from .transactions import BULK, CALL, RUN, Form, OpView, Parameter, Record
from .views import DomainView

if TYPE_CHECKING:
    from .updates import UpdateView


def record(
    update: UpdateView,
    form: Form,
    ops: list[OpView],
    parameters: Iterable[Parameter],
    sym: Names,
) -> Record | None:
    """What may be held back of a call, or of a run of calls."""
    kind = update.module.domain_by_scope[ops[0].item.scope.name].layout.strategy.records
    counts = kind == "all" or (kind == "counts" and any(op.counts for op in ops))
    if form is BULK or not counts or any(op.verb == "set" for op in ops):
        return None
    number = 2 * update.number + (form is RUN)
    if form is RUN:
        return Record.of(number, sym.run_record, update.sym.run, parameters)
    return Record.of(number, sym.record, update.sym.update, parameters)


def passed(run_parameters: Iterable[Parameter], form: Form) -> str:
    """What a form of an update passes to its out-of-line variant."""
    return ", ".join(p.call if form is CALL else p.name for p in run_parameters)


def non_lcore_call(
    update: UpdateView,
    domain: DomainView,
    name: str,
    run_parameters: Iterable[Parameter],
    form: Form,
) -> tuple[str, ...]:
    """The lines that hand it over; the elements of a bulk call do so one by one."""
    if form is BULK:
        return ("for (i = 0; i < n; i++)", f"\t{update.sym.update}({update.bulk_args});")
    first = ("0",) if domain.outlined == "rest" else ()
    return (f"{name}({', '.join((*first, passed(run_parameters, form)))});",)
