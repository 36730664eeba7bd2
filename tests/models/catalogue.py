# SPDX-License-Identifier: BSD-3-Clause
"""Which models there are, and for each the bugs that it must see.

A model is a C program (MODEL.c) under one strategy. A bug is a replacement in a file of
the runtime or of the generated code, so a model is checked against just what the
product ships, and is trusted only as long as it sees its bugs.
"""

from tests.models import (
    bugs,
    bugs_held,
    bugs_library,
    bugs_limits,
    bugs_lives,
    bugs_peaks,
    bugs_readers,
    bugs_threads,
)
from tests.models.bugs import FREED, RACE, WRONG, seen
from tests.models.cases import IMM, Case, Model

FOREIGN = ("WRITER_0=MODEL_FOREIGN", "WRITER_1=MODEL_FOREIGN")
TWO_RESETS = ("RESETTERS=2", "READERS=0")
WRAP = ("MODEL_FROM=UINT64_MAX",)
RESET = ("WITH_RESET",)
TICKET = "shared_lock:lock=ticket"
MCS = "shared_lock:lock=mcs"
BUFFERED = "shared_buffered:buffer=16,soft_threshold=0"
COALESCED = "shared_coalesced:entries=1"
FULL = "shared_buffered:buffer=16,soft_threshold=16"

_PEAK = "the next period of a peak beside a gauge that"

LOCKS = (
    Model("locks", "spin lock", bugs=seen(RACE, *bugs.SPIN)),
    Model("locks", "spin lock, tried", "", ("MODEL_TRY",), seen(RACE, *bugs.SPIN, bugs.TRIED)),
    Model("locks", "ticket lock", "", ("MODEL_TICKET",), seen(RACE, *bugs.TICKET)),
    Model("locks", "queue lock", "", ("MODEL_MCS",),
          (*seen(RACE, *bugs.MCS), *seen(FREED, *bugs.MCS_LINKS))),
    Model("owned", "the lock of an owner, who ends and has a successor, and of visitors",
          bugs=seen(RACE, *bugs.OWNED, *bugs.VISITED, *bugs.REPAIRED)),
    Model("owned", "the same; the owner ends with the lock", defines=("MODEL_DIES",),
          bugs=bugs.NOT_REPAIRED),
)  # fmt: skip
_TWO = "updates of two lcores"
_NO_ID = "updates of threads without an id"
CONSERVE = (
    Model("conserve", _TWO, "per_core", (), (bugs.OTHER_SLOT,)),
    Model("conserve", _NO_ID, "per_core", FOREIGN, (bugs.ADDED,)),
    Model("conserve", _TWO, "per_core_lock", (), (bugs.OTHER_UNLOCKED,)),
    Model("conserve", _NO_ID, "per_core_lock", FOREIGN,
          (bugs.UPDATE_UNLOCKED, *seen(RACE, *bugs.OWNED))),
    Model("conserve", _TWO, "per_core_seqcount", (), (bugs.OTHER_SLOT,)),
    Model("conserve", _NO_ID, "per_core_seqcount", FOREIGN, (bugs_library.FOREIGN_UNLOCKED,)),
    Model("conserve", _TWO, "shared_atomic", (), (bugs.ADDED,)),
    Model("conserve", _TWO, "shared_lock", (), seen(RACE, *bugs.SPIN)),
    Model("conserve", _TWO, TICKET, (), seen(RACE, *bugs.TICKET)),
    Model("conserve", _TWO, MCS, (), seen(RACE, *bugs.MCS)),
    Model("conserve", "flushes, tried and not", BUFFERED, (),
          (bugs.FLUSHED, *seen(RACE, bugs.TRIED, *bugs.SPIN))),
    Model("conserve", "flushes of a full buffer", FULL, ("MODEL_UPDATES=17",), (bugs.FLUSHED,)),
    Model("conserve", "flushes of lcores that leave", FULL, ("MODEL_LEAVES",), (bugs.KEPT,)),
)  # fmt: skip
_READS = "reads beside updates"
_BOTH = "reads and resets beside updates"
WHOLE = (
    Model("whole", _READS, "per_core_seqcount", (), bugs.SEQCOUNT),
    Model("whole", f"{_READS}, of any counters", "per_core_seqcount",
          bugs=(bugs_library.TORN_WORDS,), limits=(bugs_library.ANY_COUNTERS,)),
    Model("whole", _BOTH, "per_core_seqcount", RESET,
          (bugs_library.TORN, bugs_library.WORDS.left_out, *bugs.SEQCOUNT)),
    Model("whole", f"{_BOTH} of two lcores", "per_core_seqcount",
          (*RESET, "WRITER_1=1", "MODEL_UPDATES=1"),
          (bugs_library.TORN, bugs_library.WORDS.left_out)),
    Model("whole", f"{_BOTH}, of threads without an id", "per_core_seqcount", (*RESET, FOREIGN[0]),
          (bugs_library.FOREIGN_NO_COUNT,)),
    Model("whole", f"{_BOTH}, that give up", "per_core_seqcount", (*RESET, "MODEL_UPDATES=1"),
          (bugs_library.GIVES_UP_SILENTLY,), limits=(bugs_library.AT_ONCE,)),
    *(
        Model("whole", _READS, sync, (), (unlocked, *locks))
        for sync, unlocked, locks in (
            ("per_core_lock", bugs_library.READ_UNLOCKED, bugs.READ_OWNED),
            ("shared_lock", bugs_library.READ_UNLOCKED, bugs.SPIN),
            (BUFFERED, bugs_library.READ_UNLOCKED, bugs.SPIN),
        )
    ),
    Model("whole", _BOTH, "per_core_lock", RESET, (bugs_library.READ_UNLOCKED,)),
    Model("whole", f"{_BOTH} of two lcores", "per_core_lock",
          (*RESET, "WRITER_1=1", "MODEL_UPDATES=1"),
          (bugs_library.READ_UNLOCKED, bugs_library.WORDS.left_out), imm=False),
    *(
        Model("whole", _BOTH, sync, RESET, (bugs_library.RESET_UNLOCKED,))
        for sync in ("shared_lock", BUFFERED)
    ),
    Model("whole", _READS, TICKET, (), bugs.TICKET),
    Model("whole", _READS, MCS, (), (*bugs.MCS[:2], *seen(FREED, *bugs.MCS[2:]))),
)  # fmt: skip
_READER = "a reset beside updates and reads"
_RESETS = "two resets at once, beside updates"
_TWO_WRITERS = ("WRITERS=2", "MODEL_UPDATES=1")
RESETS = (
    Model(
        "reset",
        _READER,
        "per_core",
        (),
        (*bugs_library.CHANGES, *bugs_library.AGAIN.bugs, bugs_library.VALIDATED_LATE,
         bugs_library.TWICE, *bugs_library.ZEROING),
    ),
    Model("reset", f"{_READER} of two lcores", "per_core", _TWO_WRITERS,
          (bugs_library.AGAIN.left_out, bugs_library.LEFT_OUT)),
    Model("reset", _RESETS, "per_core", TWO_RESETS, (bugs.CONTROLLED,)),
    Model("reset", "a reset where the count wraps", "per_core", WRAP, (bugs_library.CLAMPED,)),
    Model("reset", f"{_READER} that take the control lock", "per_core", (),
          (bugs_library.NOT_LOCKED,), limits=(bugs_library.LOCKED,)),
    Model(
        "reset", _READER, "per_core_seqcount", (), (*bugs_library.CHANGES, *bugs_library.AGAIN.bugs)
    ),
    Model("reset", _RESETS, "per_core_seqcount", TWO_RESETS, (bugs.CONTROLLED,)),
    Model("reset", f"{_READER}, that give up", "per_core_seqcount", (),
          (bugs_library.AGAIN.left_out,), limits=(bugs_library.AT_ONCE,)),
    Model("reset", _READER, "per_core_lock", (), (bugs_library.AGAIN.left_out,)),
    Model("reset", _READER, "shared_atomic", (), (bugs_library.TAKEN,)),
    Model("reset", _RESETS, "shared_atomic", TWO_RESETS, (bugs_library.TAKEN,)),
    Model("reset", _READER, "shared_lock", (), (bugs_library.RESET_UNLOCKED,)),
    Model("reset", _READER, BUFFERED, (), (bugs_library.RESET_UNLOCKED,)),
)  # fmt: skip
_PERIODS = "one event between resets"
PERIODS = (
    *(
        Model("periods", _PERIODS, sync, (), (read.left_out, read.loaded, late))
        for sync, read, late in (("per_core", bugs_library.FEW_COUNTERS, bugs_library.READ_LATE),
                                 ("per_core_seqcount", bugs_library.WORDS, bugs_library.WORDS_LATE))
    ),
    *(
        Model("periods", f"{_PERIODS}, of an lcore and without one", sync, ("MODEL_COPIES",),
              (read.left_out, read.loaded, *more), imm=sync != "per_core_lock")
        for sync, read, more in (
            ("per_core", bugs_library.FEW_COUNTERS, (bugs_library.READ_LEFT_OUT,)),
            ("per_core_seqcount", bugs_library.WORDS, ()),
            ("per_core_lock", bugs_library.WORDS, ()),
        )
    ),
    Model(
        "periods",
        f"{_PERIODS}, of one counter and the other",
        "shared_atomic",
        ("MODEL_APART",),
        (bugs_library.NO_CHANGE, bugs_library.ONLY.loaded, bugs_library.ONLY.left_out,
         bugs_library.ONLY.odd),
    ),
    Model("periods", f"{_PERIODS}, of one counter and the other; a read of any counters",
          "shared_lock", ("MODEL_APART",), (bugs_library.WORDS_UNLOCKED,),
          limits=(bugs_library.ANY_COUNTERS,)),
    Model("periods", f"{_PERIODS}, of two lcores in turn", "per_core", ("MODEL_HANDOVER",),
          (*bugs_library.CHANGES, *bugs_library.FEW_COUNTERS.bugs)),
    Model("periods", f"{_PERIODS}, of two lcores in turn; a read of any counters", "per_core",
          ("MODEL_HANDOVER",), bugs_library.WORDS.bugs, limits=(bugs_library.NOT_FEW,)),
    *(
        Model("periods", f"{_PERIODS}, of two lcores in turn", sync, ("MODEL_HANDOVER",),
              (bugs_library.WORDS.left_out,), imm=sync != "per_core_lock")
        for sync in ("per_core_seqcount", "per_core_lock")
    ),
)  # fmt: skip
_SECTION = "snapshots in a section beside updates and a reset"
SNAPSHOTS = (
    *(
        Model("snapshot", _SECTION, sync, (), (bugs.CONTROLLED, *more))
        for sync, more in (("per_core", (bugs_library.BLOCK_LEFT_OUT, bugs_library.BLOCK_TWICE)),
                           ("per_core_lock", (bugs_library.BLOCK_UNLOCKED,)), ("shared_atomic", ()))
    ),
    Model(
        "snapshot", _SECTION, "per_core_seqcount", (), (bugs_library.TORN_BLOCK, bugs.CONTROLLED)
    ),
    *(
        Model("snapshot", _SECTION, sync, (), seen(RACE, *bugs.SPIN))
        for sync in ("shared_lock", BUFFERED)
    ),
    *(
        Model("snapshot", _SECTION, sync, (), seen(RACE, locks[1]))
        for sync, locks in ((TICKET, bugs.TICKET), (MCS, bugs.MCS))
    ),
    Model("snapshot", f"{_SECTION}, that give up", "per_core_seqcount", ("MODEL_UPDATES=1",),
          (bugs_library.GIVES_UP_SILENTLY,), limits=(bugs_library.AT_ONCE,)),
)  # fmt: skip
OTHERS = (
    Model("slots", "sums beside threads that register and leave",
          bugs=(bugs_threads.LOADED, bugs_threads.UNREGISTERED, bugs_threads.COUNTS_GO)),
    Model("slots", "a look at one slot beside them", "", ("MODEL_LOOK",),
          (bugs_threads.LOADED, bugs_threads.SLOT_PUBLISHED)),
    Model("mine", "pointers of threads whose ids pass on", bugs=bugs_threads.POINTERS),
    Model("mine", "a set that ends before a thread with a pointer", "", ("MODEL_CLOSED",),
          (bugs_threads.POINTER_STAYS,)),
    Model("quiescent", "an instance that is freed beside an lcore", bugs=bugs_threads.REPORTS),
    Model("quiescent", "the same beside one that sleeps meanwhile", "", ("MODEL_SLEEPS",),
          bugs_threads.SLEEPS),
    Model(
        "quiescent", "the same by one of two who ask", "", ("MODEL_ASKERS",), bugs_threads.ASKERS
    ),
    Model("settled", "an end beside an lcore that holds back", bugs=bugs_threads.TOLD),
    Model("settled", "the same beside one that goes to sleep", "", ("MODEL_SLEEPS",),
          bugs_threads.TOLD_OFFLINE),
    Model(
        "settled", "the same beside one that leaves", "", ("MODEL_LEAVES",), bugs_threads.LEFT_TOLD
    ),
    Model("readers", "memory that is given back beside reads",
          bugs=(*bugs_readers.ORDERS, bugs_readers.ONE_COUNTER)),
    Model("readers", "the same of what was taken back meanwhile", "", ("MODEL_AGAIN",),
          (bugs_readers.ONE_COUNTER, bugs_readers.KEPT_FROM_BEFORE)),
    Model("limits", "a quota that two lcores use up", bugs=bugs_limits.RETURNS),
    Model(
        "limits", "a threshold that two lcores cross", "", ("MODEL_THRESHOLD",), bugs_limits.REPORTS
    ),
    Model("limits", "the same beside an lcore that leaves", "", ("MODEL_THRESHOLD", "MODEL_LEAVES"),
          bugs_limits.LEAVES, imm=False),
    Model("limits", "a threshold that is due", "", ("MODEL_DUE=20u",),
          (*bugs_limits.REPORTS[1:3], *bugs_limits.DUE), imm=False),
    Model("limits", "one that is due and crossed", "", ("MODEL_DUE=1990u",),
          bugs_limits.REPORTS[:3:2], imm=False),
    Model("limits", "one that is due and set again", "", ("MODEL_DUE=20u", "MODEL_SETS"),
          bugs_limits.SETS, imm=False),
    Model("limits", "a life that ends with a rest", "", ("MODEL_ENDS",), bugs_limits.ENDS,
          imm=False),
    Model("limits", "shares of two instances that are recalled", "", ("MODEL_TWO",),
          bugs_limits.RECALLS, imm=False),
    Model("ceiling", "a gauge that two lcores raise", bugs=bugs_limits.RAISES),
    Model("ceiling", "one whose ceiling is set", "", ("MODEL_SETS",), bugs_limits.CEILINGS),
    Model("ceiling", "one whose peak is reset", "", ("MODEL_PEAK",), bugs_limits.PEAKS),
    Model("left", "an lcore that leaves beside one who has the lock", bugs=bugs.LEFT),
    Model("left", "one that leaves and comes back", "", ("MODEL_ADOPT",),
          (bugs.ADOPTED, bugs.NOT_ADOPTED)),
    Model("open", "two modules that start beside a thread that registers",
          bugs=(bugs_threads.FORGOTTEN, bugs_threads.OPENED)),
    Model(
        "create",
        "an instance that is created beside a thread that registers and updates",
        "per_core",
        schema="things",
        bugs=(bugs_lives.NOT_COMPLETED, bugs_lives.NOT_AWAITED, bugs_lives.ADDED_UNSEEN,
              bugs_lives.NOT_GROWN),
    ),
    Model("create", "the same of one that there was before", "per_core", ("MODEL_AGAIN",),
          schema="things", bugs=(bugs_lives.LIVE_EARLY, bugs_lives.SAID_EARLY)),
    Model("bits", "which instances exist", bugs=bugs_lives.BITS),
    Model("bits", "the next that exists", "", ("MODEL_NEXT",), seen(RACE, bugs_threads.LOADED)),
    Model("cell", "a read of a text beside two who set it", bugs=bugs.CELLS),
    Model("peaks", f"{_PEAK} is set", bugs=bugs_peaks.SETS),
    Model("peaks", f"{_PEAK} is added to", "", ("MODEL_ADD",), bugs_peaks.ADDS),
    Model("peaks", f"{_PEAK} is subtracted from", "", ("MODEL_SUB",), bugs_peaks.SUBS),
    Model("peaks", "a reset beside two who observe", "", ("MODEL_OBSERVED",), bugs_peaks.OBSERVED),
)  # fmt: skip

_BOTH_VIEWS = "resets in two views beside updates"
VIEWS = tuple(
    Model("views", _BOTH_VIEWS, sync, (), (*bugs_lives.VIEWS, twice), "viewed")
    for sync, twice in (("per_core", bugs_library.READ_TWICE),
                        ("per_core_seqcount", bugs_library.READ_TWICE),
                        ("shared_atomic", bugs_library.ONLY_TWICE))
)  # fmt: skip
_ENDS = "an instance that ends beside an lcore that reports, and its next life"
_LEAVES = "one that ends beside an lcore that leaves"
_LATE = "one that ends, and an update that comes after"
_LIVES = "two lives beside reads"
_OTHER = "the same beside reports that apply nothing"
LIVES = (
    Model(
        "lives",
        _ENDS,
        "per_core",
        (),
        (bugs_lives.NOT_WAITED, bugs_lives.NO_BASELINE,
         *seen(WRONG, bugs_threads.REPORTS[0], *bugs_threads.REPORTS[2:4]),
         bugs_threads.REPORTS[1]),
        "things",
    ),
    *(
        Model("lives", _ENDS, sync, (), (bugs_lives.NOT_WAITED,), "things")
        for sync in ("per_core_lock", "per_core_seqcount", "shared_atomic", "shared_lock")
    ),
    Model("lives", _ENDS, FULL, (), bugs_lives.SETTLED, "things"),
    Model("lives", _ENDS, COALESCED, (), bugs_held.REPORTED, "things", imm=False, genmc=False),
    *(
        Model("lives", _OTHER, sync, ("MODEL_OTHER",), (bugs_lives.NOT_TOLD,), "things", **by)
        for sync, by in ((FULL, {}), (COALESCED, {"imm": False, "genmc": False}))
    ),
    Model("lives", _LEAVES, FULL, ("MODEL_LEAVES",), (bugs_lives.LEFT_BEHIND,), "things"),
    *(
        Model("lives", _LATE, sync, ("MODEL_LATE",), (waits, bugs_lives.NOT_LATE), "things")
        for sync, waits in (("per_core", bugs_lives.NOT_WAITED),
                            ("shared_atomic", bugs_lives.NOT_WAITED), (FULL, bugs_lives.NOT_TOLD))
    ),
    *(
        Model("ends", _LIVES, sync, (), bugs_lives.ENDS, "things")
        for sync in ("per_core", "per_core_seqcount")
    ),
    Model("ends", _LIVES, BUFFERED, (), (bugs_lives.PLAIN_LIFE,), "things"),
    Model("ends", f"{_LIVES} of all counters", "per_core", ("MODEL_READ",),
          (bugs_lives.NO_LIVES, bugs_library.NOT_FETCHED, *bugs_library.FEW_FLOW), "things"),
    Model("ends", f"{_LIVES} of one counter and the other", "shared_atomic",
          ("MODEL_READ", "MODEL_APART"),
          (bugs_lives.NO_LIVES, bugs_library.ONLY_FLOW.loaded, bugs_library.ONLY_FLOW.left_out),
          "twins"),
)  # fmt: skip

HELD = (
    Model("held", "deltas of two lcores next to a reset and a read", COALESCED, (), bugs_held.HELD,
          "things"),
    Model(
        "held", "flushes between updates", COALESCED, ("MODEL_FLUSH",), bugs_held.FLUSHED, "things"
    ),
)  # fmt: skip

MODELS = (*LOCKS, *CONSERVE, *WHOLE, *RESETS, *PERIODS, *SNAPSHOTS, *VIEWS, *LIVES, *HELD, *OTHERS)
"""All of them."""


CASES = [
    *(Case(model, bug) for model in MODELS for bug in (None, *model.bugs)),
    *(Case(model, memory=IMM) for model in MODELS if model.imm),
]
"""Bugs are seen under RC11; what holds holds under IMM too."""
VERDICTS = [case for case in CASES if case.model.genmc]
"""Those of which there is a verdict of GenMC."""

UNSEEN = (
    *(f"locks MODEL_MCS: {bug.name}" for bug in bugs.MCS_LINKS),
    f"cell: {bugs.CELLS[0].name}",
    f"limits MODEL_THRESHOLD MODEL_LEAVES: {bugs_limits.LEAVES[1].name}",
)
"""Bugs that only GenMC sees. In explore.c the stores to a word are in the order in which they are
executed, so none is overwritten by one that was executed before it."""
