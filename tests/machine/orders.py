# SPDX-License-Identifier: BSD-3-Clause
"""What the primitives of the runtime compile to: the barriers that they need, and no others.

x86-64 orders loads among themselves and stores among themselves, so there only atomic
read-modify-writes are marked. aarch64 orders nothing by itself: a barrier that
somebody removed, or relaxed, is missing from its code.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from tests.machine import code

HERE = Path(__file__).parent

# The letters are those of code.letter().
SHAPES = {
    "probe_rebase": ("ls", ""),
    "probe_seq_write": ("lsFs?lr", ""),
    "probe_seq_adds": ("[ls]*sF[ls]*r", ""),
    "probe_seq_update": ("lsw[ls]*wls", ""),
    "probe_lock_adds": ("lax[ls]*r", "X"),
    "probe_pointer": ("ll", ""),
    "probe_bit": ("lfl", ""),
    "probe_bit_set": ("lr", ""),
    "probe_seq_read": ("als?fl", ""),
    "probe_epoch_write": ("lsFs?lslr", "[XF]"),
    "probe_epoch_read": ("[ls]*a[ls]*F[ls]*", "[XF]"),
    "probe_trylock": ("lax", "X"),
    "probe_spin_lock": ("axl(ax)?", "XX?"),
    "probe_spin_unlock": ("r", ""),
    "probe_ticket_lock": ("xxa+", "X"),
    "probe_ticket_unlock": ("lr", ""),
    "probe_mcs_lock": ("ssarra+", "X"),
    "probe_mcs_unlock": ("axr[ra]*r[ra]*", "X"),
    "probe_pi_lock": ("ll?ax", "X"),
    "probe_pi_unlock": ("ll?xr", "X"),
    "probe_acquire": ("a", ""),
    "probe_release": ("r", ""),
    "probe_atomic_add": ("xx", "X"),
    "probe_atomic_sub": ("xx", "X"),
    "probe_atomic_add32": ("xx", "X"),
    "probe_exchange": ("xx", "X"),
    "probe_own_adds": ("(ls){4}", ""),
    "probe_report": ("[ls]*a[ls]*r[ls]*", ""),
    "ctr_cell_set": ("[ls]*ax[ls]*F[ls]*r[ls]*(r[ls]*)?", "X"),
    "ctr_cell_get": ("([ls]*a[ls]*f)+[ls]*", ""),
}
"""On aarch64, and on x86-64."""
WRITES = {
    "probe_seq_write": ["0+", "0", "0+"],
    "probe_seq_adds": ["8+", "16+", "24+", "32+", "8+"],
    "probe_seq_update": ["8+", "16+", "24+", "32+", "8+"],
    "probe_lock_adds": ["0+", "16+", "24+", "32+", "0"],
    "probe_own_adds": ["0+", "8+", "16+", "24+"],
}
"""The words that are written on x86-64, by their offset, in the order of the source; a `+` is one
instruction that loads and stores. Compilers keep adds between fences and lock operations."""
SHORT = {"probe_report": 14}
"""At most so many instructions on x86-64, on all paths together."""
NOTHING = re.compile(r"nop|data16|cs nop|xchg %ax,%ax")
SCALAR = ("probe_own_adds", "probe_seq_write", "probe_rebase")
"""Functions whose words must be accessed one by one, each as a whole."""


def problems(
    target: code.Target, folder: Path, flags: Sequence[str], sources: Path, level: str = "-O3"
) -> list[str]:
    """What is wrong with the primitives; `sources` is where ctr_cell.c is."""
    found: dict[str, list[str]] = {}
    for source in (HERE / "orders.c", sources / "ctr_cell.c"):
        made = folder / f"{source.stem}-{target.arch}-{target.compiler}.o"
        found |= code.functions(target, code.compiled(target, source, made, flags, level))
    wrong = []
    for name, patterns in SHAPES.items():
        pattern = patterns[target.arch == "x86_64"]
        got = code.shape(target, found[name])
        if not re.fullmatch(pattern, got):
            wrong.append(f"{name}: '{got}' is not '{pattern}':\n  " + "\n  ".join(found[name]))
    for name, words in WRITES.items() if target.arch == "x86_64" else ():
        if code.written(found[name]) != words:
            wrong.append(f"{name}: does not write {words}:\n  " + "\n  ".join(found[name]))
    for name, most in SHORT.items() if target.arch == "x86_64" else ():
        lines = [line for line in found[name] if not NOTHING.match(line)]
        if len(lines) > most:
            wrong.append(f"{name}: {len(lines)} instructions:\n  " + "\n  ".join(lines))
    for name in SCALAR:
        wrong += [f"{name}: {line}" for line in code.vector(target, found[name])]
    return wrong
