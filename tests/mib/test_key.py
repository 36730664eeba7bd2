# SPDX-License-Identifier: BSD-3-Clause
"""Keys of a lock file as objects and as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrgen.publish.lock import Key

WRITTEN = {
    "/objects": Key(role="objects"),
    "/type:EpPercent": Key(role="type", name="EpPercent"),
    "/compliance:deprecated": Key(role="compliance", name="deprecated"),
    "session": Key("session"),
    "session:obsolete": Key("session", name="obsolete"),
    "session/table": Key("session", role="table"),
    "session/index:ifIndex": Key("session", role="index", name="ifIndex"),
    "session.pkts": Key("session", "pkts"),
    "session.pkts/low": Key("session", "pkts", "low"),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_text_and_object(text: str) -> None:
    assert Key.parse(text) == WRITTEN[text]
    assert str(WRITTEN[text]) == text


@given(st.text(alphabet="ab./: \n", max_size=12))
def test_any_text_stays_what_it_is(text: str) -> None:
    """A lock file is written again with the keys that it had, whoever wrote them."""
    assert str(Key.parse(text)) == text


def test_parts() -> None:
    assert Key("session", "pkts", "low").part("type") == Key("session", "pkts", "type")
