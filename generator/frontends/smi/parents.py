# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of other modules that a module is below: whether their OIDs are what the schema says."""

from __future__ import annotations

from pathlib import Path

from ...findings.diagnostics import Diagnostics, Severity, declare
from ...model import ir
from . import find, places, reading

declare(
    "parent-oid",
    Severity.ERROR,
    "A module is where the module of its `parent` has that, and one number below.",
)
declare("parent-unknown", Severity.NOTE, "The module that defines the `parent` is at hand.")


def check(snmp: ir.Snmp, schema: str, mib_path: tuple[str, ...], diagnostics: Diagnostics) -> None:
    """Report a parent whose OID, by the module that defines it, is not right above the schema's.

    `schema` is the path of that. A module that is not found, or does not have the node, is noted.
    """
    module, _, node = snmp.parent.partition("::")
    path = Path(schema)
    home = path.resolve().parent if path.is_file() else None
    file = find(module, mib_path, home)
    if file is None:
        message = f"module '{module}' is not found: nothing tells the OID of '{node}'"
        diagnostics.report("parent-unknown", snmp.span, message, places.source_of(module))
        return
    diagnostics.files[str(file)] = None
    library = places.Library.at(mib_path, home)
    oid = _nodes(module, file, library).get(node) or _nodes(module, file, library, True).get(node)
    above = snmp.oid.rpartition(".")[0]
    if oid is None:
        message = f"module '{module}' ({file.name}) has no node '{node}'"
        diagnostics.report("parent-unknown", snmp.span, message)
    elif oid != above:
        message = f"'{node}' of '{module}' is {oid}, and the module would be below {above}"
        number = snmp.oid.rpartition(".")[2]
        hint = f"write `oid: {oid}.{number}`, or what gives that by `enterprise` and `arc`"
        diagnostics.report("parent-oid", snmp.span, message, hint)


def _nodes(name: str, file: Path, library: places.Library, mended: bool = False) -> dict[str, str]:
    """The nodes of a module by name, `mended` without what flaws it has; none of one that nothing
    can read."""
    module = reading.read(name, file, library, mended)
    nodes = module.nodes if module is not None else {}
    return {node: oid for node, oid in nodes.items() if not oid.startswith("0.")}
