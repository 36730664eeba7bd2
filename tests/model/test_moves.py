# SPDX-License-Identifier: BSD-3-Clause
"""Names that step aside for those that a schema gives."""

import random

import pytest

from ctrgen.findings.diagnostics import NOWHERE
from ctrgen.model import ir
from ctrgen.model.naming import names, symbols
from ctrgen.model.naming.names import Symbol, Use, settle
from tests.support.schemas import module_of

PKTS = "    counters: {pkts: {unit: packets, description: Packets.}}\n"
TEXT = "ctrgen: 1\nmodule: ep\nreset: true\nscopes:\n"


def scopes(*names: str, storage: str = "static") -> ir.Module:
    """A module with these scopes."""
    text = TEXT + "".join(
        f"  {name}:\n    max: 3\n    storage: {storage}\n{PKTS}" for name in names
    )
    return module_of(text)


def symbol(name: str, use: Use = Use.OWN, tag: str = "", owner: str = "the module") -> Symbol:
    """A name of some kind."""
    return Symbol(name, owner, NOWHERE, name, use, tag)


def called(*given: Symbol) -> dict[str, str]:
    """The new names of those that stepped aside, by their own."""
    return {name: new for (_, _, name), new in settle(given).items()}


def test_nothing_moves_without_need() -> None:
    assert called(symbol("P_a"), symbol("P_b", Use.NAMED), symbol("P_c", Use.PUBLIC)) == {}
    assert symbols.moves(scopes("session", "port")) == {}


def test_a_name_of_the_user_stays_and_the_other_gets_a_suffix() -> None:
    assert called(symbol("P_a"), symbol("P_a", Use.NAMED)) == {"P_a": "P_a_own"}
    assert called(symbol("P_A"), symbol("P_A", Use.NAMED)) == {"P_A": "P_A_OWN"}


def test_a_taken_name_is_passed_over() -> None:
    """Names of the user and other generated ones, whether they move or not."""
    user = [symbol(name, Use.NAMED) for name in ("P_a", "P_a_own", "P_a_own3")]
    assert called(*user, symbol("P_a"), symbol("P_a_own2")) == {"P_a": "P_a_own4"}
    assert called(*user, symbol("P_a"), symbol("P_a_own")) == {
        "P_a": "P_a_own2",
        "P_a_own": "P_a_own_own",
    }


def test_the_search_ends_however_many_are_taken() -> None:
    user = [symbol("P_a", Use.NAMED), symbol("P_a_own", Use.NAMED)]
    user += [symbol(f"P_a_own{n}", Use.NAMED) for n in range(2, 500)]
    assert called(*user, symbol("P_a")) == {"P_a": "P_a_own500"}


def test_of_two_that_nobody_named_the_one_that_applications_know_stays() -> None:
    assert settle([symbol("P_a", Use.OWN), symbol("P_a", Use.PUBLIC, owner="scope 'z'")]) == {
        ("the module", "P_a", "P_a"): "P_a_own"
    }


def test_tags_are_apart_for_what_applications_know() -> None:
    struct = symbol("P_drops", Use.NAMED, "struct")
    function = symbol("P_drops", Use.PUBLIC)._replace(beside=True)
    assert called(struct, function) == {}
    assert called(struct, function._replace(beside=False)) == {"P_drops": "P_drops_own"}


@pytest.mark.parametrize("seed", range(40))
def test_any_names_settle_apart_and_in_any_order(seed: int) -> None:
    """After all moves no generated name is that of the user, or of another."""
    rng = random.Random(seed)
    words = [f"P_{a}{b}" for a in "xy" for b in ("", "_own", "_own2", "_own_own", "_own3")]
    every = {
        (owner, word): rng.choice(list(Use)) for owner in "abc" for word in rng.sample(words, 5)
    }
    given = [symbol(word, use, owner=owner) for (owner, word), use in every.items()]
    found = settle(given)
    for _ in range(5):
        assert settle(rng.sample(given, len(given))) == found
    own = [s for s in given if s.use is not Use.NAMED]
    final = [found.get((s.owner, s.key, s.name), s.name) for s in own]
    assert len(set(final)) == len(own), "two have one name"
    assert not {s.name for s in given if s.use is Use.NAMED} & set(final)


def test_the_order_of_scopes_makes_no_difference() -> None:
    names = ["batch", "snapshot", "slot", "slots", "slot_own", "self", "common", "view"]
    found = symbols.moves(scopes(*names))
    assert found and symbols.moves(scopes(*reversed(names))) == found


def test_names_of_the_module_that_move() -> None:
    sym = symbols.of_module(scopes("batch", "snapshot", "drops", "reset", "module"))
    assert (sym.batch, sym.batch_end) == ("ep_stats_batch_own", "ep_stats_batch_end")
    assert (sym.snapshot, sym.snapshot_read) == (
        "ep_stats_snapshot_own",
        "ep_stats_snapshot_read_own",
    )
    assert sym.snapshot_free == "ep_stats_snapshot_free"
    kept = (sym.drops, sym.reset, sym.module)
    assert kept == ("ep_stats_drops", "ep_stats_reset", "ep_stats_module")


def test_members_of_the_snapshot_that_move() -> None:
    module = scopes("flow", "num_flow", "start_ns", storage="dynamic")
    assert symbols.of_snapshot(module).start_ns == "start_ns_own"
    assert symbols.of_snapshot(module).end_ns == "end_ns"
    flow = symbols.of_snapshot(module, module.scopes[0])
    assert (flow.num, flow.index) == ("num_flow_own", "flow_index")


def test_counters_of_global_beside_a_scope_lcore() -> None:
    text = f"{TEXT}  global:\n{PKTS}  lcore:\n    max: 3\n{PKTS}"
    module = module_of(text)
    both = [symbols.of_item(module, scope.items[0]).lcore_get for scope in module.scopes]
    assert both == ["ep_stats_global_lcore_get_pkts", "ep_stats_lcore_lcore_get_pkts"]
    assert symbols.counting(module, module.scopes[0]).lcore_get == "ep_stats_global_lcore_get_"
    assert symbols.of_item(module, module.scopes[0].items[0]).get == "ep_stats_get_pkts"


def test_the_suffix_is_a_name_like_any_other() -> None:
    assert names.SUFFIX == "_own"
    found = symbols.moves(scopes("batch", "batch_own"))
    assert set(found.values()) == {"ep_stats_batch_own2"}
