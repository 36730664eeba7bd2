# SPDX-License-Identifier: BSD-3-Clause
"""How many objects of vendors' modules are imported, and which are lost.

usage: python -m tests.benchmarks.vendors [--modules N] [--lib DIR]... FOLDER...

FOLDER holds a folder for each vendor, or files: then the first word of a module's name is its
vendor. The largest module of each vendor with 20 to 600 objects is imported, of the N (400) that
are the largest. --lib are further folders to look for modules in; of several modules of one name
one is taken.

An object is an OBJECT-TYPE in the text that is neither a table nor a row: what anyone gets who
corrects the module by hand. It arrives when the schema has it as an item or an index, by the name
that the findings say. Each module that loses some is a line; `ctrgen import` says why.

The figures of docs/mib.md are from two public collections:

    tests/benchmarks/vendors.py --lib snmp_mib_archive --lib librenms-mibs librenms-mibs \
        snmp_mib_archive

Of the 762 objects lost, 524 are in a module of which smidump writes too much, 127 in two whose
root cannot be resolved, and 81 in tables inside of other tables.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.frontends.smi import source
from ctrgen.pipeline import importing

SIZES = range(20, 601)
"""How many objects modules have that are taken for their size."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


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


def renamed(said: Diagnostics) -> dict[str, str]:
    """The names that objects have got, by those that they had."""
    called = [one.message for one in said.findings if "called" in one.message]
    pairs = [re.findall("'([^']*)'", message)[:2] for message in called]
    return {plain(pair[0]): plain(pair[1]) for pair in pairs if len(pair) == 2}


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


def lost(path: Path, search: tuple[str, ...]) -> tuple[int, list[str]]:
    """Import a module: how many objects it has, and which do not arrive."""
    module = source.modules(source.decode(path.read_bytes()), str(path))[0]
    wanted = objects(module)
    schema, said = importing.run(str(path), search)
    if schema is None:
        return len(wanted), sorted(wanted)
    have, names = arrived(yaml.load(schema, _LOADER)), renamed(said)
    left = [name for name in wanted if not {plain(name), names.get(plain(name))} & have]
    return len(wanted), sorted(left)


def main() -> None:
    """Take the largest module of each vendor, and print what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", type=int, default=400)
    parser.add_argument("--lib", action="append", default=[])
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    total = arrive = 0
    chosen = largest(by_vendor(given.folders), given.modules)
    for vendor_of, path in chosen:
        count, missing = lost(path, (str(path.parent), *given.lib))
        total, arrive = total + count, arrive + count - len(missing)
        if missing:
            print(f"{vendor_of}: {path}: {len(missing)} of {count}: {', '.join(missing[:9])}")
    share = 100 * arrive / total if total else 100.0
    print(f"{arrive:,} of {total:,} objects of {len(chosen)} vendors ({share:.1f} %) arrive")


if __name__ == "__main__":
    main()
