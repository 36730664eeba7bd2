# SPDX-License-Identifier: BSD-3-Clause
"""The values that shells complete, by click's protocol. They follow from the parameter's metavar,
so that help and completion agree."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


NAMES: dict[str, tuple[str, Callable[[Any], Iterable[str]]]] = {
    "STRATEGY": ("model.strategies.catalogue", lambda catalogue: catalogue.all_strategies()),
    "BACKEND": ("backends", lambda backends: backends.discover().backends),
    "CATEGORY": ("tools.compat", lambda compat: compat.CATEGORIES),
    "MACHINE": ("tools.plan.machine", lambda machine: machine.MACHINES),
    "PART": ("backends.runtimeinfo", lambda runtimeinfo: runtimeinfo.PARTS),
}
"""Metavars of names, with the module that has them; with `,..` after a metavar it is a list."""
PATHS = {"SCHEMA": "file", "MIB": "file", "FILE": "file", "DIR": "dir"}
"""Metavars that the shell itself completes."""


def complete(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What a parameter's value can be that begins so."""
    from click.shell_completion import CompletionItem

    metavar = (parameter.metavar or "").strip("[]").partition("|GIT")[0]
    if metavar in PATHS:
        return [CompletionItem(incomplete, type=PATHS[metavar])]
    word = metavar.removesuffix(",..")
    if word in NAMES:
        before, comma, _ = incomplete.rpartition(",") if word != metavar else ("", "", "")
        taken = before.split(",")
        module, names = NAMES[word]
        found = names(importlib.import_module(f"..{module}", __package__))
        offered: Iterable[str] = [f"{before}{comma}{name}" for name in found if name not in taken]
    else:
        offered = metavar.split("|") if metavar.islower() else ()
    return [CompletionItem(value) for value in offered if value.startswith(incomplete)]
