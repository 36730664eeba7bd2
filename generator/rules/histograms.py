# SPDX-License-Identifier: BSD-3-Clause
"""Rules about the bounds of histograms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ..findings.rules import Finding
from ..language import schema
from ..model import ir
from ..resolve.place import Place, Resolution
from .registry import rule_of_each


def _histograms(r: Resolution) -> Iterator[tuple[ir.Histogram, Place, schema.Histogram]]:
    for scope in r.module.scopes:
        for histogram in scope.histograms:
            place = r.place("item", scope.name, histogram.name)
            if not place.broken():
                yield histogram, place, place.entry()


histogram_rule = rule_of_each(_histograms)


@histogram_rule("A histogram has `bounds`, or `log2` for bounds that double.")
def histogram_shape(
    histogram: ir.Histogram, place: Place, entry: schema.Histogram
) -> Iterator[Finding]:
    if entry.bounds is None and entry.log2 is None:
        message = f"histogram '{histogram.name}' has no bounds"
        hint = "add `bounds: [64, 512, 1518]` or `log2: {min: 64, max: 4096}`"
        yield Finding(place.key(), message, hint)
    elif entry.bounds is not None and entry.log2 is not None:
        message = f"histogram '{histogram.name}' has both `bounds` and `log2`"
        yield Finding(place.key("log2"), message, "keep one of the two")
    if not histogram.description:
        message = f"the description of histogram '{histogram.name}' is empty"
        hint = "one sentence for the operator who reads it"
        yield Finding(place.value("description"), message, hint)


@histogram_rule("The bounds of a histogram ascend.")
def histogram_bounds(
    histogram: ir.Histogram, place: Place, entry: schema.Histogram
) -> Iterator[Finding]:
    bounds = entry.bounds or []
    for number, (before, bound) in enumerate(itertools.pairwise(bounds), 1):
        if bound <= before:
            message = f"bound {bound} of histogram '{histogram.name}' is not above {before}"
            yield Finding(place.value("bounds", number), message, "list them in ascending order")


@histogram_rule("Bounds under `log2` are powers of two, the least one first.")
def histogram_powers(
    histogram: ir.Histogram, place: Place, entry: schema.Histogram
) -> Iterator[Finding]:
    if entry.log2 is None:
        return
    for key, bound in (("min", entry.log2.min), ("max", entry.log2.max)):
        if bound.bit_count() != 1:
            below = 1 << (bound.bit_length() - 1)
            message = f"'{key}' of histogram '{histogram.name}' is no power of two"
            yield Finding(place.value("log2", key), message, f"such as {below} or {2 * below}")
    if entry.log2.min > entry.log2.max:
        message = f"the least bound of histogram '{histogram.name}' is above its greatest"
        yield Finding(place.value("log2", "min"), message, "swap them")


@histogram_rule("A histogram from a MIB has an OID for each of its objects.")
def histogram_oids(
    histogram: ir.Histogram, place: Place, entry: schema.Histogram
) -> Iterator[Finding]:
    if entry.snmp is not None and len(entry.snmp.oids) != len(histogram.parts):
        message = f"histogram '{histogram.name}' has {len(histogram.parts)} objects, "
        message += f"not {len(entry.snmp.oids)}"
        hint = "one for each bucket, the last of which is above all bounds, and one for the sum"
        yield Finding(place.value("snmp", "oids"), message, hint)
