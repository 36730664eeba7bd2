# SPDX-License-Identifier: BSD-3-Clause
"""Resolves a `sync` field: the strategy it names and the value of every tunable."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...findings.diagnostics import Diagnostics, Severity, declare
from ...findings.suggest import did_you_mean
from ...model import ir
from ...model.language import removed
from ...model.language.schema import Schema, SyncChoice
from ...model.strategies.catalogue import all_strategies
from .place import Place

declare("unknown-strategy", Severity.ERROR, "`sync` names an installed strategy.")
declare("unknown-tunable", Severity.ERROR, "A tunable is one that the strategy has.")
declare("tunable-value", Severity.ERROR, "A tunable has a value that the strategy allows.")


class Problem(NamedTuple):
    """A defect of the name of a strategy (`key` is empty), or of a tunable."""

    rule: str
    key: str
    message: str
    hint: str


def problems(name: str, settings: Mapping[str, Any]) -> Iterator[Problem]:
    """All that is wrong with a strategy's name and its tunables."""
    strategy = all_strategies().get(name)
    if strategy is None:
        hint = _as_mapping(name) or did_you_mean(name, all_strategies(), "strategies")
        yield Problem("unknown-strategy", "", f"there is no strategy '{name}'", hint)
        return
    for key, value in settings.items():
        tunable = strategy.tunables.get(key)
        if tunable is None and key in removed.TUNABLES:
            message = f"'{key}' of '{name}' has no effect any more"
            yield Problem(removed.RULE, key, message, removed.HINT)
        elif tunable is None:
            hint = did_you_mean(key, strategy.tunables, "tunables") or f"'{name}' has no tunables"
            message = f"strategy '{name}' has no tunable '{key}'"
            yield Problem("unknown-tunable", key, message, hint)
        elif expected := tunable.expected(value):
            hint = did_you_mean(str(value), tunable.values, "values") if tunable.values else ""
            message = f"'{key}' of '{name}' must be {expected}"
            yield Problem("tunable-value", key, message, hint)


def _as_mapping(name: str) -> str:
    """A hint for `shared_lock:lock=mcs`, which is how `--sync` has it; empty for other names."""
    strategy, colon, rest = name.partition(":")
    if not colon or strategy not in all_strategies():
        return ""
    settings = (setting.replace("=", ": ") for setting in rest.split(",") if "=" in setting)
    return f"write `sync: {{{', '.join((f'strategy: {strategy}', *settings))}}}`"


def resolve(value: SyncChoice | str, place: Place, diagnostics: Diagnostics) -> ir.Sync:
    """The strategy and all its tunables; `place` is that of the `sync` key. What is wrong is
    reported, and a default stands in for it."""
    name = value if isinstance(value, str) else value.strategy
    settings = {} if isinstance(value, str) else dict(value.model_extra or {})
    if place.broken("strategy"):
        settings = {}
    for problem in list(problems(name, settings)):
        if problem.rule == "unknown-strategy":
            span = place.value("strategy") if place.has("strategy") else place.value()
            default = Schema.model_fields["sync"].default
            name = default if default in all_strategies() else next(iter(all_strategies()))
            settings = {}
        else:
            known = problem.rule == "tunable-value"
            span = place.value(problem.key) if known else place.key(problem.key)
            del settings[problem.key]
        diagnostics.report(problem.rule, span, problem.message, problem.hint)
    return ir.Sync(name, all_strategies()[name].settings(settings))


def first_problem(choice: SyncChoice) -> tuple[str, str] | None:
    """The first thing that is wrong with a choice, with a hint; None when it is fine."""
    problem = next(problems(choice.strategy, choice.model_extra or {}), None)
    return None if problem is None else (problem.message, problem.hint)
