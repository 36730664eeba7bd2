#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What arrives of the modules of vendors: imported, checked, built, compiled; figures by vendor.

usage: tests/benchmarks/vendors.py [--modules N] [--seed N] [--compile N] [--lib DIR]...
                                   [--without DIR]... FOLDER...

FOLDER holds a folder for each vendor. Of the N modules (600 without --modules) each vendor gives
its share, at random by the seed. Each is imported into a temporary folder; what was written is
checked and built with the default backends; of every N-th (5th) the C is compiled without output.
--lib are further folders to look for modules in; what is in the folders of --without, by the name
of the module, is not taken, and of several modules of one name one is. A module that smidump gives
nothing of is only counted, and so are objects whose OIDs smidump does not know, because a module is
missing. An object is an OBJECT-TYPE that is neither a table nor a row; it arrives when the schema
has it as an item or an index.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import yaml

from ctrgen.findings.diagnostics import Diagnostics, Severity
from ctrgen.findings.usage import UsageError
from ctrgen.frontends.smi import model, places, smidump, source
from ctrgen.pipeline import importing
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check

RUNTIME = Path(__file__).resolve().parents[2] / "runtime" / "include"
SECONDS = 120
"""Longest that anything with one module may take."""
UNREAD = ("no module", "unread", "no objects", "unrooted")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class Result:
    """What came of one module; `outcome` is `arrived`, or where it got stuck."""

    path: Path
    vendor: str
    outcome: str = "arrived"
    reason: str = ""
    objects: int = 0
    arrived: int = 0
    rootless: int = 0
    missing: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


class TooLongError(Exception):
    """A step took longer than SECONDS."""


@contextlib.contextmanager
def limited(result: Result, step: str) -> Iterator[None]:
    """Measures a step, and ends it when it takes too long."""

    def late(*_: Any) -> None:
        raise TooLongError(f"{step} took over {SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    begin = time.perf_counter()
    try:
        yield
    finally:
        signal.alarm(0)
        result.seconds[step] = time.perf_counter() - begin


def objects(module: source.Source) -> set[str]:
    """The objects that a module defines, but for tables and rows."""
    text = source.blank(module.text[module.start : module.end])
    rows = set(re.findall(r"([A-Za-z][\w-]*)\s*::=\s*SEQUENCE\b", text))
    return {
        one.name
        for one in module.definitions.values()
        if one.macro == "OBJECT-TYPE" and one.syntax not in rows and one.syntax != "SEQUENCE"
    }


def columns_and_scalars(module: model.Module) -> list[model.Object]:
    """All objects that are neither tables nor rows."""
    columns = [column for table in module.tables for column in table.columns]
    return [*module.scalars, *columns]


def small(name: str) -> str:
    """A name with a small letter first, as the import reads it."""
    return name[:1].lower() + name[1:]


def arrived(schema: dict[str, Any]) -> set[str]:
    """The names and OIDs of the objects that a schema has."""
    found: set[str] = set()
    for scope in schema["scopes"].values():
        for index in scope.get("index", ()):
            found |= {index["object"], index.get("oid", "")} if isinstance(index, dict) else {index}
        for group in ("counters", "gauges", "states"):
            for item in scope.get(group, {}).values():
                found |= {item["snmp"]["name"], item["snmp"]["oid"]}
    return found


def first_error(found: Diagnostics) -> str:
    """The first error among findings, as text."""
    for one in found.findings:
        if one.severity is Severity.ERROR:
            return f"{one.span.line}:{one.span.column}: [{one.rule}] {one.message}"
    return "no error is reported"


def run(result: Result, search: tuple[str, ...], compiles: bool) -> None:
    """Take one module all the way."""
    data = result.path.read_bytes()
    text = source.decode(data)
    found = source.modules(text, str(result.path))
    if not found:
        result.outcome = "no module"
        return
    wanted = objects(found[0])
    with limited(result, "smidump"):
        library = places.Library.at(search, None)
        before = smidump.run(text[found[0].start : found[0].end], library, found[0].imports)
    if before.module is None:
        result.outcome = "unread"
        return
    if not before.module.objects():
        result.outcome = "no objects"
        return
    rootless = {one.name for one in columns_and_scalars(before.module) if one.oid[:2] == "0."}
    result.rootless = len(wanted & rootless)
    wanted -= rootless
    if result.rootless and not wanted:
        result.outcome = "unrooted"
        return
    result.objects = len(wanted)
    with limited(result, "import"):
        schema, said = importing.run(str(result.path), search)
        if schema is None:
            result.outcome, result.reason = "import", first_error(said)
            return
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "schema.yaml"
        file.write_text(schema, "utf-8")
        have = arrived(yaml.load(schema, _LOADER))
        oids = {one.name: one.oid for one in columns_and_scalars(before.module)}
        have |= {name for name in wanted if oids.get(name) in have or small(name) in have}
        result.arrived = len(wanted & have)
        result.missing = sorted(wanted - have)
        with limited(result, "check"):
            checked = check(str(file), mib_path=search)
        if checked.module is None:
            result.outcome, result.reason = "check", first_error(checked.diagnostics)
            return
        out = Path(scratch) / "out"
        with limited(result, "build"):
            built = build(BuildRequest(str(file), str(out), mib_path=search))
        if built.exit_code:
            result.outcome, result.reason = "build", first_error(built.diagnostics)
            return
        if compiles:
            with limited(result, "gcc"):
                result.reason = compiled(out)
            result.outcome = "gcc" if result.reason else "arrived"


def compiled(folder: Path) -> str:
    """What the compiler says first of the C in a folder; nothing when that is clean."""
    sources = [path for path in sorted(folder.rglob("*.c")) if "agentx" not in path.name]
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-fsyntax-only", "-DCTR_PORT_POSIX"]
    command = ["gcc", *flags, f"-I{folder}", f"-I{RUNTIME}", *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.splitlines()[0] if done.stderr else ""


def held(folder: Path) -> Iterator[tuple[str, Path]]:
    """The first module of each file inside of the folders in a folder, by name."""
    for path in sorted(folder.glob("*/**/*")):
        heads = source.headed(source.decode(path.read_bytes())) if path.is_file() else []
        if heads:
            yield heads[0][0], path


def chosen(
    folders: list[Path], count: int, seed: int, without: list[Path]
) -> list[tuple[str, Path]]:
    """Files to take, from every vendor in turn until there are enough."""
    chance = random.Random(seed)
    vendors: dict[str, list[Path]] = {}
    taken_names = {name for folder in without for name, _ in held(folder)}
    for folder in folders:
        for name, path in held(folder):
            if name not in taken_names:
                taken_names.add(name)
                vendors.setdefault(path.relative_to(folder).parts[0].lower(), []).append(path)
    for paths in vendors.values():
        chance.shuffle(paths)
    taken: list[tuple[str, Path]] = []
    turn = 0
    while len(taken) < count and any(len(paths) > turn for paths in vendors.values()):
        taken += [(name, paths[turn]) for name, paths in vendors.items() if len(paths) > turn]
        turn += 1
    return sorted(taken[:count])


def report(results: list[Result]) -> None:
    """Print the figures by vendor, what failed and why, and the slowest."""
    print(f"{'vendor':24} {'read':>5} {'objects':>8} {'arrive':>8} {'%':>7}  stuck")
    read = [one for one in results if one.outcome not in UNREAD]
    by: dict[str, list[Result]] = {}
    for one in read:
        by.setdefault(one.vendor, []).append(one)
    for vendor, ones in [*sorted(by.items()), ("all", read)]:
        have, of = sum(one.arrived for one in ones), sum(one.objects for one in ones)
        stuck = Counter(one.outcome for one in ones if one.outcome != "arrived")
        share = 100 * have / of if of else 100.0
        print(f"{vendor:24} {len(ones):5} {of:8} {have:8} {share:7.2f}  {dict(stuck) or ''}")
    print(f"outcomes: {dict(Counter(one.outcome for one in results))}")
    print(f"objects of which a missing module has the OIDs: {sum(o.rootless for o in results)}")
    for one in read:
        if one.outcome != "arrived":
            print(f"{one.outcome}: {one.path}: {one.reason}")
        if one.missing and one.outcome != "import":
            print(f"missing: {one.path}: {len(one.missing)}: {', '.join(one.missing[:4])}")
    print("slowest:")
    for one in sorted(results, key=lambda one: -one.total)[:10]:
        parts = ", ".join(f"{step} {taken:.2f}" for step, taken in one.seconds.items())
        print(f"  {one.path.name}: {one.objects} objects: {parts} s")


def main() -> None:
    """Take modules of every vendor, and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", type=int, default=5)
    parser.add_argument("--lib", action="append", default=[])
    parser.add_argument("--without", action="append", default=[], type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    results: list[Result] = []
    files = chosen(given.folders, given.modules, given.seed, given.without)
    for number, (vendor, path) in enumerate(files):
        result = Result(path, vendor)
        search = (str(path.parent), *given.lib)
        try:
            run(result, search, number % given.compile == 0)
        except (Exception, UsageError) as error:  # what ever it is, it is a defect
            result.outcome = "traceback"
            where = traceback.extract_tb(error.__traceback__)[-1]
            file = Path(where.filename).name
            result.reason = f"{type(error).__name__}: {error} ({file}:{where.lineno})"[:300]
        results.append(result)
        if result.outcome not in ("arrived", *UNREAD) or result.total > 10:
            print(result.outcome, path, result.reason, f"{result.total:.1f} s", file=sys.stderr)
        if result.missing:
            print("missing", path, *result.missing[:9], file=sys.stderr)
    report(results)


if __name__ == "__main__":
    main()
