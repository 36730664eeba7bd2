# SPDX-License-Identifier: BSD-3-Clause
"""Programs about what lcores hold of some elements."""

from pathlib import Path

from tests.run.variants import program

coalesced = program("coalesced", folder=Path(__file__).parent, schema="coalesced")
"""Scopes of which an lcore holds all instances, some, or those that exist."""
