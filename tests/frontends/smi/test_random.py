# SPDX-License-Identifier: BSD-3-Clause
"""Schemas nobody would write, as MIB modules and back: the same schemas, clean modules."""

import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctrgen.pipeline.check import check
from tests.frontends.smi import roundtrip
from tests.support import smi as smi_modules
from tests.support import smi_tools
from tests.support.capabilities import needs_base_mibs, needs_smidump
from tests.support.random_schemas import random_schema

pytestmark = [needs_smidump, needs_base_mibs]
RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
EXAMPLES = 100

WORDS = (
    "rx",
    "pkts",
    "time_x",
    "type",
    "low",
    "x_86",
    "index_1",
    "drop_ttl",
    "a_b_c",
    "ipv6",
    "tx10",
)
TEXTS = (
    "Plain.",
    '*/ \\ ??/ "%s" {{x}}',
    "-- ends -- a comment --- ---- -",
    "-- ctrgen: sync = none",
    "END ::= { a 1 }",
    "Ünïcode \u4e2d 🦆 “quotes”",
    "Values are 1 to 2.",
    "w" * 150,
    "Discontinuities in the value of this counter can occur at re-initialization of the "
    "management system.",
    "Ends in a backslash \\",
)


def _names(random_: random.Random, old: dict[str, Any]) -> dict[str, Any]:
    """The same entries, some under names that read differently when put together and apart."""
    words = random_.sample(WORDS, k=len(WORDS))
    return {
        (f"{words.pop()}{n}" if words and random_.random() < 0.4 else name): entry
        for n, (name, entry) in enumerate(old.items())
    }


def _harder(random_: random.Random, schema: dict[str, Any]) -> dict[str, Any]:
    """A random schema with what the MIB has trouble with: texts, names, units, bounds, numbers."""
    del schema["module"]
    name = random_.choice(["fuzz", "my_if", "a", "tcp"])
    schema = {"module": f"{name}{random_.randrange(10**9)}", **schema}
    for scope in schema["scopes"].values():
        if random_.random() < 0.3:
            scope["description"] = random_.choice(TEXTS)
        for group in ("counters", "gauges", "states"):
            for name, item in scope.get(group, {}).items():
                item["description"] = random_.choice(TEXTS)
                if "unit" in item and random_.random() < 0.5:
                    item["unit"] = random_.choice(["1", "By", "µs", "%", "octets", "kbit/s"])
                if random_.random() < 0.1:
                    item["renamed_from"] = f"was_{name}"
                if item.get("labels"):
                    item["labels"] = random_.choice(
                        [{"low": 5, "high": 7}, {"b": 9, "x_86": 1, "a1b": 3, "q": 4}]
                    )
    if random_.random() < 0.5:
        schema["snmp"] = {"enterprise": 77, "low_capacity": random_.random() < 0.5}
    if random_.random() < 0.3:
        schema["requires"] = {"exact": True, "propagation": "90s", "lcores": 3}
    return schema


def hard_schema(seed: int) -> str:
    """A valid schema with everything at random; updates go by the names that items then have."""
    random_ = random.Random(seed)
    schema = _harder(random_, yaml.safe_load(random_schema(random_)))
    for scope_name, scope in schema["scopes"].items():
        for group in [key for key in ("counters", "gauges", "states") if key in scope]:
            old = scope[group]
            scope[group] = _names(random_, old)
            new = dict(zip(old, scope[group], strict=True))
            moved = {f"{scope_name}.{was}": f"{scope_name}.{now}" for was, now in new.items()}
            for update in schema.get("updates", {}).values():
                for verb in [key for key in ("add", "sub", "set") if key in update]:
                    update[verb] = {moved.get(to, to): v for to, v in update[verb].items()}
        if random_.random() < 0.3:
            names = [name for g in ("counters", "gauges", "states") for name in scope.get(g, {})]
            scope["order"] = random_.sample(names, k=random_.randint(0, len(names)))
    shuffled = list(schema["scopes"].items())
    random_.shuffle(shuffled)
    schema["scopes"] = dict(shuffled)
    return yaml.safe_dump(schema, sort_keys=False, allow_unicode=True)


@pytest.mark.deep
def test_random_schemas_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each comes back, and smilint, asked once for all of them, has nothing to say."""
    smi_tools.needs("smilint", modules=("HCNUM-TC", "INET-ADDRESS-MIB", "SNMP-FRAMEWORK-MIB"))
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))
    modules: dict[str, Path] = {}

    @settings(RELAXED, max_examples=EXAMPLES)
    @given(seed=st.integers(0, 2**32))
    def come_back(seed: int) -> None:
        schema = tmp_path / "schema.yaml"
        schema.write_text(hard_schema(seed), "utf-8")
        if check(str(schema)).module is None:  # a name that is taken, or a text that is refused
            return
        first = roundtrip.build(schema)
        second = roundtrip.back(first, tmp_path / "back")
        assert roundtrip.facts(second.module) == roundtrip.facts(first.module), schema.read_text()
        assert second.text == first.text
        assert max(map(len, first.text.splitlines())) <= 72
        modules[first.name] = tmp_path / "back" / first.name

    come_back()
    assert len(modules) >= 0.6 * EXAMPLES
    found = smi_tools.smilint(*modules.values())
    assert found == ""
