# SPDX-License-Identifier: BSD-3-Clause
"""Counters of XDP programs: updates for the kernel, and what reads their maps in user space.

The kernel counts in arrays that user space maps and never writes; a reset is a baseline in user
space (model/kernel.py). The templates of C make both sides.
"""

import hashlib
import json

from ..model import ir, kernel
from ..model.strategies.catalogue import all_strategies
from ..output.render import render
from . import BuiltIn, Options, in_short
from .c import context_of
from .c.fold import fold
from .c.views import ModuleView, answers_of


def identity(module: ir.Module) -> str:
    """Eight digits that change with what a map means: names, types, order, widths, labels, keys."""
    scopes = [
        (
            scope.name, scope.storage.value, scope.sync.strategy,
            [(lv.name, lv.maximum, lv.labels) for lv in scope.levels],
            [(i.name, i.kind.value, i.type, i.width, i.range, i.histogram, i.of, i.least, i.octets,
              [(label.name, label.value) for label in i.labels]) for i in scope.stored],
            [(h.name, h.bounds) for h in scope.histograms],
            [(p.name, p.type, p.length, [label.name for label in p.labels]) for p in scope.key],
        )
        for scope in module.scopes
    ]  # fmt: skip
    return hashlib.sha256(json.dumps([module.name, scopes]).encode()).hexdigest()[:8]


def _name_strategies(view: ModuleView, module: ir.Module) -> None:
    """What the schema calls the strategies, and how the kernel adds under them."""
    for domain in view.domains:
        original = module.scope(domain.scopes[0].name).sync
        domain.strategy, domain.operations = original.strategy, "xdp"
        domain.lcore_values = False  # Copies are mapped read-only.
        domain.kernel = all_strategies()[original.strategy].kernel
        if domain.kernel == "sequence":
            domain.operations = "xdp_seqcount"


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The header for the kernel, and the header and source for user space."""
    context = context_of(kernel.mapped(module), options)
    view: ModuleView = context["m"]
    _name_strategies(view, module)
    context["common_map"] = f".data.{view.prefix}_{identity(module)}"
    context["keyed"] = [scope for scope in view.readable if scope.key_parts]
    texts = {}
    for side, name in (("kernel", "bpf.h"), ("user", "xdp.h")):
        view.side = side
        _answer(view, side)
        texts[name] = fold(render(f"xdp/{name}.j2", **context))
    maps = render("xdp/maps.j2", **context)
    source = fold(render("c/source.c.j2", **{**context, "maps": maps}))
    return {
        f"{view.prefix}.bpf.h": texts["bpf.h"],
        f"{view.prefix}_xdp.h": texts["xdp.h"],
        f"{view.prefix}_xdp.c": source,
    }


def _answer(view: ModuleView, side: str) -> None:
    """Set the answers of strategies on one side."""
    name = {"kernel": "xdp/update.j2", "user": "xdp/user.j2"}[side]
    for domain in view.domains:
        domain.sync = answers_of(domain.layout.sync.strategy, name)


BACKEND = BuiltIn("xdp", in_short(__doc__), generate, default=False)
