# SPDX-License-Identifier: BSD-3-Clause
"""Names that are made from those of an SMI module: each can be in a schema, and is found."""

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrgen.model.naming import c
from ctrgen.publish import names

WORDS = ["ep", "stats", "Foo", "Table", "int", "class", "value", "VALUE3", "entry", "global", "9"]
ODD = st.text("aAbBzZ019-_\u00e9 ", min_size=1, max_size=90)
NAME = st.one_of(ODD, st.lists(st.sampled_from(WORDS), min_size=1, max_size=20).map("".join))
MODULE = st.sampled_from(["EP-MIB", "EP-STATS-MIB", "X-MIB", "-"])
TRIES = 2_000
"""Far more names than there are definitions below."""


@pytest.fixture(autouse=True)
def ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for a name that finds none soon has no end."""

    def numbers(first: int) -> Iterator[int]:
        yield from range(first, first + TRIES)
        raise AssertionError("there is no end of names that are tried")

    monkeypatch.setattr(names, "count", numbers)


def fits(name: str) -> bool:
    """Whether a schema can have it."""
    return len(name) <= 63 and bool(c.IDENTIFIER.match(name)) and not c.reserved(name)


@given(MODULE, st.lists(NAME, max_size=12), st.lists(NAME, max_size=40))
def test_every_definition_gets_a_name_of_its_own(
    mib: str, tables: list[str], columns: list[str]
) -> None:
    given_out = names.Imported(mib)
    scopes = [(given_out.scope(table), table) for table in tables]
    assert len({c.fold(scope) for scope, _ in scopes}) == len(scopes)
    for scope, table in [("global", ""), *scopes]:
        items = [given_out.item(scope, table, column) for column in columns]
        assert len({c.fold(item) for item in items}) == len(items)
        assert all(fits(name) for name in (scope, *items) if name != "global")


@given(st.lists(st.tuples(NAME, st.integers(0, 99)), max_size=40))
def test_every_label_gets_a_name_of_its_own(enumeration: list[tuple[str, int]]) -> None:
    labels, _ = names.labels(tuple(enumeration))
    assert len({c.fold(label) for label in labels}) == len(labels)
    assert all(len(label) <= 63 and c.IDENTIFIER.match(label) for label in labels)


def test_tables_that_differ_by_the_name_of_the_module() -> None:
    for order in itertools.permutations(["statsFooTable", "epStatsFooTable", "epFooTable"]):
        given_out = names.Imported("EP-STATS-MIB")
        assert len({given_out.scope(table) for table in order}) == 3
