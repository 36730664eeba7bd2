# SPDX-License-Identifier: BSD-3-Clause
"""A module as a schema again: it resolves to the same module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ctrgen.mib import unresolve
from ctrgen.model import ir
from ctrgen.pipeline.check import check
from tests.frontends.smi import roundtrip
from tests.frontends.smi.test_own import HARD
from tests.frontends.smi.test_random import hard_schema
from tests.support import schemas


def resolved(text: str, path: str = "x.yaml") -> ir.Module | None:
    return check(path, read=lambda _: text.encode("utf-8")).module


def facts(module: ir.Module) -> Any:
    """What a module means, but for the order in which one update does several things."""
    found = roundtrip.facts(module)
    for update in found["updates"]:
        update["operations"] = sorted(update["operations"], key=str)
    return found


def comes_back(module: ir.Module) -> dict[str, Any]:
    keys = unresolve.plain(unresolve.module(module))
    again = resolved(yaml.safe_dump(keys, sort_keys=False, allow_unicode=True))
    assert again is not None
    assert facts(again) == facts(module)
    return keys


@pytest.mark.parametrize("name", schemas.NAMES)
def test_examples(name: str, tmp_path: Path) -> None:
    module = check(str(schemas.sources(tmp_path)[name])).module
    assert module is not None
    comes_back(module)


def test_what_is_hard() -> None:
    module = resolved(HARD)
    assert module is not None
    comes_back(module)


def test_random_schemas() -> None:
    modules = [module for seed in range(60) if (module := resolved(hard_schema(seed)))]
    assert len(modules) >= 30
    for module in modules:
        comes_back(module)


def test_defaults_are_left_out() -> None:
    written = (
        "ctrgen: 1\nmodule: ep\ndescription: D.\n"
        "prometheus: {scrape_interval: 15s}\nscopes:\n"
        "  global: {counters: {pkts: {unit: packets, description: P.}}}\n"
        "  rx_queue: {max: 4, gauges: {depth: {unit: '1', description: D., min: 0}}}\n"
        "updates: {drop: {add: {global.pkts: 1}}}\n"
    )
    module = resolved(written)
    assert module is not None
    keys = comes_back(module)
    assert keys.pop("snmp") == {"draft": True, "enterprise": 32473}
    assert keys == yaml.safe_load(written)
