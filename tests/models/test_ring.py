# SPDX-License-Identifier: BSD-3-Clause
"""Rings of records in all executions that C11 permits (orders.h), as shipped and with planted bugs.

Takes a compiler only. Every order of ctr_ring.c and ctr_ring.h that an append or a drain needs is
relaxed by a bug here, and those of a shared ring.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support import process

HERE = Path(__file__).parent

LONG = ("SENDS=5", "UNITS=2")
WIDE = ("SENDS=6", "UNITS=4", "DRAINS=1")
OWN = ("SENDS=4",)
ONE = ("SHARED", "SENDS=2", "UNITS=1", "DRAINS=1")
TWO = ("SHARED", "SENDERS=2", "SENDS=1", "UNITS=2", "DRAINS=0")
IN_ORDER, AT_A_TIME = ((*TWO, f"MODE=CTR_RING_{mode}") for mode in ("MPMC", "HTS"))
MODELS = [OWN, LONG, WIDE, ONE, TWO, IN_ORDER, AT_A_TIME, (*ONE, "MODE=CTR_RING_MPMC")]

RING, SHARED = "include/ctr_ring.h", "include/ctr_ring_shared.h"
OWN_C, SHARED_C = "src/ctr_ring.c", "src/ctr_ring_shared.c"
CAS = "next, false, __ATOMIC_ACQ_REL,\n\t\t\t\t\t\t__ATOMIC_ACQUIRE"
BUGS = {
    "sent-relaxed": (OWN, RING, "ctr_store_release(&ring->sent,", "ctr_store32(&ring->sent,"),
    "sent-is-loaded-relaxed": (OWN, OWN_C, "ctr_load_acquire(&ring->sent)", "ring->sent"),
    "done-is-loaded-relaxed": (OWN, OWN_C, "ctr_load_acquire(&ring->done)", "ring->done"),
    "given-back-relaxed": (OWN, OWN_C, "ctr_store_release(&ring->who,", "ctr_store32(&ring->who,"),
    "taken-relaxed": (OWN, OWN_C, "__ATOMIC_ACQUIRE, __ATOMIC_RELAXED", "0, 0"),
    "full-is-not-seen": (LONG, OWN_C, "limit == UINT32_MAX || at > limit", "false"),
    "no-unit-is-left": (LONG, OWN_C, "#define APART 16u", "#define APART 0u"),
    "taken-by-two": (OWN, OWN_C, "\tif (try_take(ring, who))\n", "\t(void)try_take(ring, who);\n"),
    "published-relaxed": (TWO, SHARED, "__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));", "0, 0));"),
    "first-moves-the-tail": (TWO, SHARED, "times == (uint32_t)(head >> 32) ?", "true ?"),
    "tail-is-loaded-relaxed": (ONE, SHARED, "(uint32_t)ctr_load_acquire(&end->tail)",
                               "(uint32_t)ctr_load64(&end->tail)"),
    "tail-passes-those-before": (IN_ORDER, SHARED, "ctr_load_acquire(&mine->tail) != taken.at",
                                 "ctr_load_acquire(&mine->tail) == UINT32_MAX"),
    "those-before-are-seen-relaxed": (IN_ORDER, SHARED, "ctr_load_acquire(&mine->tail) !=",
                                      "ctr_load64(&mine->tail) !="),
    "two-between-head-and-tail": (AT_A_TIME, SHARED, "HTS && (uint32_t)head !=", "HTS && 0 !="),
    "full-shared-ring": (ONE, SHARED, "shape->entries, 1)", "shape->entries + 1, 1)"),
}  # fmt: skip
"""The model that sees a bug, its file, and the edit."""


def run(folder: Path, defines: tuple[str, ...], runtime: Path) -> tuple[int, str]:
    """Run all executions of the model; its exit code and what it says."""
    include = [f"-I{runtime / 'include'}", f"-I{runtime / 'src'}", f"-I{HERE}"]
    flags = ["-std=gnu11", "-O2", "-w", *runtimeinfo.cflags("posix")]
    flags += [f"-D{define}" for define in defines]
    program = folder / "model"
    process.succeed("gcc", *include, *flags, HERE / "ring.c", "-o", program)
    done = process.run(program, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.one_in(9)
@pytest.mark.parametrize("defines", MODELS, ids=" ".join)
def test_model_holds(tmp_path: Path, defines: tuple[str, ...]) -> None:
    code, text = run(tmp_path, defines, runtimeinfo.path())
    assert code == 0, text


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_seen(tmp_path: Path, name: str) -> None:
    defines, path, old, new = BUGS[name]
    runtime = shutil.copytree(runtimeinfo.path(), tmp_path / "runtime")
    text = (runtime / path).read_text("utf-8")
    assert old in text
    (runtime / path).write_text(text.replace(old, new), "utf-8")
    assert run(tmp_path, defines, runtime)[0] == 1
