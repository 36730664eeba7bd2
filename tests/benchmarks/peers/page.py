# SPDX-License-Identifier: BSD-3-Clause
"""The tables of what was measured, and the one of docs/peers.md."""

import functools
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ctrgen.model.language.units import shown_size as size
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.model.totals import footprint
from ctrgen.pipeline.check import check
from ctrgen.tools.bench import machine
from ctrgen.tools.bench.figures import number
from tests.benchmarks.peers.build import FLAGS, HERE, INSTANCES, driven, schema
from tests.benchmarks.peers.measured import Measured, quartiles
from tests.support.markdown import markdown
from tests.support.paths import DOCS

PAGE = DOCS / "peers.md"
BEGIN, END = "<!-- peers -->\n", "<!-- end -->"
WIDE = 16
"""Threads of the second column of bytes: more than were measured."""
SHOWN = 2
"""Threads of the costs on the page."""


@functools.cache
def sources() -> dict[str, dict[str, Any]]:
    """What is known of each pattern, by name."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "sources.yaml").read_text("utf-8"))
    return found


def names() -> list[str]:
    """The rows: peers, then strategies."""
    return [*sources(), *driven()]


def label(name: str) -> str:
    """The first cell of a row."""
    return sources()[name]["title"] if name in sources() else f"`{name}`"


def promise(name: str, what: str) -> str:
    """What a pattern says of `read` or `reset`, as in sources.yaml."""
    if name in sources():
        return str(sources()[name][what])
    promises = all_strategies()[name].promises
    return promises.consistency if what == "read" else promises.reset


def exact(name: str) -> bool:
    """Whether every update counts, by what the pattern or the strategy says."""
    return sources()[name]["exact"] if name in sources() else all_strategies()[name].promises.exact


def _spread(values: list[float]) -> str:
    low, middle, high = quartiles(values)
    return f"{number(middle)} ({number(low)} to {number(high)})"


def _percent(share: float) -> str:
    if share == 0:
        return "0"
    return f"{'over 1,000' if share > 10 else f'{100 * share:.2g}'} %"


def _reset(measured: Measured, name: str) -> str:
    if promise(name, "reset") == "none":
        return "no reset"
    of = measured.resets[name]
    parts = ((of.missing, "lost"), (of.twice, "twice"))
    shown = [f"{_percent(count / of.counted)} {how}" for count, how in parts if count]
    return ", ".join(shown) or "nothing"


def _read(measured: Measured, name: str) -> str:
    torn = measured.reads[name].torn / max(1, measured.reads[name].reads)
    return f"{promise(name, 'read')}; {_percent(torn)}"


def _bytes(measured: Measured, name: str, threads: int) -> str:
    """Bytes of an instance with so many threads that count."""
    once, more = measured.octets[name]
    if once or more:
        return f"{once + more * threads:,}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "schema.yaml"
        path.write_text(schema(name, INSTANCES), "utf-8")
        module = check(str(path)).module
    assert module is not None
    return f"{footprint(module, threads) / INSTANCES:,.0f}"


ERRORS = ("pattern", "updates lost", "resets lose", "read: promised; torn")


def _errors(measured: Measured, name: str) -> list[str]:
    """A row under these heads."""
    off = max(measured.counted[name, t].off for t in measured.threads)
    lost = _percent(off) + ("" if exact(name) else ", by design")
    return [label(name), lost, _reset(measured, name), _read(measured, name)]


def behaviour(measured: Measured) -> str:
    """What is lost, what a read is, what there is of memory."""
    rows = [
        [*_errors(measured, name), *(_bytes(measured, name, threads) for threads in (1, WIDE))]
        for name in names()
    ]
    return markdown([*ERRORS, "bytes, 1 thread", f"{WIDE} threads"], rows, range(1, 6))


def costs(measured: Measured, instances: int) -> str:
    """Cycles of an update at one number of instances, by threads."""
    rows = []
    for name in ("none", *names()):
        cells = [measured.cost.get((name, t, instances)) for t in measured.threads]
        title = "the loop without it" if name == "none" else label(name)
        rows.append([title, *("-" if values is None else _spread(values) for values in cells)])
    heads = [f"{t} thread{'s' * (t > 1)}" + " on 2 cores" * (t > 2) for t in measured.threads]
    return markdown(["pattern", *heads], rows, range(1, 4))


def readers(measured: Measured) -> str:
    """Bursts of the owner while another thread reads."""
    rows = []
    for name in ("none", *names()):
        title = "the loop, and nobody reads" if name == "none" else label(name)
        of = measured.reads[name]
        middle, tail = quartiles(of.middle)[1], quartiles(of.tail)
        rows.append([title, f"{middle:,.0f}", "{1:,.0f} ({0:,.0f} to {2:,.0f})".format(*tail)])
    return markdown(["pattern", "median", "99.9 %"], rows, (1, 2))


def _first_line(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["unknown"])[0]


def made_on(cpus: list[int], tsc_hz: float, lives: int, rounds: int) -> str:
    """The machine, as Linux tells it, and what the program was made with."""
    of = machine.describe(cpus, tsc_hz)
    caches = [f"L{c.level} {size(c.bytes)}" for c in of.caches if c.type != "Instruction"]
    kind = "virtual machine" if of.virtual else "no virtual machine seen"
    huge = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    pages = re.search(r"\[(\w+)\]", huge.read_text("utf-8")) if huge.exists() else None
    rows = [
        ["Processor", f"{of.cpu} ({of.arch}), TSC {tsc_hz / 1e9:.2f} GHz, {kind}"],
        ["Cores", f"{len(cpus)} of {os.cpu_count()}, {of.threads_per_core} thread(s) each"],
        ["Caches", ", ".join(caches) or "unknown"],
        ["System", f"Linux {of.kernel}, transparent huge pages: {pages[1] if pages else 'none'}"],
        ["Build", f"{_first_line('gcc', '--version')}, {' '.join(FLAGS)}"],
        ["DPDK", _first_line("pkg-config", "--modversion", "libdpdk")],
        ["Rounds", f"{rounds} in each of {lives} processes"],
    ]
    return markdown(["", ""], rows)


def tables(measured: Measured, made: str) -> Iterator[tuple[str, str]]:
    """Each table, with what it is of."""
    yield "machine", made
    yield "behaviour", behaviour(measured)
    for instances in measured.instances:
        yield f"cost, instances: {instances:,}", costs(measured, instances)
    yield "readers", readers(measured)


def summary(measured: Measured) -> str:
    """The table of the page: errors, bytes with many threads, medians of costs."""
    rows = []
    for name in names():
        costs_of = (measured.cost.get((name, SHOWN, count)) for count in measured.instances)
        cells = ("-" if values is None else number(quartiles(values)[1]) for values in costs_of)
        tail = f"{quartiles(measured.reads[name].tail)[1]:,.0f}"
        rows.append([*_errors(measured, name), _bytes(measured, name, WIDE), *cells, tail])
    heads = ["1 instance", "1,024", "1 M", "99.9 % with reader"]
    return markdown([*ERRORS, f"bytes, {WIDE} threads", *heads], rows, range(1, 9))


def renewed(text: str, content: str) -> str:
    """The page with another table. Raises ValueError without the lines around it."""
    if text.count(BEGIN) != 1:
        raise ValueError(f"no place for the table: write '{BEGIN.strip()}' and '{END}'")
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}\n{content}\n{END}{rest.partition(END)[2]}"
