# SPDX-License-Identifier: BSD-3-Clause
"""What metrics are called, and the texts of labels, which are label values of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...findings.diagnostics import Span
from ...model import ir
from ...model.naming import prometheus
from ...resolve.levels import label_key, label_path
from ..model import ERROR, changes
from ..pairs import Change, Changes, Comparison, name_of, subject

_RENAME = "Rename together with the queries, dashboards and alerts."


@changes(
    ("label-text", ERROR, "prometheus",
     "What people see of a label is the value of a label in metrics: its series end, others begin.",
     _RENAME),
    ("metric-renamed", ERROR, "prometheus",
     "The schema gives a metric another name: its series end, others begin.", _RENAME),
)  # fmt: skip
def shown(c: Comparison) -> Changes:
    done: set[str] = set()
    for old, new in c.items:
        before, now = (_family(*side) for side in ((c.old, old), (c.new, new)))
        if (old.metric or new.metric) and before != now and subject(new) not in done:
            done.add(subject(new))
            message = f"the metric of {name_of(new)} was '{before}', is now '{now}'"
            yield Change("metric-renamed", c.item_at(new, "prometheus"), subject(new), message)
    for whose, was, label, span in _labels(c):
        message = f"label '{label.name}' of {whose} was shown as '{was.shown}', "
        yield Change(
            "label-text", span, f"{whose}.{label.name}", f"{message}is now '{label.shown}'"
        )


def _family(module: ir.Module, item: ir.Item) -> str:
    return prometheus.metric(module, module.scope(item.scope), item).family


def _labels(c: Comparison) -> Iterator[tuple[str, ir.Label, ir.Label, Span]]:
    """The labels that are shown otherwise: whose, in both versions, and where."""
    for before, now in c.scopes.pairs:
        place = c.after.place("scope", now.name)
        for old, new in zip(before.own, now.own, strict=False):
            for was, label in _other(old.named, new.named):
                at = (*label_path(new), label_key(new, label.value))
                yield f"'{new.dimension}'", was, label, place.value(*at)
        for was_part, part in zip(before.key, now.key, strict=False):
            where = place.value("key", now.key.index(part))
            for was, label in _other(was_part.labels, part.labels):
                yield f"part '{part.name}'", was, label, where
    for old_item, item in c.items:
        for was, label in _other(old_item.labels, item.labels):
            yield name_of(item), was, label, c.item_at(item, "labels")


def _other(old: Iterable[ir.Label], new: Iterable[ir.Label]) -> Iterator[tuple[ir.Label, ir.Label]]:
    before = {label.name: label for label in old}
    for label in new:
        was = before.get(label.name, label)
        if was.shown != label.shown:
            yield was, label
