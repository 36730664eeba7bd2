# SPDX-License-Identifier: BSD-3-Clause
"""Planted bugs in what RFC 4181 asks of a module, and what is seen of each."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mib.repository import revised
from tests.mib.test_doctor import OPTIONAL, SCHEMA, child
from tests.mib.test_earlier import HERE, OLD
from tests.support.planted import PROJECT, Edit, Tree, planted

MIB = "generator/publish"


def module(folder: Path, tree: Tree, *texts: str) -> str:
    """The module on one line, after builds of one text after the other with their lock file."""
    schema = folder / "ep.yaml"
    for text in texts:
        schema.write_text(text, "utf-8")
        tree.succeed("build", schema, "-o", folder / "out", "--only", "mib")
    (made,) = (folder / "out").glob("*.txt")
    return " ".join(made.read_text("ascii").split())


def own(folder: Path, tree: Tree) -> str:
    return module(folder, tree, SCHEMA)


def later_optional(folder: Path, tree: Tree) -> str:
    return module(folder, tree, SCHEMA.replace(OPTIONAL, ""), revised(SCHEMA, "2026-02-01"))


def below(folder: Path, tree: Tree) -> str:
    return module(folder, tree, child(folder, "ep", 1).read_text("utf-8"))


def earlier(folder: Path, tree: Tree) -> str:
    """The lock file of a module that was published by an earlier version, after a build; nothing
    if that is refused."""
    for path in HERE.iterdir():
        shutil.copy(path, folder)
    done = tree.run("build", folder / "earlier.yaml", "-o", folder / "out", "--only", "mib")
    return "" if done.returncode else (folder / "earlier.ctrgen.lock").read_text("utf-8")


class Seen(NamedTuple):
    """A bug in a file, what is built with it, and what that no longer has."""

    file: str
    old: str
    new: str
    built: Callable[[Path, Tree], str]
    said: str


CHANGES = f"{MIB}/changes.py"
BUGS = {
    "published-types-change": Seen(
        CHANGES, "elif before.syntax == syntax:", "elif not before:", earlier, OLD.decode()
    ),
    "rows-change-without-a-revision": Seen(
        CHANGES, "== description and not revised", "!= description", earlier, OLD.decode()
    ),
    "rows-say-nothing": Seen(
        f"{MIB}/text.py", 'return " ".join(found)', "return said", own,
        "A row appears when the application creates the flow, and vanishes with it.",
    ),
    "rows-of-parents-are-unknown": Seen(
        f"{MIB}/text.py", "    if above:", "    if not above:", own, "the row of epPortEntry"
    ),
    "no-type-of-ipv4": Seen(
        f"{MIB}/members.py", "if item.value_type.family and", 'if item.type == "ipv6" and', own,
        "epStatsAddressType OBJECT-TYPE SYNTAX InetAddressType",
    ),
    "ranges-begin-at-0": Seen(
        f"{MIB}/members.py", '"{} ({}..{})"', '"{0} (0..{2})"', own, "Integer32 (-40..120)"
    ),
    "optional-is-mandatory": Seen(
        f"{MIB}/assign.py", "if home.optional else set()", "if home is None else set()", own,
        "GROUP epQueueGroup DESCRIPTION",
    ),
    "a-published-compliance-changes": Seen(
        f"{MIB}/assign.py", " and {*newest.optional} == {*optional}", "", later_optional,
        "epStatsCompliance2 MODULE-COMPLIANCE STATUS current",
    ),
    "named-groups-are-those-of-scopes": Seen(
        f"{MIB}/groups.py", "if spec.group else", "if not spec else", own,
        "OBJECTS { epStatsVolts, epStatsTemp } STATUS",
    ),
    "no-refinements": Seen(
        f"{MIB}/assign.py", "entry.name for entry in families if", "'' for entry in () if", own,
        "OBJECT epStatsAddressType SYNTAX InetAddressType { ipv4(1) }",
    ),
    "no-references-of-items": Seen(
        "generator/backends/mib.py", 'own.get("reference", "")', '""', own, 'REFERENCE "RFC 2, 3.1"'
    ),
    "labels-are-numbered-from-0": Seen(
        f"{MIB}/objects.py", "label.value + 1", "label.value", own,
        "INTEGER { vlan(1), ttl(2) }",
    ),
    "the-parent-is-not-imported": Seen(
        "generator/backends/mib.py", "if above and oid ==", "if not above and oid ==", below,
        "acmeStats FROM ACME-SMI",
    ),
}  # fmt: skip


@pytest.mark.one_in(18)
@pytest.mark.parametrize("name", sorted(BUGS))
def test_a_planted_bug_is_seen(name: str, tmp_path: Path) -> None:
    bug = BUGS[name]
    edit = Edit(bug.file, bug.old, bug.new)
    for number, tree in enumerate((PROJECT, planted(tmp_path / "tree", [edit]))):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert (bug.said in bug.built(folder, tree)) == (number == 0)
