# SPDX-License-Identifier: BSD-3-Clause
"""Shared code of backends for monitoring systems: polled objects, YAML files."""

from typing import Any

from ..model import ir
from ..model.naming import symbols
from ..output.render import render
from ..output.tables import document
from ..publish.assign import assign
from ..publish.lock import Lock
from ..publish.managed import Table, tables
from . import Options


def polled(module: ir.Module, options: Options) -> tuple[Lock, list[Table]]:
    """The OIDs of a module, and the tables that managers poll."""
    lock = options.lock or assign(module, None).lock
    return lock, tables(module, lock)


def in_yaml(
    module: ir.Module, options: Options, end: str, data: dict[str, Any], mib: str = ""
) -> dict[str, str]:
    """A file of `data`, whose name ends with `end`."""
    name = symbols.prefix(module.name)
    text = render(
        "monitoring/document.yaml.j2", options=options, end=end, mib=mib, name=name,
        body=document(data),
    )  # fmt: skip
    return {f"{name}_{end}": text}
