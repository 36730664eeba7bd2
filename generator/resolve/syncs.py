# SPDX-License-Identifier: BSD-3-Clause
"""Resolves a `sync` field: the strategy it names and the value of every tunable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..findings.diagnostics import Diagnostics, Severity, declare
from ..findings.suggest import did_you_mean
from ..language.schema import SyncChoice
from ..model import ir
from ..strategies.catalogue import Tunable, all_strategies
from .place import Place

DEFAULT = "per_core"
"""Stands in for a strategy that does not exist, so that the rest can be judged."""

declare("unknown-strategy", Severity.ERROR, "`sync` names an installed strategy.")
declare("unknown-tunable", Severity.ERROR, "A tunable is one that the strategy has.")
declare("tunable-value", Severity.ERROR, "A tunable has a value that the strategy allows.")


def resolve(value: SyncChoice | str, place: Place, diagnostics: Diagnostics) -> ir.Sync:
    """The strategy and all its tunables; `place` is that of the `sync` key."""
    name = value if isinstance(value, str) else value.strategy
    strategies = all_strategies()
    where = place.value("strategy") if place.has("strategy") else place.value()
    if name not in strategies:
        message = f"there is no strategy '{name}'"
        hint = did_you_mean(name, strategies, "strategies")
        diagnostics.report("unknown-strategy", where, message, hint)
        strategy = strategies.get(DEFAULT) or next(iter(strategies.values()))
        return ir.Sync(strategy.name, tuple(sorted((t.name, t.default) for t in strategy.tunables)))
    strategy = strategies[name]
    tunables = {tunable.name: tunable.default for tunable in strategy.tunables}
    given: dict[str, Any] = {}
    if isinstance(value, SyncChoice):
        given = value.model_extra or {}
    for key, setting in given.items():
        tunable = strategy.tunable(key)
        if tunable is None:
            message = f"strategy '{name}' has no tunable '{key}'"
            hint = did_you_mean(key, tunables, "tunables") or f"'{name}' has no tunables"
            diagnostics.report("unknown-tunable", place.key(key), message, hint)
            continue
        wrong = problem(tunable, setting)
        if wrong:
            hint = did_you_mean(str(setting), tunable.values, "values") if tunable.values else ""
            message = f"'{key}' must be {wrong}"
            diagnostics.report("tunable-value", place.value(key), message, hint)
        else:
            tunables[key] = setting
    return ir.Sync(name, tuple(sorted(tunables.items())))


def first_problem(value: str | Mapping[str, Any]) -> tuple[str, str] | None:
    """The first thing that is wrong with a choice, with a hint; None when it is fine.

    `value` is a name, or a mapping with `strategy` and tunables, as from the command line.
    """
    settings: dict[str, Any] = {"strategy": value} if isinstance(value, str) else dict(value)
    name = str(settings.pop("strategy"))
    strategy = all_strategies().get(name)
    if strategy is None:
        hint = did_you_mean(name, all_strategies(), "strategies")
        return f"there is no strategy '{name}'", hint
    known = [tunable.name for tunable in strategy.tunables]
    for key, setting in settings.items():
        tunable = strategy.tunable(key)
        if tunable is None:
            hint = did_you_mean(key, known, "tunables") or f"'{name}' has no tunables"
            return f"strategy '{name}' has no tunable '{key}'", hint
        wrong = problem(tunable, setting)
        if wrong:
            hint = did_you_mean(str(setting), tunable.values, "values") if tunable.values else ""
            return f"'{key}' of '{name}' must be {wrong}", hint
    return None


def problem(tunable: Tunable, value: Any) -> str:
    """What the value of a tunable should have been, or nothing when it is fine."""
    if tunable.values:
        return "" if value in tunable.values else f"one of {', '.join(tunable.values)}"
    if isinstance(tunable.default, bool):
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(tunable.default, str):
        return "" if isinstance(value, str) else "text"
    if isinstance(value, bool) or not isinstance(value, int):
        return "a whole number"
    if tunable.minimum is not None and value < tunable.minimum:
        return f"at least {tunable.minimum}"
    if tunable.maximum is not None and value > tunable.maximum:
        return f"at most {tunable.maximum}"
    return ""
