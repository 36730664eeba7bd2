# SPDX-License-Identifier: BSD-3-Clause
"""What readers and updates do to each other, in the plan: who waits, for what, and how long."""

from dataclasses import replace
from pathlib import Path

import pytest

from ctrgen.model import ir, layout
from ctrgen.model.strategies.catalogue import DELAYED, DELAYS, all_strategies
from ctrgen.model.workload import Deployment
from ctrgen.tools.plan import reading
from ctrgen.tools.plan.machine import CASCADE_LAKE, EPYC, Cache
from ctrgen.tools.plan.model import estimate
from tests.plan import roomy
from tests.support.paths import EP
from tests.support.process import ctrgen
from tests.support.strategies import STRATEGIES, VARIANTS

MANY = 1_000_000

LARGE = replace(
    EPYC,
    hz=3e9,
    memory=570.0,
    transfer=200.0,
    pause=140.0,
    caches=(Cache(1, 48 << 10, 5), Cache(2, 2 << 20, 15), Cache(3, 8 << 20, 70)),
)
"""About the Sapphire Rapids on which a snapshot took seconds: lines take some 65 ns from one core
to another."""


@pytest.fixture(scope="module")
def module() -> ir.Module:
    """The chapter's example, with room for many flows."""
    return roomy.chapter()


def tunables(variant: str) -> dict[str, int | str]:
    """Those of `NAME:KEY=VALUE,...`."""
    pairs = (entry.partition("=") for entry in variant.partition(":")[2].split(",") if entry)
    return {key: int(value) if value.isdigit() else value for key, _, value in pairs}


def read(module: ir.Module, variant: str, **place: object) -> reading.Reading:
    """A snapshot under `NAME:KEY=VALUE,...`, of 1,024 flows of one lcore that works 1000 cycles."""
    strategy = all_strategies()[variant.partition(":")[0]]
    sync = ir.Sync(strategy.name, strategy.settings(tunables(variant)))
    made = replace(module, scopes=tuple(replace(s, sync=sync) for s in module.scopes))
    where = {"lcores": 1, "flows": 1024, "flow_scope": "session", "work": 1000.0} | place
    at = Deployment(**where)  # type: ignore[arg-type]
    found = estimate(made, at, LARGE)
    assert found is not None
    return reading.reading(made, at, LARGE, found)


@pytest.mark.parametrize("variant", VARIANTS)
def test_who_waits_for_a_reader(module: ir.Module, variant: str) -> None:
    """As many instances as the strategy's own data say: none, one, or all of a snapshot."""
    strategy = all_strategies()[variant.partition(":")[0]]
    found = read(module, variant)
    assert found.delays == strategy.delays(tunables(variant))
    assert found.instances == {"never": 0, "instance": 1, "snapshot": 1025}[found.delays]
    assert (found.waits > 0) == (found.delays != "never")
    more = read(module, variant, flows=4096).waits
    assert (more > 3 * found.waits) == (found.delays == "snapshot")


def test_every_way_to_wait_is_there() -> None:
    """Of those that do not wait, readers of one try again; all is said in words."""
    assert {s.delays() for s in all_strategies().values()} == {*DELAYS}
    assert {s.delayed() for s in all_strategies().values()} == {*DELAYED}
    again = [s.name for s in all_strategies().values() if s.delayed() == "tries"]
    assert again == [s.name for s in all_strategies().values() if s.may_fail and s.tries]


def test_a_reader_tries_again_where_updates_leave_no_time(module: ir.Module) -> None:
    tries = [read(module, "per_core_seqcount", work=work).tries for work in (0.0, 100.0, 1000.0)]
    assert tries[0] > 4 and tries[0] > 2 * tries[1] > 2 * tries[2] >= 2
    assert tries[2] < 1.1
    for name in set(STRATEGIES) - {"per_core_seqcount"}:
        assert read(module, name, work=0.0).tries == 1
    # A tight loop that misses is in the middle of an update all the time.
    many = [read(module, "per_core_seqcount", work=0.0, flows=n).tries for n in (1024, MANY)]
    assert many[1] > 3 * many[0]


def test_a_snapshot_beside_a_tight_loop_takes_seconds(module: ir.Module) -> None:
    """Measured: 3.5 to 6.1 s of a million flows, against one writer in an unbroken loop."""
    tight = read(module, "per_core_seqcount", work=0.0, flows=MANY).seconds
    assert 3.5 / 2 < tight < 6.1 * 2
    assert read(module, "per_core_seqcount", flows=MANY).seconds < tight / 10
    assert read(module, "per_core", work=0.0, flows=MANY).seconds < tight / 50


def test_a_reader_gives_up(module: ir.Module) -> None:
    assert read(module, "per_core_seqcount", work=0.0).finished
    assert not read(module, "per_core_seqcount:retries=1", work=0.0).finished


def test_a_long_copy_is_overtaken() -> None:
    """Once it takes longer than the line of the count takes to go back to its lcore."""
    module = roomy.chapter()
    sync = ir.Sync("per_core_seqcount", all_strategies()["per_core_seqcount"].settings())
    made = replace(module, scopes=tuple(replace(s, sync=sync) for s in module.scopes))
    at = Deployment(1, 1024, "session", work=300.0)
    found = estimate(made, at, CASCADE_LAKE)
    assert found is not None
    (domain,) = layout.domains(made)
    few, many = (reading.tries(domain, found, at, CASCADE_LAKE, n) for n in (2, 400))
    assert few == reading.tries(domain, found, at, CASCADE_LAKE, 40) < many / 2


def test_the_plan_warns(tmp_path: Path) -> None:
    words = ("--work", "0", "--flows", "1M", "--lcores", "1", "--api", "single")
    schema = tmp_path / "s.yaml"
    schema.write_text(f"{EP.read_text('utf-8')}requires: {{consistency: update}}\n", "utf-8")
    done = ctrgen("plan", schema, *words, "--verbose").stdout
    assert done.startswith("per_core_seqcount: ")
    assert "a reader tries each instance about" in done and "leave work between" in done
    other = ctrgen("plan", schema, "--flows", "1M", "--lcores", "1", "--verbose").stdout
    assert " try " not in other and "tries" not in other


NEEDS = """\
ctrgen: 1
module: few
sync: SYNC
requires: {reader_delay: NEED}
scopes: {global: {counters: {a: {unit: packets, description: A.}}}}
updates: {u: {add: {global.a: 1}}}
"""


@pytest.mark.parametrize("need", ["any", *DELAYS])
@pytest.mark.parametrize("variant", ["per_core", "per_core_lock", "shared_lock", "shared_buffered"])
def test_what_is_required_of_readers(tmp_path: Path, variant: str, need: str) -> None:
    if need == "snapshot":
        return  # any
    schema = tmp_path / "s.yaml"
    schema.write_text(NEEDS.replace("SYNC", variant).replace("NEED", need), "utf-8")
    done = ctrgen("check", schema)
    given = all_strategies()[variant].delays()
    kept = need == "any" or [*DELAYS].index(given) <= [*DELAYS].index(need)
    assert (done.exit_code == 0) == kept, done.stdout
    if not kept:
        assert f"cannot keep 'reader_delay': {DELAYS[given]}" in done.stdout
        hinted = "or say `granularity: instance`" in done.stdout
        assert hinted == (variant == "shared_lock" and need == "instance")
