# SPDX-License-Identifier: BSD-3-Clause
"""Observations: each histogram has a call that observes one value, made like an update."""

from __future__ import annotations

import functools

from ...model import ir
from ...model.naming.symbols import Names
from .items import HistogramView
from .updates import UpdateView
from .views import ModuleView, module_view


class ObserveView(UpdateView):
    """The observation of one value by one histogram, which is no update of the schema."""

    def __init__(self, module: ModuleView, histogram: HistogramView, number: int) -> None:
        self.histogram = histogram
        of = histogram.ir
        name = f"{of.scope}.{of.name}"
        bucket = ir.Operation("add", of.scope, of.buckets[0], 1, None, of.span, (), name, "sample")
        total = ir.Operation("add", of.scope, of.sum, None, "sample", of.span, (), name)
        argument = (ir.Argument("sample", "uint64"),)
        path = histogram.scope.ir.path
        update = ir.Update(of.name, "", argument, (total, bucket), (of.scope,), path, of.span)
        super().__init__(module, update, number)

    def _names(self, suffix: str, part: bool = False) -> Names:
        return self.histogram.sym


@functools.lru_cache(maxsize=1)
def observe_views(module: ir.Module) -> tuple[ObserveView, ...]:
    """The observations of a module's histograms, numbered behind its updates."""
    view, first = module_view(module), len(module.updates)
    histograms = [histogram for scope in view.scopes for histogram in scope.histograms]
    return tuple(ObserveView(view, h, n) for n, h in enumerate(histograms, first))
