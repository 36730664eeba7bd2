# SPDX-License-Identifier: BSD-3-Clause
"""Rings of records in all executions that C11 permits (orders.h), as shipped and with planted bugs.

Every order of ctr_ring.c and ctr_ring.h that an append or a drain needs is
relaxed by a bug here, and those of a shared ring.
"""

from pathlib import Path

import pytest

from tests.models.executions import run
from tests.support.paths import ROOT
from tests.support.planted import Edit

LONG = ("SENDS=5", "UNITS=2")
WIDE = ("SENDS=6", "UNITS=4", "DRAINS=1")
OWN = ("SENDS=4",)
ONE = ("SHARED", "SENDS=3", "UNITS=2", "DRAINS=1")
TWO = ("SHARED", "SENDERS=2", "SENDS=1", "UNITS=2", "DRAINS=0")
THREE = ("SHARED", "SENDERS=2", "SENDS=1", "UNITS=2", "DRAINS=1")
PRODUCER_ENDS, CONSUMER_ENDS = (*THREE, "ENDS=1"), (*ONE, "ENDS=2")
LOOKS, ALONE = ("SENDS=4", "UNITS=2", "DRAINS=1", "LOOKS=1"), ("SENDS=6", "DRAINS=0", "LOOKS=1")
SHARED_LOOKS = ("SHARED", "SENDS=2", "UNITS=2", "DRAINS=1", "LOOKS=1")
MODELS = [OWN, LONG, WIDE, ONE, TWO, THREE, PRODUCER_ENDS, CONSUMER_ENDS]
MODELS += [LOOKS, ALONE, SHARED_LOOKS]

RING = SHARED = "runtime/include/ctr_ring.h"
OWN_C = "runtime/src/strategies/ctr_ring.c"
SHARED_C = "runtime/src/strategies/ctr_ring_shared.c"
BUGS = {
    "sent-relaxed": (OWN, RING, "ctr_store_release(&ring->sent,", "ctr_store32(&ring->sent,"),
    "sent-is-loaded-relaxed": (OWN, OWN_C, "ctr_load_acquire(&ring->sent)", "ring->sent"),
    "done-is-loaded-relaxed": (OWN, OWN_C, "ctr_load_acquire(&ring->done)", "ring->done"),
    "consumed-relaxed": (OWN, RING, "ctr_store_release(consumer,", "ctr_store32(consumer,"),
    "taken-relaxed": (OWN, OWN_C, "__ATOMIC_ACQUIRE,\n\t\t\t\t\t   __ATOMIC_RELAXED", "0, 0"),
    "full-is-not-seen": (LONG, OWN_C, "done < kind->largest + APART || at > limit", "false"),
    "no-unit-is-left": (LONG, OWN_C, "#define APART 16u", "#define APART 0u"),
    "taken-by-two": (OWN, OWN_C, "consume_now(&ring->consumer, waits) &&",
                     "consume_now(&ring->consumer, waits) <= 1 &&"),
    "entry-is-sent-relaxed": (ONE, SHARED, "ctr_store_release((uint64_t *)entry,",
                              "ctr_store64((uint64_t *)entry,"),
    "word-is-loaded-relaxed": (ONE, SHARED_C, "ctr_load_acquire(entry)", "ctr_load64(entry)"),
    "entry-is-free-relaxed": (ONE, SHARED_C, "ctr_store_release(entry,", "ctr_store64(entry,"),
    "entry-is-taken-relaxed": (ONE, SHARED_C, "false,\n\t\t\t\t\t\t\t   __ATOMIC_ACQUIRE",
                               "false, __ATOMIC_RELAXED"),
    "passed-relaxed": (TWO, SHARED_C, "__ATOMIC_RELEASE,\n\t\t\t\t\t  __ATOMIC_RELAXED", "0, 0"),
    "entry-of-the-turn-before": (ONE, SHARED_C, "word = free_at(own, at);",
                                 "word = ctr_load64(entry);"),
    "full-shared-ring": (ONE, SHARED_C, ">= (int64_t)own->entries)", "> (int64_t)own->entries)"),
    "drained-entry-is-passed": (ONE, SHARED_C, "if (word == DRAINED &&", "if (false &&"),
    "free-before-it-is-passed": (CONSUMER_ENDS, SHARED_C, "\t\tctr_store64(entry, DRAINED);\n",
                                 "\t\tctr_store64(entry, own->entries + (at & ~UINT64_C(1)));\n"),
    "live-thread-is-skipped": (THREE, SHARED_C, "!ctr_pi_ended(thread)", "false"),
    "ended-producer-stays": (PRODUCER_ENDS, SHARED_C, "!ctr_pi_ended(thread)", "true"),
    "ended-consumer-stays": (CONSUMER_ENDS, OWN_C, "!ctr_pi_ended(former)", "true"),
    "last-entry-is-never-free": (CONSUMER_ENDS, SHARED_C, "\tfree_last(own, in);\n", ""),
    "ended-consumer-applies-again": (CONSUMER_ENDS, SHARED_C, "\t\t\tctr_store64(entry, busy);\n",
                                     ""),
    "look-behind-another-consumer": (LOOKS, OWN_C, "ring->calls > kind->hints || ", ""),
    "look-behind-another-consumer-of-all": (SHARED_LOOKS, SHARED_C,
                                            "share->calls > own->kind.hints || ", ""),
    "turn-is-not-counted": (ALONE, OWN_C, "\t\tring->turn++;\n", ""),
    "drained-before-it-is": (LOOKS, OWN_C, "\tkind->apply(ring, sent);\n\t/*",
                             "\tctr_store64(&ring->drained, turn << 32 | sent);\n"
                             "\tkind->apply(ring, sent);\n\t/*"),
    "shared-look-forgets": (SHARED_LOOKS, SHARED_C,
                            "\tshare->mark = ctr_load64(&own->ring->in);\n", ""),
}  # fmt: skip
"""The model that sees a bug, its file, and the edit."""


@pytest.mark.one_in(9)
@pytest.mark.parametrize("defines", MODELS, ids=" ".join)
def test_model_holds(tmp_path: Path, defines: tuple[str, ...]) -> None:
    code, text = run(tmp_path, "ring.c", defines)
    assert code == 0, text


def test_every_bug_has_its_place() -> None:
    for _, path, old, new in BUGS.values():
        Edit(path, old, new).applied((ROOT / path).read_text("utf-8"))


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_seen(tmp_path: Path, name: str) -> None:
    defines, *edit = BUGS[name]
    assert run(tmp_path, "ring.c", defines, [Edit(*edit)])[0] == 1
