# SPDX-License-Identifier: BSD-3-Clause
"""Programs about instances by CPU."""

from pathlib import Path

from tests.run.variants import program

HERE = Path(__file__).parent

by_cpu = program("cpu", folder=HERE)
"""Threads that move."""
cut = program("cut", folder=HERE, schema="cut")
"""Updates that are cut, with all amounts."""
