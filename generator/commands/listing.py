# SPDX-License-Identifier: BSD-3-Clause
"""Lists of what is installed: strategies and backends."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from ..strategies.catalogue import Strategy, Tunable, all_strategies


def strategies(style: str) -> str:
    """Every strategy with its promises and tunables, as `text` or `json`."""
    catalogue = list(all_strategies().values())
    if style != "json":
        return "\n".join(_strategy(strategy) for strategy in catalogue)
    rows = []
    for strategy in catalogue:
        plain = strategy.model_dump()
        row = {key: plain[key] for key in ("summary", "promises", "cycles", "storage")}
        row["promises"] = dict(strategy.promised())
        row["burst_ends"] = strategy.visible_after()
        row["delays"] = {"reader": strategy.delays(), "updates": strategy.delayed()}
        tunables = [{"name": name, **tunable} for name, tunable in plain["tunables"].items()]
        rows.append({"name": strategy.name, **row, "tunables": tunables})
    return json.dumps(rows, indent=2) + "\n"


def _value(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _strategy(strategy: Strategy) -> str:
    lines = [strategy.name, f"  {strategy.summary}"]
    promises = [f"{key}: {_value(value)}" for key, value in strategy.promised()]
    promises.append(f"visible after calls of P_burst_end(): {strategy.visible_after()}")
    promises.append(f"reader delays an update: {strategy.delays()}")
    promises.append(f"updates delay a reader: {strategy.delayed()}")
    promises.append(f"storage: {'/'.join(strategy.storage)}")
    if strategy.cycles is not None:
        promises.append(f"cycles: {strategy.cycles}")
    lines += textwrap.wrap(", ".join(promises), 96, initial_indent="  ", subsequent_indent="  ")
    for name, tunable in strategy.tunables.items():
        text = f"{name}: {_range(tunable)}, default {_value(tunable.default)}. "
        text += tunable.description
        lines += textwrap.wrap(text, 96, initial_indent="    ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"


def _range(tunable: Tunable) -> str:
    if tunable.values:
        return "|".join(tunable.values)
    if isinstance(tunable.default, bool):
        return "yes|no"
    return "..".join("" if n is None else str(n) for n in (tunable.minimum, tunable.maximum))


def backends() -> str:
    """Every backend with its summary; problems with some at the end."""
    from ..backends import discover

    discovered = discover()
    width = max(map(len, discovered.backends), default=0)
    lines = [
        f"{name:<{width}}  {backend.summary}{'' if backend.default else ' (only with --only)'}"
        for name, backend in discovered.backends.items()
    ]
    lines += [f"problem: {problem}" for problem in discovered.problems]
    return "".join(line + "\n" for line in lines)
