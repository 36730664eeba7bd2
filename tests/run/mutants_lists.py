# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in updates of several instances of a scope."""

from __future__ import annotations

from tests.run.mutants import mutant, sync
from tests.run.variants import lists

LIST_H = "runtime/include/ctr_list.h"
WRONG = "instead of"


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
        "num=s.locks) if s else take(d, tx, s) %}",
        'num="0") if s else take(d, tx, s) %}',
        "shared_lock:granularity=instance",
        "threads",
        WRONG,
        lists,
        also=[
            (
                "num=s.locks) if s else release(d, tx, s) %}",
                'num="0") if s else release(d, tx, s) %}',
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
        f"{WRONG}|^$",  # or a fault
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
        "threads-without-an-lcore-id-count-the-first-item",
        sync("per_core"),
        "{% put fast.all(d, tx, tx.ops, change) %}",
        "{% put fast.all(d, tx, tx.ops[:1], change) %}",
        "per_core",
        "lengths_elsewhere",
        WRONG,
        lists,
    ),
]
