# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of slots, lcore ids and reports of quiescence that models must see."""

from tests.models.bugs import (
    GRACE,
    QUIESCENT,
    RACE,
    REPORT,
    SETTLED_H,
    THREAD,
    WRONG,
    Bug,
    Edit,
    bug,
    relaxed,
    seen,
)
from tests.support.planted import SLOTS, WORD

_SLOT = "(&slots->slot[lcore], slot"
LOADED = bug(
    "slot loaded relaxed",
    RACE,
    WORD,
    "#define ctr_load_acquire(at) __atomic_load_n(at, __ATOMIC_ACQUIRE)",
    "#define ctr_load_acquire(at) __atomic_load_n(at, __ATOMIC_RELAXED)",
)
SLOT_PUBLISHED = bug(
    "slot published relaxed",
    RACE,
    SLOTS,
    f"ctr_store_release{_SLOT});",
    f"__atomic_store_n{_SLOT}, __ATOMIC_RELAXED);",
)
_SEARCH = "\trc = create_key();\n\tfor (lcore = 0;"
_KEPT = "\t\tregistrations = 1;\n\t}\n"
_OPEN_LOCK = "\t(void)pthread_mutex_lock(&open_lock);\n"
_OPEN_UNLOCK = "\t(void)pthread_mutex_unlock(&open_lock);\n"
_OPENED = "\t\tif (rc != 0)\n\t\t\tunwatch();\n\t}\n"
UNREGISTERED = Bug(
    "id taken without the lock",
    verdict=RACE,
    edits=(Edit(THREAD, f"\t(void)pthread_mutex_lock(&ids_lock);\n{_SEARCH}", _SEARCH),
           Edit(THREAD, f"{_KEPT}\t(void)pthread_mutex_unlock(&ids_lock);\n", _KEPT)),
)  # fmt: skip
FORGOTTEN = bug(
    "who registered before is forgotten",
    WRONG,
    SLOTS,
    "number < slots->cpus : in_use[number];",
    "number < slots->cpus : false;",
)
OPENED = Bug(
    "opened without the lock",
    verdict=RACE,
    edits=(Edit(SLOTS, f"{_OPEN_LOCK}\trc = watch_port();", "\trc = watch_port();"),
           Edit(SLOTS, f"{_OPENED}{_OPEN_UNLOCK}", _OPENED)),
)  # fmt: skip
COUNTS_GO = bug(
    "counts go with their thread",
    WRONG,
    SLOTS,
    "\t__atomic_store_n(&in_use[lcore], false, __ATOMIC_RELAXED);\n",
    "\t__atomic_store_n(&in_use[lcore], false, __ATOMIC_RELAXED);\n"
    "\tfor (slots = opened; slots != NULL; slots = slots->next)\n"
    "\t\tctr_store_release(&slots->slot[lcore], (void *)NULL);\n",
)
POINTERS = (
    bug("pointer kept when its thread unregisters", WRONG, SLOTS, "if (lcore == ctr_lcore_id())",
        "if (false)"),
    bug("pointer set that is not known", WRONG, SLOTS,
        "\t\tctr_store_release(&slots->mine[lcore], mine);\n", ""),
)  # fmt: skip
POINTER_STAYS = bug(
    "pointer kept when the set is closed",
    WRONG,
    SLOTS,
    "\tfor (unsigned int lcore = 0; lcore < CTR_MAX_LCORE; lcore++)\n\t\tforget(slots, lcore);\n",
    "",
)
REPORTS = seen(
    RACE,
    relaxed("epoch reported relaxed", REPORT,
            "__atomic_load_n(&ctr_quiescent_counter.epoch, __ATOMIC_ACQUIRE),"),
    relaxed("report relaxed", REPORT, ",\n\t\t\t\t __ATOMIC_RELEASE);"),
    relaxed("online relaxed", QUIESCENT,
            "__atomic_fetch_add(&ctr_quiescent_counter.epoch, 1, __ATOMIC_ACQ_REL);"),
    relaxed("moment relaxed", QUIESCENT,
            "__atomic_add_fetch(&ctr_quiescent_counter.epoch, 1, __ATOMIC_ACQ_REL);"),
    relaxed("asked relaxed", QUIESCENT,
            "__atomic_load_n(&ctr_quiescent_slots[lcore].epoch, __ATOMIC_ACQUIRE);"),
)  # fmt: skip
SLEEPS = seen(
    RACE,
    relaxed("offline relaxed", QUIESCENT, "[lcore].epoch, 0, __ATOMIC_RELEASE);"),
    relaxed("online again relaxed", QUIESCENT, "[lcore].epoch, epoch, __ATOMIC_RELEASE);"),
)
ASKERS = seen(
    RACE,
    relaxed("what is known loaded relaxed", QUIESCENT,
            "__atomic_load_n(&known_passed, __ATOMIC_ACQUIRE)"),
    relaxed("made known relaxed", QUIESCENT, "(&known_passed, token, __ATOMIC_RELEASE);"),
)  # fmt: skip
_TOLD = "&tokens->token[lcore], "
_SEEN = "\t\tuint64_t drained = __atomic_load_n(&tokens->token[lcore], __ATOMIC_ACQUIRE);"
TOLD = seen(
    RACE,
    relaxed("told relaxed", SETTLED_H, "[ctr_lcore_id()], now, __ATOMIC_RELEASE);"),
    relaxed("seen told relaxed", GRACE, _SEEN),
    bug("what others report is enough", RACE, GRACE, "drained != 0 && drained < token", "false"),
)
TOLD_OFFLINE = seen(
    RACE,
    relaxed("seen offline relaxed", QUIESCENT,
            "__atomic_load_n(&ctr_quiescent_slots[lcore].epoch, __ATOMIC_ACQUIRE) != 0"),
)  # fmt: skip
LEFT_TOLD = seen(
    RACE,
    relaxed("left relaxed", SETTLED_H, f"{_TOLD}0, __ATOMIC_RELEASE);"),
    relaxed("seen told relaxed", GRACE, _SEEN),
)
