# SPDX-License-Identifier: BSD-3-Clause
"""Peaks of gauges: their values are values of the gauge."""

from __future__ import annotations

import dataclasses

from ..model import ir


def of_gauge(peak: ir.Item, gauge: ir.Item) -> ir.Item:
    """A peak with the unit, width and bounds of its gauge."""
    return dataclasses.replace(
        peak,
        type=gauge.type,
        width=gauge.width,
        unit=gauge.unit,
        minimum=gauge.minimum,
        maximum=gauge.maximum,
    )
