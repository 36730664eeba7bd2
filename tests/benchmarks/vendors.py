# SPDX-License-Identifier: BSD-3-Clause
"""What arrives of the modules of vendors: imported, checked, built, compiled; what was lost, by
kind.

usage: python -m tests.benchmarks.vendors [--modules N] [--seed N] [--largest] [--compile N]
                                   [--lib DIR]... [--without DIR]... [--only-import] FOLDER...

FOLDER holds a folder for each vendor, or files: then the first word of a module's name is its
vendor. Of the N modules (600 without --modules) each vendor gives its share, at random by the seed;
with --largest one, the largest with 20 to 600 objects. Each is imported into a temporary folder;
what was written is checked and built with the default backends, and of every N-th (5th) the C is
compiled without output; none of it with --only-import. --lib are further folders to look for
modules in; what is in the folders of --without, by the name of the module, is not taken, and of
several modules of one name one is.

An object is an OBJECT-TYPE in the text that is neither a table nor a row: what anyone gets who
corrects the module by hand. It arrives when the schema has it as an item or an index, by the name
that the findings say. What is lost is listed by what the finding at the object says, or that at the
module where it gives nothing.

The figures of docs/mib.md are from two public collections:

    tests/benchmarks/vendors.py --modules 400 --largest --only-import --lib snmp_mib_archive \
        --lib librenms-mibs librenms-mibs snmp_mib_archive

Of the 762 objects lost, 524 are in a module of which smidump writes too much, 127 in two whose
root cannot be resolved, and 81 in tables inside of other tables.
"""

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

import yaml

from ctrgen.findings.diagnostics import Diagnostics, Severity
from ctrgen.findings.usage import UsageError
from ctrgen.frontends.smi import source
from ctrgen.pipeline import importing
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check

RUNTIME = Path(__file__).resolve().parents[2] / "runtime" / "include"
SECONDS = 120
"""Longest that anything with one module may take."""
SIZES = range(20, 601)
"""How many objects modules have that are taken for their size."""
LOSSES = ("import-lost-object", "import-left-out")
"""Rules whose findings say that an object is lost."""
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
    missing: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
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
    rows = {name.lower() for name in re.findall(r"([A-Za-z][\w-]*)\s*::=\s*SEQUENCE\b", text)}
    of_type = [one for one in module.definitions.values() if one.macro == "OBJECT-TYPE"]
    return {one.name for one in of_type if one.syntax.lower() not in {*rows, "sequence"}}


def plain(name: str) -> str:
    """A name without what the import may change in it."""
    return re.sub("[_-]", "", name).lower()


def arrived(schema: dict[str, Any]) -> set[str]:
    """The plain names of the objects that a schema has."""
    found: set[str] = set()
    for scope in schema["scopes"].values():
        for index in scope.get("index", ()):
            found.add(plain(index["object"] if isinstance(index, dict) else index))
        for group in ("counters", "gauges", "states"):
            found |= {plain(item["snmp"]["name"]) for item in scope.get(group, {}).values()}
    return found


def kinds(wanted: set[str], module: source.Source, said: Diagnostics) -> Counter[str]:
    """Why objects are not there, each by the finding at it, or else by that of the module."""
    at: dict[int, str] = {}
    for one in sorted(said.findings, key=lambda one: one.rule not in LOSSES):
        message = re.sub("'[^']*'", "*", re.sub("[0-9.]{4,}", "N", one.message))
        at.setdefault(one.span.line, f"{one.rule}: {message}")
    whole = at.get(module.span_of("").line, "nothing is said")
    return Counter(at.get(module.span_of(name).line, whole) for name in wanted)


def renamed(said: Diagnostics) -> dict[str, str]:
    """The names that objects have got, by those that they had."""
    called = [one.message for one in said.findings if "called" in one.message]
    pairs = [re.findall("'([^']*)'", message)[:2] for message in called]
    return {plain(pair[0]): plain(pair[1]) for pair in pairs if len(pair) == 2}


def first_error(found: Diagnostics) -> str:
    """The first error among findings, as text."""
    for one in found.findings:
        if one.severity is Severity.ERROR:
            return f"{one.span.line}:{one.span.column}: [{one.rule}] {one.message}"
    return "no error is reported"


def run(result: Result, search: tuple[str, ...]) -> str | None:
    """Import one module, and count what arrives; the schema."""
    text = source.decode(result.path.read_bytes())
    module = source.modules(text, str(result.path))[0]
    wanted = objects(module)
    result.objects, result.missing = len(wanted), sorted(wanted)
    with limited(result, "import"):
        schema, said = importing.run(str(result.path), search)
    if schema is None:
        result.outcome, result.reason = "import", first_error(said)
    else:
        have, names = arrived(yaml.load(schema, _LOADER)), renamed(said)
        result.missing = [n for n in result.missing if not {plain(n), names.get(plain(n))} & have]
        result.arrived = len(wanted) - len(result.missing)
    result.kinds = kinds({*result.missing}, module, said)
    return schema


def used(schema: str, result: Result, search: tuple[str, ...], compiles: bool) -> None:
    """Check a schema, build it, and compile what was built."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "schema.yaml"
        file.write_text(schema, "utf-8")
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
        elif compiles:
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
    """The first module of each file in a folder and those inside, by name."""
    for path in sorted(folder.glob("**/*")):
        heads = source.headed(source.decode(path.read_bytes())) if path.is_file() else []
        if heads:
            yield heads[0][0], path


def vendor(folder: Path, name: str, path: Path) -> str:
    """The vendor of a module in a folder."""
    inside = path.relative_to(folder).parts[:-1]
    return (inside[0] if inside else name.partition("-")[0]).lower()


def size(path: Path) -> int:
    """About how many objects are in a file."""
    return len(re.findall(rb"\bOBJECT-TYPE\s+SYNTAX\b", path.read_bytes()))


def by_vendor(folders: list[Path], without: list[Path]) -> dict[str, list[Path]]:
    """The files of each vendor."""
    vendors: dict[str, list[Path]] = {}
    taken_names = {name for folder in without for name, _ in held(folder)}
    for folder in folders:
        for name, path in held(folder):
            if name not in taken_names:
                taken_names.add(name)
                vendors.setdefault(vendor(folder, name, path), []).append(path)
    return vendors


def chosen(vendors: dict[str, list[Path]], count: int, seed: int) -> list[tuple[str, Path]]:
    """Files to take, from every vendor in turn until there are enough."""
    chance = random.Random(seed)
    for paths in vendors.values():
        chance.shuffle(paths)
    taken: list[tuple[str, Path]] = []
    turn = 0
    while len(taken) < count and any(len(paths) > turn for paths in vendors.values()):
        taken += [(name, paths[turn]) for name, paths in vendors.items() if len(paths) > turn]
        turn += 1
    return sorted(taken[:count])


def largest(vendors: dict[str, list[Path]], count: int) -> list[tuple[str, Path]]:
    """The largest file of each vendor, of those of a common size; the largest of these."""
    sizes = {name: [(size(path), path) for path in paths] for name, paths in vendors.items()}
    fit = {name: [pair for pair in pairs if pair[0] in SIZES] for name, pairs in sizes.items()}
    found = sorted(((max(pairs), name) for name, pairs in fit.items() if pairs), reverse=True)
    return sorted((name, path) for (_, path), name in found[:count])


def report(results: list[Result]) -> None:
    """Print the figures by vendor, what failed and why, what was lost, and the slowest."""
    print(f"{'vendor':24} {'modules':>7} {'objects':>8} {'arrive':>8} {'%':>7}  stuck")
    by: dict[str, list[Result]] = {}
    for one in results:
        by.setdefault(one.vendor, []).append(one)
    for name, ones in [*sorted(by.items()), ("all", results)]:
        have, of = sum(one.arrived for one in ones), sum(one.objects for one in ones)
        stuck = Counter(one.outcome for one in ones if one.outcome != "arrived")
        share = 100 * have / of if of else 100.0
        print(f"{name:24} {len(ones):7} {of:8} {have:8} {share:7.2f}  {dict(stuck) or ''}")
    print(f"outcomes: {dict(Counter(one.outcome for one in results))}")
    for one in results:
        if one.outcome != "arrived":
            print(f"{one.outcome}: {one.path}: {one.reason}")
        if one.missing:
            print(f"missing: {one.path}: {len(one.missing)}: {', '.join(one.missing[:4])}")
    print("lost, by kind:")
    for kind, number in sum((one.kinds for one in results), Counter[str]()).most_common():
        print(f"  {number:6}  {kind}")
    print("slowest:")
    for one in sorted(results, key=lambda one: -one.total)[:10]:
        parts = ", ".join(f"{step} {taken:.2f}" for step, taken in one.seconds.items())
        print(f"  {one.path.name}: {one.objects} objects: {parts} s")


def main() -> None:
    """Take modules of every vendor, and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", action="store_true")
    parser.add_argument("--compile", type=int, default=5)
    parser.add_argument("--only-import", action="store_true")
    parser.add_argument("--lib", action="append", default=[])
    parser.add_argument("--without", action="append", default=[], type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    results: list[Result] = []
    vendors = by_vendor(given.folders, given.without)
    count = given.modules
    files = largest(vendors, count) if given.largest else chosen(vendors, count, given.seed)
    for number, (name, path) in enumerate(files):
        result = Result(path, name)
        search = (str(path.parent), *given.lib)
        try:
            schema = run(result, search)
            if schema is not None and not given.only_import:
                used(schema, result, search, number % given.compile == 0)
        except (Exception, UsageError) as error:  # what ever it is, it is a defect
            result.outcome = "traceback"
            where = traceback.extract_tb(error.__traceback__)[-1]
            file = Path(where.filename).name
            result.reason = f"{type(error).__name__}: {error} ({file}:{where.lineno})"[:300]
        results.append(result)
        if result.missing or result.outcome != "arrived":
            print(result.outcome, path, result.reason, *result.missing[:9], file=sys.stderr)
    report(results)


if __name__ == "__main__":
    main()
