# SPDX-License-Identifier: BSD-3-Clause
"""Histograms of a schema as groups of counters."""

from __future__ import annotations

from ..findings.diagnostics import Span
from ..language import schema, units
from ..model import ir
from ..model.histogram import BUCKET_UNIT
from ..model.types import TYPES
from .labels import shown


def histogram(scope: str, name: str, entry: schema.Histogram, span: Span) -> ir.Histogram:
    """A histogram; where its bounds make no sense, which rules report, others stand in for them."""
    return ir.Histogram(
        name=name,
        scope=scope,
        unit=units.text(entry.unit),
        description=units.text(entry.description),
        bounds=_bounds(entry),
        span=span,
        log2=entry.log2 is not None,
        renamed_from=entry.renamed_from or "",
        oids=tuple(entry.snmp.oids) if entry.snmp else (),
        **shown(entry),
    )


def _bounds(entry: schema.Histogram) -> tuple[int, ...]:
    if entry.log2 is not None:
        least, greatest = entry.log2.min.bit_length() - 1, entry.log2.max.bit_length() - 1
        return tuple(1 << power for power in range(least, max(least, greatest) + 1))
    bounds = dict.fromkeys(entry.bounds or [1])  # names of counters follow from them
    return tuple(sorted(bounds))


def counters(histogram: ir.Histogram) -> tuple[ir.Item, ...]:
    """The counters that a histogram is."""
    oids = histogram.oids or ("",) * len(histogram.parts)
    parts = zip(histogram.parts, histogram.former, histogram.texts, oids, strict=False)
    return tuple(
        ir.Item(
            name=name,
            kind=ir.Kind.COUNTER,
            type=TYPES["uint64"].name,
            width=TYPES["uint64"].width,
            unit=histogram.unit if name == histogram.sum else BUCKET_UNIT,
            description=f"{histogram.description} {text}".strip(),
            scope=histogram.scope,
            span=histogram.span,
            renamed_from=former,
            snmp=ir.ItemSnmp(oid=oid) if oid else None,
            histogram=histogram.name,
            metric=histogram.metric,
        )
        for name, former, text, oid in parts
    )
