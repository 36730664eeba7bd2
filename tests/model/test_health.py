# SPDX-License-Identifier: BSD-3-Clause
"""What a module reports of itself: only what can happen, under names that stay."""

from pathlib import Path

import pytest

from ctrgen.model import health, ir
from ctrgen.pipeline.check import check
from ctrgen.publish import assign, objects
from tests.mib.repository import FIRST, Repository, revised
from tests.support.schemas import module_of
from tests.support.strategies import DRAINED, LOCKING, SHARED

SCOPES = {
    "global": "  global:\n    counters: {c: {unit: packets, description: C.}}\n",
    "static": "  s:\n    max: 4\n    counters: {c: {unit: packets, description: C.}}\n",
    "dynamic": "  d:\n    max: 4\n    storage: dynamic\n"
               "    counters: {c: {unit: packets, description: C.}}\n",
    "embedded": "  e:\n    storage: embedded\n    sync: caller\n"
                "    counters: {c: {unit: packets, description: C.}}\n",
}  # fmt: skip
OF_D = ["d_instances", "d_instances_max", "d_creations_refused"]


@pytest.mark.parametrize(
    ("scopes", "more", "names"),
    [
        ("global", "", ["late_updates"]),
        ("global static", "bounds: assert", ["late_updates"]),
        ("global static", "", ["late_updates", "dropped_updates"]),
        ("dynamic", "bounds: assert", [*OF_D, "late_updates"]),
        ("global dynamic", f"sync: {DRAINED}", [*OF_D, "late_updates", "dropped_updates"]),
        ("global", f"sync: {DRAINED}", ["late_updates"]),
        ("global", f"sync: {{strategy: {DRAINED}, mode: rts}}",
         ["late_updates", "dropped_updates"]),
        ("embedded", "", []),
    ],
)  # fmt: skip
def test_a_module_reports_what_can_happen(scopes: str, more: str, names: list[str]) -> None:
    text = f"ctrgen: 1\nmodule: x\n{more}\nscopes:\n"
    module = module_of(text + "".join(SCOPES[name] for name in scopes.split()))
    own = health.scope(module)
    assert [item.name for item in own.items] == names if own else not names
    assert len(health.shown(module)) == len(module.scopes) + bool(names)


FLOW = (
    "  flow:\n    max: 4\n    storage: dynamic\n"
    "    counters: {n: {unit: packets, description: N.}}\n"
)
REPORTS = {
    f"_module.{name}"
    for name in ("flow_instances", "flow_instances_max", "flow_creations_refused", "late_updates",
                 "dropped_updates")
}  # fmt: skip


def keys(repository: Repository) -> dict[str, tuple[str, str]]:
    """OIDs and states in the lock file of what the module reports of itself."""
    text = repository.schema.with_suffix(".ctrgen.lock").read_text()
    lines = (line.split() for line in text.splitlines() if line.startswith("object "))
    return {words[5]: (words[1], words[3]) for words in lines if words[5].startswith("_module.")}


def build_formerly(repository: Repository, text: str) -> str:
    """The module and the lock file of a ctrgen from before there were reports."""
    caches = objects.required, assign.first_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(health, "reports", lambda module: iter(()))
        for cache in caches:
            cache.cache_clear()
        module = repository.build(text)
    for cache in caches:
        cache.cache_clear()
    return module


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_a_published_module_gets_them_with_its_next_revision(repository: Repository) -> None:
    """RFC 2578, 10: nothing moves, and what is new comes with a revision."""
    text = build_formerly(repository, FIRST + FLOW)
    assert "Health" not in text and "epLateUpdates" not in text
    before = repository.schema.with_suffix(".ctrgen.lock").read_text()
    assert repository.build(FIRST + FLOW) == text
    assert repository.schema.with_suffix(".ctrgen.lock").read_text() == before
    text = repository.build(revised(FIRST + FLOW, "2026-02-01"))
    assert keys(repository).keys() == REPORTS
    assert "epLateUpdates OBJECT-TYPE" in text
    after = repository.schema.with_suffix(".ctrgen.lock").read_text().splitlines()
    kept = [line for line in before.splitlines() if line.startswith(("object ", "node "))]
    assert set(kept) <= set(after)


def test_the_strategy_is_not_in_the_module(repository: Repository) -> None:
    """To edit `sync` is the whole switch, in the MIB as elsewhere."""
    text = repository.build(FIRST + FLOW)
    for sync in (SHARED, f"{{strategy: {DRAINED}, mode: mpmc}}", LOCKING):
        assert repository.attempt(f"{FIRST}{FLOW}sync: {sync}\n").exit_code == 0
        assert keys(repository).keys() == REPORTS
    assert repository.build(FIRST + FLOW) == text


def test_a_renamed_scope_keeps_its_reports(repository: Repository) -> None:
    repository.build(FIRST + FLOW)
    before = keys(repository)
    renamed = FLOW.replace("  flow:\n", "  stream:\n    renamed_from: flow\n")
    repository.build(revised(FIRST + renamed, "2026-02-01"))
    after = keys(repository)
    for name in ("instances", "instances_max", "creations_refused"):
        assert after[f"_module.stream_{name}"] == before[f"_module.flow_{name}"]


def test_names_of_the_schema_go_first(repository: Repository) -> None:
    """Items, scopes and C names of a schema that are called like reports stay as they are."""
    items = "    gauges: {instances: {unit: flows, description: I.}}\n"
    more = "  flow_instances:\n    max: 2\n    counters: {n: {unit: packets, description: N.}}\n"
    text = repository.build(f"{FIRST}{FLOW}{items}{more}")
    assert "epFlowInstances OBJECT-TYPE" in text and "epFlowInstances2 OBJECT-TYPE" in text
    assert "::= { epFlowEntry" in text.partition("epFlowInstances OBJECT-TYPE")[2][:400]
    result = check(str(repository.schema))
    assert result.module is not None
    assert [one.rule for one in result.diagnostics.findings if one.rule == "series-name"]
    assert ir.HEALTH not in result.module.scope_names
