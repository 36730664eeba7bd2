# SPDX-License-Identifier: BSD-3-Clause
"""What models show under several strategies, in words, and macros that they have."""

FOREIGN = ("WRITER_0=MODEL_FOREIGN", "WRITER_1=MODEL_FOREIGN")
TWO_RESETS = ("RESETTERS=2", "READERS=0")
RESET = ("WITH_RESET",)
TWO_WRITERS = (*RESET, "WRITER_1=1", "MODEL_UPDATES=1")

TWO = "updates of two lcores"
NO_ID = "updates of threads without an id"
READS = "reads beside updates"
BOTH = "reads and resets beside updates"
BOTH_OF_TWO = f"{BOTH} of two lcores"
READER = "a reset beside updates and reads"
RESETS = "two resets at once, beside updates"
EPOCHS = "one event between resets"
IN_TURN = f"{EPOCHS}, of two lcores in turn"
AND_WITHOUT = f"{EPOCHS}, of an lcore and without one"
AND_OTHER = f"{EPOCHS}, of one counter and the other"
SECTION = "snapshots in a section beside updates and a reset"
VIEWS = "resets in two views beside updates"
ENDS = "an instance that ends beside an lcore that reports, and its next life"
LATE = "one that ends, and an update that comes after"
LIVES = "two lives beside reads"
OTHER = "the same beside reports that apply nothing"
