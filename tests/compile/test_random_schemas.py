# SPDX-License-Identifier: BSD-3-Clause
"""Schemas nobody would write: built whole or not at all, and what is built compiles."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctrgen.backends import runtimeinfo
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.strategies.catalogue import all_strategies
from tests.pipeline.test_mutations import INLINE, _mutate

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")

FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
SHARED = [name for name, found in all_strategies().items() if "static" in found.storage]


def build_and_compile(schema: Path, out: Path, strategy: str | None) -> int:
    """Exit code of the build; on success the C has been compiled."""
    shutil.rmtree(out, ignore_errors=True)
    result = build(BuildRequest(str(schema), str(out), sync=strategy, only=("c",)))
    if result.exit_code != 0:
        assert not out.exists() or list(out.iterdir()) == [], "a failed build left output"
        return result.exit_code
    (source,) = out.glob("*.c")
    header = source.with_suffix(".h")
    for command in (
        ["gcc", "-std=gnu11", str(source)],
        ["g++", "-std=c++17", "-xc++", str(header)],
    ):
        compiled = subprocess.run(
            [*command, *FLAGS, *runtimeinfo.cflags("posix"), f"-I{out}"],
            capture_output=True,
            text=True,
        )
        assert compiled.returncode == 0, f"{schema.read_text()}\n{strategy}\n{compiled.stderr}"
    return 0


@settings(RELAXED, max_examples=1000)
@given(seed=st.integers(0, 2**32))
def test_mutated_schemas_give_c_that_compiles_or_nothing(tmp_path: Path, seed: int) -> None:
    random_ = random.Random(seed)
    path = tmp_path / "schema.yaml"
    path.write_text(_mutate(INLINE, random_), encoding="utf-8")
    assert build_and_compile(path, tmp_path / "out", None) in (0, 1)


def _item(random_: random.Random, kind: str) -> dict[str, object]:
    item: dict[str, object] = {"description": random_.choice(["Plain.", '*/ \\ ??/ "%s" {{x}}'])}
    if kind == "counters":
        return item | {"unit": "packets", "width": random_.choice([32, 64])}
    if kind == "gauges":
        bounds = random_.choice([{}, {"max": 10}, {"min": 1, "max": 2**40}])
        return item | {"unit": "items", "width": 64, **bounds}
    types: list[dict[str, object]] = [
        *(
            {"type": name}
            for name in ("bool", "int32", "uint32", "timeticks", "ipv4", "ipv6", "mac")
        ),
        {"type": "enum", "labels": {"low": -5, "high": 7}},
        {"type": "string", "length": random_.choice([1, 7, 8, 255])},
    ]
    return item | random_.choice(types)


def _scope(random_: random.Random, n: int, parents: list[str]) -> dict[str, object]:
    scope: dict[str, object] = {}
    for kind, letter in (("counters", "c"), ("gauges", "g"), ("states", "s")):
        count = random_.randint(0, 9 if kind == "counters" else 2)
        if count:
            scope[kind] = {f"{letter}{n}x{i}": _item(random_, kind) for i in range(count)}
    if not scope:
        scope["counters"] = {f"c{n}x0": _item(random_, "counters")}
    if random_.random() < 0.2:
        scope["reset"] = False
    if n == 0:
        return scope
    storage = random_.choice(["static", "static", "dynamic", "embedded"])
    scope["storage"] = storage
    if storage == "embedded":
        scope["sync"] = random_.choice(["caller", "shared_atomic", "shared_lock", "shared_unsync"])
        return scope
    scope["max"] = random_.choice([1, 3, 1000, 3000])
    if parents and random_.random() < 0.5:
        scope["parent"] = random_.choice(parents)
        scope["max"] = random_.choice([1, 4])
    if random_.random() < 0.3:
        scope["sync"] = random_.choice(SHARED)
    parents.append(f"zone{n}")
    return scope


def _update(random_: random.Random, scopes: dict[str, dict[str, object]]) -> dict[str, object]:
    arguments = {"a": "uint8", "bb": "uint32", "flag": "bool"}
    update: dict[str, dict[str, object]] = {"add": {}, "sub": {}, "set": {}}
    used: set[str] = set()
    for scope in random_.sample(sorted(scopes), k=min(len(scopes), random_.randint(1, 3))):
        for name in scopes[scope].get("counters", {}):  # type: ignore[attr-defined]
            if random_.random() < 0.6:
                update["add"][f"{scope}.{name}"] = random_.choice([1, 7, "a", "bb"])
        for name in scopes[scope].get("gauges", {}):  # type: ignore[attr-defined]
            verb = random_.choice(["add", "sub", "set"])
            update[verb][f"{scope}.{name}"] = random_.choice([1, "a", "bb"])
        for name, state in scopes[scope].get("states", {}).items():  # type: ignore[attr-defined]
            if state["type"] == "bool":
                update["set"][f"{scope}.{name}"] = random_.choice([True, "flag"])
    for verb in update.values():
        used |= {value for value in verb.values() if isinstance(value, str)}
    shown: dict[str, object] = {verb: ops for verb, ops in update.items() if ops}
    return shown and {"args": {name: arguments[name] for name in sorted(used)}, **shown}


def random_schema(random_: random.Random) -> str:
    """A valid schema that uses the whole language at random."""
    parents: list[str] = []
    scopes = {"global": _scope(random_, 0, parents)}
    for n in range(1, random_.randint(1, 4)):
        scopes[f"zone{n}"] = _scope(random_, n, parents)
    updates = {f"u{n}": _update(random_, scopes) for n in range(random_.randint(0, 3))}
    schema: dict[str, object] = {
        "ctrgen": 1,
        "module": "fuzz",
        "description": "Everything at once.",
        "bounds": random_.choice(["assert", "drop"]),
        "writers": random_.choice(["any", "lcores"]),
        "scopes": scopes,
        "updates": {name: update for name, update in updates.items() if update},
    }
    return yaml.safe_dump({k: v for k, v in schema.items() if v}, sort_keys=False)


@settings(RELAXED, max_examples=150)
@given(seed=st.integers(0, 2**32), strategy=st.sampled_from(SHARED))
def test_random_schemas_compile_under_every_strategy(
    tmp_path: Path, seed: int, strategy: str
) -> None:
    random_ = random.Random(seed)
    path = tmp_path / "schema.yaml"
    path.write_text(random_schema(random_), encoding="utf-8")
    code = build_and_compile(path, tmp_path / "out", strategy)
    if code != 0:
        result = build(
            BuildRequest(str(path), str(tmp_path / "out"), sync=strategy, mode="dry-run")
        )
        pytest.fail(print_findings(result.diagnostics) + path.read_text())
