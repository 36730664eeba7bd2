# SPDX-License-Identifier: BSD-3-Clause
"""The result of a benchmark as a document: bench.json, described in docs/benchmark.md.

Cycles are those of the time stamp counter. Absent and null mean the same: not measured, or not
available on that machine.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import from_json

from ...findings.printers import visible
from ...findings.usage import UsageError, reason

FORMAT: Literal["ctrgen-bench"] = "ctrgen-bench"
VERSION = 1  # version of the format that this ctrgen writes; it reads all up to this one

Count = Annotated[int, Field(ge=0)]
Cycles = Annotated[float, Field(ge=0)]
Measured = Cycles | None
Share = Annotated[float, Field(ge=0, le=1)]
Shares = dict[str, Share]  # by strategy
Sizes = dict[str, dict[int, Count]]  # by strategy and number of lcores
Label = Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*(:[A-Za-z0-9_=,.-]+)?$")]
"""`NAME` or `NAME:KEY=VALUE,...`."""


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
    hugepages: Count = Field(default=0, description="Number of free huge pages.")
    tsc_hz: float = Field(gt=0, description="Cycles of the time stamp counter in a second.")
    governor: str | None = Field(default=None, description="How the clock frequency is governed.")


class Pages(Model):
    """Page sizes of the programs' memory: huge or small."""

    asked: Literal["auto", "on", "off"] = Field(default="auto", description="Value of `--huge`.")
    hugetlbfs: bool = Field(description="Whether DPDK had huge pages; else `--no-huge`.")
    allocated: Shares = Field(default={}, description="Share on huge pages of what DPDK allocated.")
    data: Shares = Field(default={}, description="Share on huge pages of static data.")


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
    lines: dict[str, float] = Field(default={}, description="Cache lines of a packet, by strategy.")
    memory: Sizes = Field(default={}, description="Bytes allocated, by strategy and lcores.")
    objects: dict[str, Count] = Field(default={}, description="Bytes of counters in objects.")


class Transfer(Model):
    """Transfer time of a cache line between two cores."""

    a: Count = Field(description="The one core.")
    b: Count = Field(description="The other core.")
    cycles: list[Cycles] = Field(description="One way, one value for each round.")


class Floor(Model):
    """Lower bounds of the machine for all that is measured."""

    transfer: list[Transfer] = Field(default=[], description="Between every two cores in use.")
    timer: list[Cycles] = Field(default=[], description="Cycles of reading the clock once.")
    chase: list[Chase] = Field(default=[], description="Loads from caches and memory, by size.")
    rest: list[Rest] = Field(default=[], description="Loads of lines that were not used for long.")
    empty: list[Cycles] = Field(default=[], description="Cycles of a packet without anything.")


class Chase(Model):
    """Latency of dependent loads (pointer chasing) by working set."""

    bytes: Count = Field(description="Memory that the loads are spread over, a line each.")
    cycles: list[Cycles] = Field(description="For a load, one value for each try.")


class Rest(Model):
    """Latency beyond an L1 hit of a load from a line that was unused for some time."""

    unused: Count = Field(description="Cycles since its last use, of arithmetic.")
    cycles: list[Cycles] = Field(description="For a load, one value for each try.")


class At(Model):
    """A place on the axes: under which circumstances a strategy was measured."""

    lcores: int = Field(ge=1, description="Worker lcores.")
    cores: int = Field(ge=1, description="Cores that they share; fewer is overcommit.")
    flows: int = Field(default=1024, ge=1, description="Flows that packets belong to.")
    distribution: str = Field(default="uniform", description="`uniform`, `zipf` or `bursts:N`.")
    affinity: str = Field(
        default="none", description="Whether flows stay on lcores: `pinned`, `rare`."
    )
    scheduler: str = Field(
        default="none", description="How packets come to lcores: `none`, or `pipeline` (two "
        "stages, which both count every packet); up to 0.2 also `dsw` and `distributor`.",
    )  # fmt: skip
    api: str = Field(default="single", description="`single`, `items`, `batch` or `bulk`.")
    work: Count = Field(default=1000, description="Cycles of other work per packet.")
    pressure: float = Field(default=0, ge=0, description="KiB of other memory touched per packet.")
    reads: float = Field(default=0, ge=0, description="Concurrent reads of all per second.")
    resets: float = Field(default=0, ge=0, description="Concurrent resets of all per second.")
    reader: Literal["snapshot", "instances", "walk"] = Field(
        default="instances", description="How everything is read: by the module's snapshot, by "
        "instance, or 256 instances in a read section, as the SNMP agent does.",
    )  # fmt: skip

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
    """Reads or resets of everything during a measurement."""

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
    floor: Measured = Field(default=None, description="With plain adds to one private cache line.")
    atomic: Measured = Field(default=None, description="With a `lock add` on shared cache lines.")
    free: Measured = Field(default=None, description="With the updates without their limits.")
    quota: Measured = Field(default=None, description="With the same that quotas may refuse.")
    clock: float = Field(default=1, gt=0, description="TSC cycles of a cycle of the core.")
    ms: float | None = Field(default=None, ge=0, description="How long `generated` was measured.")
    faults: Count | None = Field(default=None, description="Minor page faults, of workers.")
    reads: Passes | None = Field(default=None, description="Concurrent reads of everything.")
    resets: Passes | None = Field(default=None, description="Concurrent resets of everything.")
    packets: list[Count] = Field(description="Packets of each worker, with `generated`.")
    expected: Count = Field(description="Expected sum of all counters.")
    counted: Count = Field(description="Measured sum of all counters.")


class Percentiles(Model):
    """TSC cycles that the updates of one packet or of several take, reading the clock included."""

    p50: Cycles = Field(description="Half of them take at most this.")
    p99: Cycles = Field(description="99 % of them take at most this.")
    p999: Cycles = Field(description="99.9 % of them take at most this.")
    max: Cycles = Field(description="The longest.")
    samples: Count = Field(description="Number of calls that were timed.")
    packets: int = Field(default=1, ge=1, description="Packets that are timed together.")


Latencies = dict[str, Percentiles]


class Point(Model):
    """One strategy at one place on the axes."""

    strategy: str = Field(description="`NAME` or `NAME:KEY=VALUE,...`.")
    at: At = Field(description="The place.")
    rounds: list[Round] = Field(description="The rounds that were finished.")
    latency: Latencies | None = Field(default=None, description="Of `generated`, and of `none`.")
    hardware: dict[str, float] | None = Field(default=None, description="Of older versions.")


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
    version: int = Field(default=VERSION, ge=1, le=VERSION, description="Version of this format.")
    made: str = Field(description="When the run began, in UTC: `2026-01-31T12:00:00Z`.")
    ctrgen: str = Field(description="Version of ctrgen.")
    command: list[str] = Field(description="Command line that made it.")
    schema_: SchemaFile = Field(alias="schema", description="The schema.")
    machine: Machine = Field(description="The machine.")
    build: Build = Field(description="Compiler and libraries.")
    workload: Workload = Field(description="What was counted.")
    pages: Pages | None = Field(default=None, description="Whether memory was on huge pages.")
    strategies: list[Label] = Field(description="Strategies asked for, in the order of tables.")
    floor: Floor = Field(default_factory=Floor, description="Lower bounds of this machine.")
    points: list[Point] = Field(description="What was measured.")
    kernel: list[Kernel] = Field(default=[], description="XDP programs, for the output `xdp`.")
    notes: list[str] = Field(default=[], description="Remarks on the figures, in sentences.")
    complete: bool = Field(default=True, description="False when the run was interrupted.")

    @property
    def huge(self) -> bool:
        """Whether DPDK's memory was on huge pages; of older results, whether there were some."""
        return self.pages.hugetlbfs if self.pages else self.machine.hugepages > 0

    @model_validator(mode="after")
    def _consistent(self) -> Result:
        places = Counter((point.strategy, point.at) for point in self.points)
        for (strategy, _), count in places.items():
            if strategy not in self.strategies:
                raise ValueError(f"points of {strategy!r}, which is not in strategies")
            if count > 1:
                raise ValueError(f"{count} points of {strategy!r} at the same place")
        for point in self.points:
            if len({entry.round for entry in point.rounds}) < len(point.rounds):
                raise ValueError(f"a point of {point.strategy!r} has a round twice")
        return self


def load(path: str | Path) -> Result:
    """Read a result. Raises UsageError, in words for people."""
    place = Path(path)
    try:
        text = place.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{place}: cannot be read: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{place}: is not text", _HINT) from error
    return parse(text, str(place))


def parse(text: str, name: str = "result") -> Result:
    """The result that `text` holds; `name` is for messages. Raises UsageError."""
    try:
        data = from_json(text, allow_inf_nan=True)
    except ValueError as error:
        if str(error).startswith("EOF"):
            hint = "the file was cut off while it was written or copied; run the benchmark again"
            raise UsageError(f"{name}: the JSON text ends too early: {error}", hint) from error
        raise UsageError(f"{name}: not JSON: {error}", _HINT) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(f"{name}: is not a result of `ctrgen bench`", _HINT)
    version = data.get("version")
    if type(version) is not int:
        raise UsageError(f"{name}: version: the version of the format is missing", _HINT)
    if version > VERSION:
        raise UsageError(
            f"{name}: version {version} of the format; this ctrgen reads up to {VERSION}",
            "read it with the ctrgen that wrote it, or a newer one",
        )
    try:
        return Result.model_validate(_printable(data))
    except ValidationError as error:
        raise UsageError(f"{name}: {_first(error)}", _HINT) from error


def _printable(value: Any) -> Any:
    """A document whose text can be printed anywhere: without controls of terminals."""
    if isinstance(value, dict):
        return {_printable(key): _printable(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_printable(child) for child in value]
    return visible(value).replace("\t", " ") if isinstance(value, str) else value


_HINT = "give the bench.json that `ctrgen bench` wrote, unedited"


def _first(error: ValidationError) -> str:
    """The first thing that is wrong, as `points[3].rounds[0].none: ...`."""
    first, *others = error.errors()
    place = ""
    for step in first["loc"]:
        place += f"[{step}]" if isinstance(step, int) else f".{step}"
    reason = first["msg"].removeprefix("Value error, ")
    more = f" (and {len(others)} more)" if others else ""
    return f"{place.lstrip('.') or 'document'}: {reason[0].lower()}{reason[1:]}{more}"


def dump(result: Result) -> str:
    """The document as JSON: keys in the order of the models, nulls left out."""
    return result.model_dump_json(by_alias=True, exclude_none=True, indent=1) + "\n"
