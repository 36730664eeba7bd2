# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of reads, resets and the operations of strategies that models must see."""

from dataclasses import dataclass

from tests.models.bugs import (
    COPY,
    CORE_H,
    FEW,
    GRACE,
    GUARDED,
    RACE,
    READ_ANY,
    READ_SLOWLY,
    READING,
    REBASE,
    RESET,
    SOURCE,
    STRATEGY,
    TAKE,
    WRONG,
    Bug,
    bug,
    relaxed,
)
from tests.run.test_table import LEFT_OUT as LEFT_OUT_OF_A_READ
from tests.support.planted import SEQCOUNT as SEQ
from tests.support.planted import WORD, Edit

CHANGED = "ctr_add32(epoch, 1);\n\tctr_fence(__ATOMIC_SEQ_CST);"
_SAME = "(reading->begin & 1) == 0 && ctr_load32(reading->epoch) == reading->begin"
_QUICK = "(begin & 1) == 0 && ctr_load32(epoch) == begin"
_FENCE = "ctr_fence(__ATOMIC_SEQ_CST);\n\t"


@dataclass(frozen=True)
class Validation:
    """A place where a read looks at the epoch again."""

    what: str
    path: str
    fence: str
    same: str

    @property
    def late(self) -> Bug:
        """The fence in front is one for loads only."""
        new = self.fence.replace("SEQ_CST", "ACQUIRE")
        return bug(
            f"{self.what} looked at behind a fence for loads", WRONG, self.path, self.fence, new
        )

    @property
    def loaded(self) -> Bug:
        """There is no fence in front."""
        return relaxed(f"{self.what} looked at without a fence", self.path, self.fence)

    @property
    def left_out(self) -> Bug:
        """It is another one, and that is not seen; but an odd one is."""
        begin = self.same.rpartition(" ")[2]
        return bug(
            f"{self.what} not looked at again",
            WRONG,
            self.path,
            self._validated,
            self._with(f"{begin} != 1"),
        )

    @property
    def odd(self) -> Bug:
        """One under change is taken."""
        even = self.same.partition(" && ")[2]
        return bug(
            f"{self.what} under change taken", WRONG, self.path, self._validated, self._with(even)
        )

    @property
    def _validated(self) -> str:
        return f"{self.fence}{self.same}"

    def _with(self, same: str) -> str:
        return f"{self.fence}{same}"

    @property
    def bugs(self) -> tuple[Bug, ...]:
        """All of it."""
        return (self.late, self.loaded, self.left_out, self.odd)


AGAIN = Validation("epoch", READING, f"{_FENCE}if (ctr_likely(", _SAME)
FEW_COUNTERS = Validation("epoch of a read", FEW, f"{_FENCE}if (ctr_likely(", _QUICK)
WORDS = Validation("epoch of a read of any counters", READ_ANY, f"{_FENCE}read = read && ", _QUICK)
ONLY = Validation(
    "epoch of a read of the only copy",
    COPY,
    f"(char *)values, false);\n\t{_FENCE}if (ctr_likely(",
    _QUICK,
)
ONLY_FLOW = Validation(
    "epoch of a read of an only copy of many", COPY, f"{_FENCE}read = read && ", _QUICK
)
_FEW_ODD = "(begin & 1) != 0"
_FEW_OTHER = "ctr_load32(epoch) != begin"
_FEW_FENCE = f"{_FENCE}if (ctr_unlikely("
FEW_FLOW = (
    relaxed("epoch of a read of one of many looked at without a fence", COPY, _FEW_FENCE),
    bug("epoch of a read of one of many not looked at again", WRONG, COPY,
        f"{_FEW_ODD} || {_FEW_OTHER}", _FEW_ODD),
)  # fmt: skip
EPOCH_FENCES = (
    relaxed("change of an epoch without its fence", READING, CHANGED),
    bug("change of an epoch with a fence for stores", WRONG, READING, CHANGED,
        CHANGED.replace("SEQ_CST", "RELEASE")),
)  # fmt: skip
EPOCH_ENDED = relaxed("change of an epoch ends relaxed", SEQ, "*seq + 1, __ATOMIC_RELEASE);")
EPOCH_BEGUN = relaxed("read begins relaxed", SEQ, "__atomic_load_n(seq, __ATOMIC_ACQUIRE);")
NO_CHANGE = Bug(
    "reset changes no epoch",
    verdict=WRONG,
    edits=(Edit(RESET, "\tctr_epoch_write_begin(epoch);\n", "\t(void)epoch;\n"),
           Edit(RESET, "\tctr_epoch_write_end(epoch);\n", "")),
)  # fmt: skip
_BEGIN = "\tbegin = ctr_seq_read_begin(epoch);\n"
_AT = "\tctr_read_begin(&reading, ctr_core_epoch(table, at));\n"
_SUMMED = "\tdo {\n\t\tsum = -"
_END = "\t} while (ctr_read_retry(&reading));\n\treturn sum;\n"
VALIDATED_LATE = Bug(
    "epoch loaded behind the copies",
    (Edit(FEW, _AT + _SUMMED, _SUMMED), Edit(FEW, _END, f"\t{_AT}{_END}")),
    WRONG,
)
_READ_BEGUN = "\tconst uint32_t begin = ctr_seq_read_begin(epoch);\n\n"
_GATHERED = (
    "\tif (table->domain->slots != NULL)\n"
    "\t\tctr_core_gather(table, at, ctr_core_static_base(table, at, view), values, words);\n"
    "\telse\n"
    "\t\tctr_core_load_words(table, at, values, words);\n"
)
READ_LATE = bug(
    "epoch of a read loaded behind the copies",
    WRONG,
    FEW,
    f"{_READ_BEGUN}{_GATHERED}",
    f"\tuint32_t begin;\n\n{_GATHERED}{_BEGIN}",
)
_READ = "\tif (read)\n\t\tctr_core_values(table, at, 1, values, false);\n"
WORDS_LATE = bug(
    "epoch of a read of any counters loaded behind the copies",
    WRONG,
    READ_ANY,
    _READ,
    f"{_READ}{_BEGIN}",
)
NOT_FETCHED = bug(
    "read of an instance is not of one life",
    WRONG,
    READ_SLOWLY,
    "} while (table->periodic && ctr_read_retry(&reading));",
    "} while (false);",
)
CHANGES = (*EPOCH_FENCES, EPOCH_ENDED, EPOCH_BEGUN, NO_CHANGE)
CLAMPED = bug(
    "difference clamped to 0",
    WRONG,
    REBASE,
    "\tctr_store64(base, now);\n\treturn now - before;",
    "\tctr_store64(base, now);\n\treturn now > before ? now - before : 0;",
)
_ZERO = Edit(
    RESET,
    "\t\tctr_core_begin_epoch(table, ctr_core_base(table, at, view), out);\n",
    "\t\tmemset(out, 0, table->value_size);\n"
    "\t\tfor (uint32_t i = 0; i < table->domain->slots->num; i++)\n"
    "\t\t\tctr_take_plain(table, ctr_element(table, &table->data,\n"
    "\t\t\t\ttable->domain->slots->copy[i], at), out);\n",
)
_OWN_ADD = '("add{q}", "e", word, n, __atomic_store_n(word, '
ZEROING = (
    Bug("reset stores 0", (_ZERO,), RACE),
    Bug("reset stores 0, and the owner loads with an atomic",
        (_ZERO, Edit(WORD, f"{_OWN_ADD}*word + n", f"{_OWN_ADD}ctr_load64(word) + n")), WRONG),
)  # fmt: skip
TAKEN = bug("reset loads, then stores 0", WRONG, TAKE, "ctr_exchange64(word64", "ctr_take64(word64")

_GATHERED = "\t\tctr_gather_words((const uint64_t *)(const void *)(copy + offset), num, sums);\n"
_LEFT = "\t\tif (ctr_unlikely(!GUARDED(leave)(&guard)))\n\t\t\treturn -EAGAIN;\n"
TORN = bug(
    "torn counts of a copy taken",
    WRONG,
    GUARDED,
    _GATHERED + _LEFT,
    f"{_GATHERED}\t\t(void)GUARDED(leave)(&guard);\n",
)
TORN_WORDS = bug(
    "torn counts of any counters taken",
    WRONG,
    GUARDED,
    f"{_LEFT}\t\tany = true;\n",
    "\t\t(void)GUARDED(leave)(&guard);\n\t\tany = true;\n",
)
AT_ONCE = Edit(SOURCE, ".retries = 200000,", ".retries = 0,")
"""A copy is read once, and given up."""
ANY_COUNTERS = Edit(SOURCE, ".gathers = true,", ".gathers = false,")
"""Reads take the way of scopes with more counters than are summed up in registers."""
NOT_FEW = Edit(SOURCE, ".read = ctr_read_2", ".gathers = false, .read = ctr_read_any")
"""The same of a scope with a function for its number of counters."""
NOT_FEW_OF_ONE = Edit(SOURCE, ".read = ctr_read_2", ".gathers = false, .read = ctr_read_one")
"""The same of one with a single copy."""
LOCKED = Edit(
    GRACE,
    "ctr_spin_wait(&reading->tries);\n\tif (reading->tries >= CTR_READ_RETRIES)",
    "if (reading->tries++ == 0)",
)
"""A reader takes the control lock after its first try."""
NOT_LOCKED = bug(
    "control lock not taken",
    RACE,
    GRACE,
    "\t\tctr_control_hold(reading->control);\n\t\treading->locked = true;",
    "\t\treading->locked = true;",
)


_BLOCK = "\t\t\tctr_load_element(table, element, some, to);\n"
_TAKES = "\tctr_take_plain(table, element, values);\n"
_RELEASED = "\t(void)GUARDED(leave)(&guard);\n"
READ_UNLOCKED = bug("read without the lock", WRONG, GUARDED, _GATHERED + _LEFT, _LEFT + _GATHERED)
_WORDS = (
    "\t\tif (any)\n\t\t\tctr_words_add(table, element, values);\n"
    "\t\telse\n\t\t\tctr_words_set(table, element, values);\n"
)
WORDS_UNLOCKED = bug(
    "read of any counters without the lock", WRONG, GUARDED, _WORDS + _LEFT, _LEFT + _WORDS
)
BLOCK_UNLOCKED = bug(
    "read without the lock", WRONG, GUARDED, f"{_BLOCK}\t{_RELEASED}", f"\t\t{_RELEASED}{_BLOCK}"
)
RESET_UNLOCKED = bug(
    "reset without the lock", RACE, GUARDED, _TAKES + _RELEASED, _RELEASED + _TAKES
)
"""Reads and resets release the lock before they load."""

LEFT_OUT = bug(
    "a getter leaves a copy out",
    WRONG,
    FEW,
    "for (uint32_t copy = 0; copy < num; copy++)",
    "for (uint32_t copy = 1; copy < num; copy++)",
)
READ_LEFT_OUT = bug("a read leaves a copy out", WRONG, *LEFT_OUT_OF_A_READ)
BLOCK_LEFT_OUT = Bug(
    "a snapshot leaves a copy out",
    verdict=WRONG,
    edits=(
        Edit(CORE_H, "for (copy = copies; copy != end; copy++)",
             "for (copy = copies + (sum->num > 1); copy != end; copy++)"),
    ),
)  # fmt: skip
TWICE = bug("a getter subtracts a baseline twice", WRONG, FEW, "\t\tsum = -", "\t\tsum = -2 * ")
READ_TWICE = bug(
    "a read subtracts a baseline twice",
    WRONG,
    STRATEGY,
    "values[0] = sums[0] - ctr",
    "values[0] = sums[0] - 2 * ctr",
)
ONLY_TWICE = bug(
    "a read of the only copy subtracts a baseline twice",
    WRONG,
    READ_SLOWLY,
    "*to64++ -= ctr_load64(from64++)",
    "*to64++ -= 2 * ctr_load64(from64++)",
)
BLOCK_TWICE = bug(
    "a snapshot subtracts a baseline twice",
    WRONG,
    STRATEGY,
    "values[0] = sums[0] - ctr",
    "values[0] = sums[0] - 2 * ctr",
)
