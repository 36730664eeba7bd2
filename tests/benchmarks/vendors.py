# SPDX-License-Identifier: BSD-3-Clause
"""What arrives of the modules of vendors when they are imported; what was lost, by kind.

usage: python -m tests.benchmarks.vendors [--modules N] [--lib DIR]... FOLDER...

FOLDER holds a folder for each vendor, or files: then the first word of a module's name is its
vendor. The largest module of each vendor with 20 to 600 objects is imported, of the N (400) that
are the largest. --lib are further folders to look for modules in; of several modules of one name
one is taken.

An object is an OBJECT-TYPE in the text that is neither a table nor a row: what anyone gets who
corrects the module by hand. It arrives when the schema has it as an item or an index, by the name
that the findings say. What is lost is listed by what the finding at the object says, or that at the
module where it gives nothing.

The figures of docs/mib.md are from two public collections:

    tests/benchmarks/vendors.py --lib snmp_mib_archive --lib librenms-mibs librenms-mibs \
        snmp_mib_archive

Of the 762 objects lost, 524 are in a module of which smidump writes too much, 127 in two whose
root cannot be resolved, and 81 in tables inside of other tables.
"""

import argparse
import re
import sys
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
    seconds: float = 0


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


def run(result: Result, search: tuple[str, ...]) -> None:
    """Import one module, and count what arrives."""
    text = source.decode(result.path.read_bytes())
    module = source.modules(text, str(result.path))[0]
    wanted = objects(module)
    result.objects, result.missing = len(wanted), sorted(wanted)
    begin = time.perf_counter()
    schema, said = importing.run(str(result.path), search)
    result.seconds = time.perf_counter() - begin
    if schema is None:
        result.outcome, result.reason = "import", first_error(said)
    else:
        have, names = arrived(yaml.load(schema, _LOADER)), renamed(said)
        result.missing = [n for n in result.missing if not {plain(n), names.get(plain(n))} & have]
        result.arrived = len(wanted) - len(result.missing)
    result.kinds = kinds({*result.missing}, module, said)


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


def by_vendor(folders: list[Path]) -> dict[str, list[Path]]:
    """The files of each vendor."""
    vendors: dict[str, list[Path]] = {}
    taken: set[str] = set()
    for folder in folders:
        for name, path in held(folder):
            if name not in taken:
                taken.add(name)
                vendors.setdefault(vendor(folder, name, path), []).append(path)
    return vendors


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
    for one in sorted(results, key=lambda one: -one.seconds)[:10]:
        print(f"  {one.path.name}: {one.objects} objects: {one.seconds:.2f} s")


def main() -> None:
    """Take the largest module of each vendor, and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", type=int, default=400)
    parser.add_argument("--lib", action="append", default=[])
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    results: list[Result] = []
    for name, path in largest(by_vendor(given.folders), given.modules):
        result = Result(path, name)
        try:
            run(result, (str(path.parent), *given.lib))
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
