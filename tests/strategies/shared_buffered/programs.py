# SPDX-License-Identifier: BSD-3-Clause
"""Programs about write buffers."""

from pathlib import Path

from tests.run.variants import LIGHT, program

trio = program("buffered", folder=Path(__file__).parent, schema="trio", flags=LIGHT)
"""Records of one unit and of two."""
