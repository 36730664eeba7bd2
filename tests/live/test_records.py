# SPDX-License-Identifier: BSD-3-Clause
"""Values as they are in the records of a segment."""

from __future__ import annotations

import struct

from ctrgen.live.directory import Field
from ctrgen.live.records import _Values


def test_what_was_never_set_has_no_value() -> None:
    """As through telemetry: a label that no state has is none, and makes no series."""
    mode = Field("enum", 0, 4, {1: "idle", 5: "busy"})
    seen = Field("timestamp", 8, 8, {})
    values = _Values((mode, seen), 10**18)
    assert values.of(struct.pack("=i4xQ", 0, 0), 0) == (None, None)
    assert values.of(struct.pack("=i4xQ", 5, 7), 0) == ("busy", 10**18 + 7), "Unix time"
