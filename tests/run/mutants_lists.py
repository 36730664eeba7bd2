# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in updates of several instances of a scope."""

from __future__ import annotations

from tests.run.mutants import mutant, sync
from tests.run.variants import lists
from tests.support.cbuild import SANITIZED, Build

LIST_H = "runtime/include/ctr_list.h"
WRONG = "instead of"


def sanitized(variant: str, test: str | None = None) -> Build:
    """The program under AddressSanitizer."""
    return lists(variant).but(flags=SANITIZED)


LISTS = [
    mutant(
        "locks-are-taken-in-the-order-of-the-list",
        LIST_H,
        "while (at > 0 && order[at - 1] > list[i])",
        "while (at > 0 && order[at - 1] == list[i] + 1)",
        "shared_lock:granularity=instance",
        "order",
        WRONG,
        lists,
    ),
    mutant(
        "a-lock-is-taken-twice",
        LIST_H,
        "if (at > 0 && order[at - 1] == list[i])",
        "if (at > 1 && order[at - 1] == list[i])",
        "shared_lock:granularity=instance",
        "order",
        WRONG,
        lists,
    ),
    mutant(
        "instances-are-not-locked",
        sync("shared_lock"),
        "num=s.locks) if s else take(d, tx, s) }}",
        'num="0") if s else take(d, tx, s) }}',
        "shared_lock:granularity=instance",
        "threads",
        WRONG,
        lists,
        also=[
            (
                "num=s.locks) if s else release(d, tx, s) }}",
                'num="0") if s else release(d, tx, s) }}',
            )
        ],
    ),
    mutant(
        "the-first-index-of-a-list-is-checked",
        LIST_H,
        "for (uint32_t i = 0; i < num; i++)\n\t\tif (list[i] > greatest)",
        "for (uint32_t i = 0; i < num && i < 1; i++)\n\t\tif (list[i] > greatest)",
        "per_core",
        "dropped",
        WRONG,
        lists,
    ),
    mutant(
        "a-list-may-be-longer",
        LIST_H,
        "if (ctr_unlikely(num > most))",
        "if (ctr_unlikely(num > most + 1))",
        "per_core",
        "dropped",
        WRONG,
        lists,
    ),
    mutant(
        "the-last-instance-of-a-list-need-not-be-there",
        LIST_H,
        "for (uint32_t i = 0; i < num; i++)\n\t\tif (ctr_update_unborn",
        "for (uint32_t i = 0; i + 1 < num; i++)\n\t\tif (ctr_update_unborn",
        "per_core_seqcount",
        "dropped",
        WRONG,
        lists,
    ),
    mutant(
        "records-have-room-for-one-instance",
        "generator/model/records.py",
        "count += sum(most for ",
        "count += sum(0 for ",
        "shared_buffered:buffer=16,soft_threshold=16",
        "longest",
        "AddressSanitizer|instead of",
        sanitized,
    ),
    mutant(
        "a-record-has-the-first-instance",
        LIST_H,
        "for (uint32_t i = 0; i < num; i++)\n\t\tto[i]",
        "for (uint32_t i = 0; i < 1 && i < num; i++)\n\t\tto[i]",
        "delta_ring",
        "lengths",
        WRONG,
        lists,
    ),
    mutant(
        "deltas-of-an-instance-go-to-the-one-that-evicts-it",
        sync("shared_coalesced"),
        "{% put add_each(d, tx, ops) if tx.several else",
        "{% put add_each(d, tx, ops) if tx.scopes[-1].listing else",
        "shared_coalesced:entries=1",
        "twice",
        WRONG,
        lists,
    ),
    mutant(
        "threads-without-an-lcore-id-count-the-first",
        "templates/c/fast.j2",
        "< {{ num or listing.num }}; {{ listing.at }}++) {",
        "< {{ num or listing.num }}{{ ' && self != NULL && ctr_lcore_id() != CTR_NON_LCORE' }};"
        " {{ listing.at }}++) {",
        "per_core",
        "lengths_elsewhere",
        WRONG,
        lists,
    ),
]
