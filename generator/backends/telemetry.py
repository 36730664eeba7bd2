# SPDX-License-Identifier: BSD-3-Clause
"""What reads DPDK's telemetry: an endpoint of dpdk-telemetry-exporter.py, Telegraf's dpdk input."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..model import health, ir
from ..model.naming import prometheus, symbols
from ..model.strategies.catalogue import all_strategies
from ..output.render import render
from . import BuiltIn, Options, in_short

MOST_COMMANDS = 64
"""Most instances of a scope that Telegraf queries, one command each."""
FOLDER = "telemetry-endpoints"
"""The exporter takes every file of a folder for an endpoint."""

_PAGE = 12_000
"""Octets of JSON that a reply always has room for."""


class Tag(NamedTuple):
    """A tag, and the parameters of a command that it is found in."""

    scope: str
    name: str
    pattern: str


def _named(module: ir.Module, scope: ir.Scope) -> list[dict[str, Any]]:
    """Labels that identify an instance, for each index: its own, or the parts of its keys, with
    their display texts."""
    found = []
    for level in scope.levels:
        key = module.scope(level.scope).key
        own = key if level == module.scope(level.scope).own[-1] else ()
        parts = {part.name: {label.name: label.shown for label in part.labels} for part in own}
        found.append({"name": level.dimension, "labels": list(level.shown), "parts": parts})
    return found


def _item(
    module: ir.Module, scope: ir.Scope, item: ir.Item, taken: dict[str, str]
) -> dict[str, Any]:
    metric = prometheus.polled(module, scope, item, item.name, False)
    how = {"stateset": "states", "info": "text"}.get(metric.type, "number")
    text = " ".join(item.description.split())
    unit = f" [{item.unit}]" if item.unit else ""
    name, _ = prometheus.aside(metric.name.removeprefix(f"{module.name}_"), "", taken, item.name)
    lcore = ""
    if item.kind.accumulates:
        lcore = f"{name.removesuffix('_total')}_by_lcore_total"
        lcore, _ = prometheus.aside(lcore, "", taken, item.name)
    return {
        "item": item.name, "metric": name,
        "type": "counter" if metric.type == "counter" else "gauge",
        "how": "seconds" if item.type == "timestamp" else how,
        "states": {label.name: label.shown for label in item.labels}, "help": f"{text}{unit}",
        "lcore": lcore,
    }  # fmt: skip


def _tables(module: ir.Module) -> str:
    """The scopes of a module, as a literal of Python and of JSON."""
    taken = {"left_out": ""}
    scopes = [
        {
            "scope": scope.name,
            "indexes": _named(module, scope),
            "items": [_item(module, scope, item, taken) for item in scope.items],
            "lcores": int(
                scope in module.scopes and all_strategies()[scope.sync.strategy].lcore_values
            ),
        }
        for scope in health.shown(module)
        if scope.storage is not ir.Storage.EMBEDDED
    ]
    return json.dumps(scopes, indent=1, ensure_ascii=True)


def _starts(scope: ir.Scope) -> Iterator[int]:
    """Items to start at, so that each reply reaches the start of the next one."""
    used = 0
    for number, item in enumerate(scope.items):
        size = len(item.name) + 32 + 5 * (item.octets if item.value_type.text else 0)
        if number == 0 or used + size > _PAGE or (number and number % 200 == 0):
            used = 0
            yield number
        used += size


def _instances(scope: ir.Scope) -> Iterator[str]:
    """The parameters that name each instance."""
    words = [""]
    for level in scope.levels:
        values = level.labels or tuple(map(str, range(level.maximum)))
        words = [f"{word},{value}" for word in words for value in values]
    yield from words


def _commands(module: ir.Module, scope: ir.Scope) -> Iterator[str]:
    for words in _instances(scope):
        for start in _starts(scope):
            more = f",{start}" if start else ""
            yield f"/{module.name}/scope,{scope.name}{words}{more}"


def _asked(scope: ir.Scope) -> bool:
    return scope.storage is ir.Storage.STATIC and scope.instances <= MOST_COMMANDS


def _tags(scopes: list[ir.Scope]) -> Iterator[Tag]:
    for scope in scopes:
        yield Tag(scope.name, "scope", f"^({scope.name})(?:,.*)?$")
        for number, level in enumerate(scope.levels):
            parts = ["[^,]+"] * len(scope.levels)
            parts[number] = "([^,]+)"
            yield Tag(scope.name, level.dimension, f"^{','.join([scope.name, *parts])}(?:,.*)?$")


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The two files."""
    prefix = symbols.prefix(module.name)
    asked = [scope for scope in health.shown(module) if _asked(scope)]
    return {
        f"{FOLDER}/{module.name}.py": render(
            "telemetry/endpoint.py.j2", options=options, module=module.name, tables=_tables(module)
        ),
        f"{prefix}_dpdk_telegraf.conf": render(
            "telemetry/telegraf.conf.j2", options=options, module=module.name,
            commands=[command for scope in asked for command in _commands(module, scope)],
            left_out=[scope.name for scope in module.scopes if not _asked(scope)],
            tags=list(_tags(asked)),
        ),
    }  # fmt: skip


BACKEND = BuiltIn("telemetry", in_short(__doc__), generate, default=False)
