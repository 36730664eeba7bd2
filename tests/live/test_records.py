# SPDX-License-Identifier: BSD-3-Clause
"""Values as they are in the records of a segment."""

import re
import struct

import pytest

from ctrgen.tools.live import model
from ctrgen.tools.live.directory import Field
from ctrgen.tools.live.model import Item
from ctrgen.tools.live.segment import _Values


def test_what_was_never_set_has_no_value() -> None:
    """A label that no state has is none, and makes no series."""
    mode = Item("mode", "state", "enum", "", "", labels=(("idle", 1), ("busy", 5)))
    seen = Item("seen", "state", "timestamp", "", "")
    values = _Values((mode, seen), (Field(0, 4), Field(8, 8)), 10**18)
    assert values.of(struct.pack("=i4xQ", 0, 0), 0) == (None, None)
    assert values.of(struct.pack("=i4xQ", 5, 7), 0) == ("busy", 10**18 + 7), "Unix time"


KEYS = [
    b"\xff", b"\xfe", b"\\xff", b"\\x5cxff", b"\xff\\xff", b"\\xfe", b"\\\xff", b"\\\\xff", b"\\",
    b"D\\user", b"\\xg", "\ufffd".encode(), "\xfc".encode(), "\xfc".encode()[:1],
    b"\xed\xb3\xbf", b"",
]  # fmt: skip


def texts() -> list[str]:
    """KEYS as a segment has them."""
    values = _Values((Item("key", "state", "string", "", ""),), (Field(0, 8),), 0)
    found = []
    for key in KEYS:
        (text,) = values.of(key.ljust(8, b"\0"), 0)
        assert text == text.encode().decode()
        found.append(text)
    return found


def test_octets_that_are_no_text_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Distinct keys are distinct labels, from which the octets can be had again."""
    found = texts()
    assert len(set(found)) == len(KEYS)
    escape = re.compile(rb"\\x([0-9a-f]{2})")
    for key, text in zip(KEYS, found, strict=True):
        assert escape.sub(lambda m: bytes.fromhex(m[1].decode()), text.encode()) == key
    assert found[KEYS.index(b"D\\user")] == "D\\user", "what is no escape stays as it is"
    monkeypatch.setattr(model, "_LIKE_ESCAPE", re.compile(rb"(?!)"))  # planted
    assert len(set(texts())) < len(KEYS)
