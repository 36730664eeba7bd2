# SPDX-License-Identifier: BSD-3-Clause
"""Rules about what the kernel counts, where the output `xdp` is asked for."""

from collections.abc import Callable, Iterable
from typing import Any

from ...findings.rules import Finding, Findings
from ...model import ir, kernel, layout
from ..resolve.place import Resolution
from .registry import rule_of_each

BACKEND = "xdp"


def _asked(r: Resolution, parts: Callable[[ir.Module], Iterable[Any]]) -> list[tuple[Any]]:
    return [(part,) for part in parts(r.module)] if BACKEND in r.outputs else []


scope_rule = rule_of_each(lambda r: _asked(r, lambda module: module.scopes))
domain_rule = rule_of_each(lambda r: _asked(r, layout.domains))


@scope_rule("The kernel counts under strategies with an instance for each CPU, or one for all.")
def xdp_strategy(scope: ir.Scope) -> Findings:
    embedded = scope.storage is ir.Storage.EMBEDDED
    if kernel.copies(scope.sync) is None and not embedded:
        message = f"the kernel cannot count '{scope.name}' under '{scope.sync.strategy}'"
        yield Finding(scope.sync_span, message, f"use '{kernel.fitting(scope.sync)}'")


@scope_rule("The kernel counts in maps, not in objects of the application.")
def xdp_storage(scope: ir.Scope) -> Findings:
    if scope.storage is ir.Storage.EMBEDDED:
        message = f"the kernel cannot count in objects of the application, as in '{scope.name}'"
        yield Finding(scope.span, message, "give the scope a `max`")


@scope_rule("The kernel keeps no limits.")
def xdp_limit(scope: ir.Scope) -> Findings:
    for limit in scope.limits:
        message = f"limit '{limit.name}' is not possible in the kernel: CPUs hold no shares"
        yield Finding(limit.span, message, "watch the counter by a notification")


@domain_rule("The counters of a scope in the kernel take less than 512 MiB a CPU.")
def xdp_size(domain: layout.Domain) -> Findings:
    size = 0
    for part in domain.scopes:
        size += part.data.size * part.scope.instances if part.data else 0
        if size > kernel.LARGEST and part.scope.storage is not ir.Storage.EMBEDDED:
            message = f"counters up to those of '{part.scope.name}' take {size} bytes a CPU"
            hint = f"at most {kernel.LARGEST} fit: lower `max`"
            yield Finding(part.scope.span, message, hint)
            return
