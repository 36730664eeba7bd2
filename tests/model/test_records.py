# SPDX-License-Identifier: BSD-3-Clause
"""What is held back of a call takes the room that is kept for it."""

import random

import pytest

from ctrgen.backends.c import pending_transactions
from ctrgen.backends.c.updates import observe_views, update_views
from ctrgen.backends.c.views import module_view
from ctrgen.model import records
from tests.support.paths import ROOT
from tests.support.random_schemas import random_schema
from tests.support.schemas import module_of
from tests.support.strategies import BUFFERING, DRAINED


@pytest.mark.parametrize(
    ("members", "size"),
    [([], 8), ([4, 2], 16), ([4, 4], 16), ([8], 16), ([4, 8], 24), ([1, 8, 2, 8], 32)],
)
def test_a_record_is_laid_out_as_c_does(members: list[int], size: int) -> None:
    assert records.size(members) == size
    assert records.units(members) == -(-size // records.UNIT)


@pytest.mark.parametrize("seed", range(60))
def test_the_plan_knows_the_largest_record(seed: int) -> None:
    """The rule about `buffer` goes by the schema, the generated code by its parameters."""
    module = module_of(random_schema(random.Random(seed)), BUFFERING)
    view = module_view(module)
    held = pending_transactions(view.domains, (*update_views(module), *observe_views(module)))
    for domain in view.domains:
        if domain.layout.strategy.records and domain.active:
            found = [tx.record.size for tx in held[domain.suffix] if tx.record]
            assert domain.largest == max([1, *(-(-size // records.UNIT) for size in found)])


@pytest.mark.parametrize("sync", [BUFFERING, DRAINED])
def test_a_list_is_in_its_record_whole(sync: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a plan that forgets lists is seen."""

    def agree() -> bool:
        module = module_of(ROOT / "tests/run/schemas/lists.yaml", sync)
        views = {view.name: view for view in update_views(module)}
        own = module.scopes[0].sync
        planned = {u.name: records.run(module, u, own) for u in module.updates}
        return all(
            not tx.record or planned[name] == -(-tx.record.size // records.UNIT)
            for name, view in views.items()
            for tx in view.run.transactions
        )

    assert agree()
    real = records.units
    monkeypatch.setattr(records, "units", lambda members: real([*members][:3]))
    assert not agree()
