# SPDX-License-Identifier: BSD-3-Clause
"""The result of a benchmark as a document: bench.json, described in docs/benchmark.md.

Cycles are those of the time stamp counter. Absent and null mean the same: not measured, or not
available on that machine.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT: Literal["ctrgen-bench"] = "ctrgen-bench"
VERSION: Literal[2] = 2

Count = Annotated[int, Field(ge=0)]
Cycles = Annotated[float, Field(ge=0)]
Measured = Cycles | None
Sizes = dict[str, dict[int, Count]]  # by strategy and number of lcores


class Model(BaseModel):
    """Base of all parts: unknown keys, infinities and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class SchemaFile(Model):
    """The schema that was measured."""

    file: str = Field(description="Name of the file.")
    module: str = Field(description="Module that it describes.")
    sha256: str = Field(description="Fingerprint of its text.")


class Cache(Model):
    """One cache, as the first core in use sees it."""

    level: int = Field(ge=1, description="1 is nearest to the core.")
    type: str = Field(description="`Data`, `Instruction` or `Unified`.")
    bytes: Count = Field(description="Size.")
    shared_by: int = Field(default=1, ge=1, description="Number of cores that share it.")


class Machine(Model):
    """The machine that was measured on."""

    cpu: str = Field(description="Model of the processor.")
    arch: str = Field(description="Architecture, such as `x86_64`.")
    cores: list[Count] = Field(description="Cores that were used.")
    online: Count = Field(description="Number of cores that the system has.")
    threads_per_core: int = Field(default=1, ge=1, description="Hardware threads of a core.")
    virtual: bool = Field(description="Whether it is a virtual machine.")
    kernel: str = Field(description="Version of the kernel.")
    caches: list[Cache] = Field(default=[], description="Caches.")
    memory_bytes: Count = Field(description="Size of the main memory.")
    tsc_hz: float = Field(gt=0, description="Cycles of the time stamp counter in a second.")
    governor: str | None = Field(default=None, description="How the clock frequency is governed.")


class Build(Model):
    """Compiler and libraries of the programs."""

    compiler: str = Field(description="Compiler and its version.")
    cflags: list[str] = Field(description="Flags of the compiler.")
    dpdk: str = Field(description="Version of DPDK.")


class Workload(Model):
    """The updates of a packet, and their memory."""

    updates: list[str] = Field(description="Updates called for every packet, in this order.")
    adds: int | float = Field(gt=0, description="Counter updates (operations) per packet.")
    every: dict[str, int] = Field({}, description="A packet in how many causes an update.")
    memory: Sizes = Field(default={}, description="Bytes allocated, by strategy and lcores.")
    huge: bool = Field(default=False, description="Whether DPDK's memory was on huge pages.")


class At(Model):
    """A place on the axes: under which circumstances a strategy was measured."""

    lcores: int = Field(ge=1, description="Worker lcores.")
    cores: int = Field(ge=1, description="Cores that they share; fewer is overcommit.")
    flows: int = Field(default=1024, ge=1, description="Flows that packets belong to.")
    api: str = Field(default="single", description="`single`, `batch` or `bulk`.")
    work: Count = Field(default=1000, description="Cycles of other work per packet.")
    reads: float = Field(default=0, ge=0, description="Concurrent snapshots per second.")
    resets: float = Field(default=0, ge=0, description="Concurrent resets of all per second.")

    @property
    def spot(self) -> tuple[int, int]:
        """Lcores and the cores that they share."""
        return self.lcores, self.cores

    @property
    def family(self) -> At:
        """The place, normalised to one lcore and core: common to places that differ in these."""
        return self.model_copy(update={"lcores": 1, "cores": 1})

    @property
    def alone(self) -> bool:
        """Whether only workers run, so that slices with and without counting can alternate."""
        return not self.reads and not self.resets

    @property
    def crowded(self) -> bool:
        """Whether lcores share cores."""
        return self.lcores > self.cores


class Passes(Model):
    """Snapshots, or resets of everything, during a measurement."""

    count: Count = Field(description="How many were made.")
    ms: float = Field(ge=0, description="Milliseconds that all of them took.")


class Round(Model):
    """One round: every strategy measured once, one after the other.

    Figures are TSC cycles per packet, the mean over the workers. The overhead of
    counting is a difference to `none` of the same round. Where slices alternate, each
    other figure is `none` plus the difference to the interleaved uncounted slices.
    """

    round: Count = Field(description="Number of the round.")
    none: Cycles = Field(description="Without statistics.")
    generated: Cycles = Field(description="With the generated statistics.")
    hand: Measured = Field(default=None, description="With the same pattern written by hand.")
    free: Measured = Field(default=None, description="With the updates without their limits.")
    quota: Measured = Field(default=None, description="With the same that quotas may refuse.")
    clock: float = Field(default=1, gt=0, description="TSC cycles of a cycle of the core.")
    ms: float = Field(ge=0, description="How long `generated` was measured.")
    reads: Passes = Field(description="Concurrent snapshots.")
    resets: Passes = Field(description="Concurrent resets of everything.")
    expected: Count = Field(description="Expected sum of all counters.")
    counted: Count = Field(description="Measured sum of all counters.")


class Point(Model):
    """One strategy at one place on the axes."""

    strategy: str = Field(description="`NAME` or `NAME:KEY=VALUE,...`.")
    at: At = Field(description="The place.")
    rounds: list[Round] = Field(description="The rounds that were finished.")


class Kernel(Model):
    """Runs of XDP programs by BPF_PROG_TEST_RUN, in ns: a mean for each round, all interleaved."""

    strategy: str = Field(description="`NAME` or `NAME:KEY=VALUE,...`.")
    none: list[Count] = Field(description="Without counting.")
    generated: list[Count] = Field(description="With the generated updates of a packet.")
    hash: list[Count] = Field(description="With as many adds by hand, to a per-CPU hash a scope.")
    array: list[Count] = Field(description="With as many adds by hand, to a per-CPU array a scope.")


class Result(Model):
    """The whole document."""

    format: Literal["ctrgen-bench"] = Field(default=FORMAT, description="What the document is.")
    version: Literal[2] = Field(default=VERSION, description="Version of this format.")
    made: str = Field(description="When the run began, in UTC: `2026-01-31T12:00:00Z`.")
    ctrgen: str = Field(description="Version of ctrgen.")
    command: list[str] = Field(description="Command line that made it.")
    schema_: SchemaFile = Field(alias="schema", description="The schema.")
    machine: Machine = Field(description="The machine.")
    build: Build = Field(description="Compiler and libraries.")
    workload: Workload = Field(description="What was counted.")
    strategies: list[str] = Field(description="Strategies asked for, in the order of tables.")
    points: list[Point] = Field(description="What was measured.")
    kernel: list[Kernel] = Field(default=[], description="XDP programs, for the output `xdp`.")
    notes: list[str] = Field(default=[], description="Remarks on the figures, in sentences.")
    complete: bool = Field(default=True, description="False when the run was interrupted.")


def dump(result: Result) -> str:
    """The document as JSON: keys in the order of the models, nulls left out."""
    return result.model_dump_json(by_alias=True, exclude_none=True, indent=1) + "\n"
