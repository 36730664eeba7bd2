# SPDX-License-Identifier: BSD-3-Clause
"""The catalogue of strategies, for people, programs and shells."""

import json
import textwrap
from typing import Any

from ...model.strategies.catalogue import Strategy, Tunable, all_strategies


def listing(style: str) -> str:
    """All strategies with their guarantees and tunables, as `text` or as `json`."""
    catalogue = list(all_strategies().values())
    if style == "json":
        return json.dumps([_plain(strategy) for strategy in catalogue], indent=2) + "\n"
    return "\n".join(_strategy(strategy) for strategy in catalogue)


def tunables(text: str) -> list[str]:
    """What may follow `STRATEGY:`, up to and with the tunables that are there already."""
    name, _, given = text.partition(":")
    strategy = all_strategies().get(name)
    if strategy is None:
        return []
    before, comma, _ = given.rpartition(",")
    taken = {part.partition("=")[0] for part in before.split(",")}
    return [
        f"{name}:{before}{comma}{key}={value}"
        for key, tunable in strategy.tunables.items()
        if key not in taken
        for value in tunable.values or ("",)
    ]


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
