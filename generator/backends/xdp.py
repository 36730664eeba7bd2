# SPDX-License-Identifier: BSD-3-Clause
"""Counters of XDP programs: updates for the kernel, and what reads their maps in user space.

The kernel counts in arrays of BPF, an instance a CPU (`per_core`) or one for all (`shared_atomic`),
that user space maps and never writes; a reset is a baseline in user space. For the library these
are copies by CPU, so the module below is the schema's with the strategy `per_cpu`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from ..findings.diagnostics import Diagnostic, Severity, declare
from ..model import ir, keys
from ..output.render import render
from . import BuiltIn, DiagnosticError, Options, in_short
from .c import context_of
from .c.contract import Answers
from .c.fold import fold
from .c.views import ModuleView

STRATEGIES = {"per_core": 0, "shared_atomic": 1}
"""The strategies that the kernel's side has, each with the number of instances; 0: one a CPU."""

FITS = {"shared": "shared_atomic", "per": "per_core", "delta": "per_core", "caller": "per_core"}
"""What fits instead of the others, by the first word of their names."""

LARGEST = 2**29 - 1
"""Bytes of an instance to which the verifier knows an offset (BPF_MAX_VAR_OFF)."""

KEY = 256
"""Bytes of a key that fit next to all else on the stack of a program, which has 512."""

declare("xdp-key", Severity.ERROR, "Keys of scopes of XDP take at most 256 bytes.")
declare("xdp-strategy", Severity.ERROR, "XDP counts under `per_core` or `shared_atomic`.")
declare("xdp-storage", Severity.ERROR, "XDP counts in scopes with `max`, not in embedded ones.")
declare("xdp-size", Severity.ERROR, "All counters of an instance of XDP take less than 512 MiB.")


def _refused(module: ir.Module) -> Iterator[Diagnostic]:
    """Findings about scopes that the kernel cannot count in."""
    for scope in module.scopes:
        if scope.storage is ir.Storage.EMBEDDED:
            text = f"the kernel cannot count in objects of the application, as in '{scope.name}'"
            yield _error("xdp-storage", scope.span, text, "give the scope a `max`")
        elif scope.sync.strategy not in STRATEGIES:
            fits = FITS.get(scope.sync.strategy.partition("_")[0], "per_core")
            text = f"the kernel cannot count under '{scope.sync.strategy}' ('{scope.name}')"
            yield _error("xdp-strategy", scope.sync_span, text, f"use '{fits}'")
        elif keys.size(scope.key) > KEY:
            text = f"a key of '{scope.name}' takes {keys.size(scope.key)} bytes, at most {KEY} fit"
            yield _error("xdp-key", scope.key[0].span, text, "shorten its strings")


def _error(rule: str, span: Any, text: str, hint: str) -> Diagnostic:
    return Diagnostic(rule, Severity.ERROR, span, text, hint)


def _in_maps(module: ir.Module) -> ir.Module:
    """The module as the library reads it: its copies are by CPU, and indexes are checked, as the
    verifier demands. Maxima do not depend on a port: both sides have them."""

    def mapped(scope: ir.Scope) -> ir.Scope:
        cpus = STRATEGIES.get(scope.sync.strategy, 0)
        levels = tuple(dataclasses.replace(lv, symbol="", header="") for lv in scope.levels)
        return dataclasses.replace(
            scope, levels=levels, sync=ir.Sync("per_cpu", (("cpus", cpus),)), reset_lcores=False
        )

    scopes, parents = (tuple(map(mapped, part)) for part in (module.scopes, module.parents))
    return dataclasses.replace(
        module, scopes=scopes, parents=parents, bounds="drop", writers="lcores", maps=True
    )


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
        original = module.scope(domain.scopes[0].name).sync.strategy
        domain.strategy, domain.opt, domain.operations = original, {}, "xdp"
        domain.atomic = STRATEGIES[original] == 1


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The header for the kernel, and the header and source for user space. Raises DiagnosticError
    for scopes that the kernel cannot count in."""
    if refused := tuple(_refused(module)):
        raise DiagnosticError(*refused)
    context = context_of(_in_maps(module), options)
    view: ModuleView = context["m"]
    large = [domain for domain in view.domains if domain.layout.instance_size > LARGEST]
    if large:
        text = f"an instance takes {large[0].layout.instance_size} bytes"
        span = module.scope(large[0].scopes[0].name).span
        raise DiagnosticError(_error("xdp-size", span, text, "lower `max`, or split the module"))
    _name_strategies(view, module)
    context["common_map"] = f".data.{view.prefix}_{identity(module)}"
    context["keyed"] = [scope for scope in view.readable if scope.key_parts]
    texts = {}
    for side, name in (("kernel", "bpf.h"), ("user", "xdp.h")):
        view.side = side
        _answer(view, side)
        texts[name] = fold(render(f"xdp/{name}.j2", **context))
    maps = render("xdp/maps.j2", **context)
    source = fold(render("c/source.c.j2", header=texts["xdp.h"], **{**context, "maps": maps}))
    return {
        f"{view.prefix}.bpf.h": texts["bpf.h"],
        f"{view.prefix}_xdp.h": texts["xdp.h"],
        f"{view.prefix}_xdp.c": source,
    }


def _answer(view: ModuleView, side: str) -> None:
    """Set the answers of strategies on one side."""
    name = {"kernel": "xdp/update.j2", "user": "xdp/user.j2"}[side]
    for domain in view.domains:
        domain.sync = Answers("per_cpu", name)


BACKEND = BuiltIn("xdp", in_short(__doc__), generate, default=False)
