# SPDX-License-Identifier: BSD-3-Clause
"""The catalogue of strategies, for people and programs."""

import json
import textwrap
from typing import Any

from ...model.strategies.catalogue import Strategy, all_strategies


def listing(style: str) -> str:
    """All strategies with their guarantees and tunables, as `text` or as `json`."""
    catalogue = list(all_strategies().values())
    if style == "json":
        return json.dumps([_plain(strategy) for strategy in catalogue], indent=2) + "\n"
    return "\n".join(_strategy(strategy) for strategy in catalogue)


def _plain(strategy: Strategy) -> dict[str, Any]:
    plain = strategy.model_dump()
    tunables = [{"name": name, **tunable} for name, tunable in plain["tunables"].items()]
    return {
        "name": strategy.name,
        **{key: plain[key] for key in ("summary", "promises", "cycles", "storage")},
        "promises": dict(strategy.promised()),
        "burst_ends": strategy.visible_after(),
        "delays": {"reader": strategy.delays(), "updates": strategy.delayed()},
        "tunables": tunables,
    }


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
        bounds = (tunable.minimum, tunable.maximum)
        numbers = "..".join("" if bound is None else str(bound) for bound in bounds)
        text = f"{name}: {'|'.join(tunable.values) or numbers}, default {tunable.default}. "
        text += tunable.description
        lines += textwrap.wrap(text, 96, initial_indent="    ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"
