# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the cost model's machines, and where each is from."""

from ctrgen.tools.plan.machine import CASCADE_LAKE, CORTEX_A72, MACHINES

SOURCES = {
    CASCADE_LAKE.name: (
        ("hz, cores, caches (size)", "the chapter; Intel's data sheet: 27.5 MiB of L3"),
        ("width 4, window 224", "Intel's optimization manual, Skylake server: allocation, ROB"),
        ("fills 12, stores 56", "the same: line fill buffers, store buffer"),
        ("locked 18", "uops.info and Agner Fog's tables, LOCK ADD m64 on Skylake-X"),
        ("fence 0", "x86 keeps stores in order: a compiler barrier"),
        ("caches (cycles), memory", "AnandTech, Skylake-SP: L1 4-5, L2 14, L3 about 70; 87 ns"),
        ("transfer 110", "48 ns between cores of a Gold 6242, another Cascade Lake "
         "(github.com/nviennot/core-to-core-latency), at 2.3 GHz"),
    ),
    CORTEX_A72.name: (
        ("hz, cores", "the chapter"),
        ("width 3, window 128", "Arm's Cortex-A72 software optimization guide: dispatch, ROB"),
        ("fills 6, stores 16", "estimates; of no effect on the published figures, "
         "which have work between packets"),
        ("caches (size)", "Arm's manual; BCM2711: 32 KiB of L1 data, 1 MiB of L2 for all"),
        ("caches (cycles), memory", "published pointer chases on Cortex-A72: L2 about 21 cycles; "
         "sbc-bench on the Pi 4: about 154 ns in 16 MiB"),
        ("locked 10, fence 10", "estimates: load-exclusive, add, store-exclusive is a chain of a "
         "load, an add and a store with its status; a DMB waits about as long. Nobody publishes "
         "them"),
        ("transfer 134", "89.6 ns between cores of a Raspberry Pi 4 "
         "(github.com/nviennot/core-to-core-latency, issue 44), at 1.5 GHz"),
    ),
}  # fmt: skip
"""By the name of a machine: figures, and their source."""


def machines() -> str:
    """A paragraph for each machine with its figures, and a list of their sources."""
    parts = []
    for machine in MACHINES.values():
        values = (
            f"width {machine.width:g}, window {machine.window}, fills {machine.fills}, "
            f"stores {machine.stores}, "
            f"locked {machine.locked:g}, fence {machine.fence:g}, "
            + ", ".join(f"L{c.level} {c.cycles:g}" for c in machine.caches)
            + f", memory {machine.memory:g}, transfer {machine.transfer:g} cycles"
        )
        listed = "".join(f"* {what}: {source}\n" for what, source in SOURCES[machine.name])
        parts.append(f"{machine.name}: {machine.title}; {values}\n\n{listed}")
    return "\n".join(parts)
