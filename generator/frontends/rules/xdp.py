# SPDX-License-Identifier: BSD-3-Clause
"""Rules about what the kernel counts, for schemas that ask for the output `xdp`."""

from __future__ import annotations

from ...findings.rules import Finding, Findings
from ...model import kernel
from ..resolve.place import Resolution
from .registry import rule

BACKEND = "xdp"


def _refused(r: Resolution, rule_id: str) -> Findings:
    for refusal in kernel.refusals(r.module) if BACKEND in r.module.outputs else ():
        if refusal.rule == rule_id:
            yield Finding(*refusal[1:])


@rule("The kernel counts under strategies with an instance for each CPU, or one for all.")
def xdp_strategy(r: Resolution) -> Findings:
    yield from _refused(r, "xdp-strategy")


@rule("The kernel counts in maps, not in objects of the application.")
def xdp_storage(r: Resolution) -> Findings:
    yield from _refused(r, "xdp-storage")


@rule("The kernel keeps no limits.")
def xdp_limit(r: Resolution) -> Findings:
    yield from _refused(r, "xdp-limit")


@rule("The counters of a scope in the kernel take less than 512 MiB a CPU.")
def xdp_size(r: Resolution) -> Findings:
    yield from _refused(r, "xdp-size")
