# SPDX-License-Identifier: BSD-3-Clause
"""Checks the OID of a module against the node of another module that it is below."""

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
    """Report a parent whose OID is not right above that of the module.

    `schema` is the path of the schema. A module or node that is not found is a note.
    """
    module, _, node = snmp.parent.partition("::")
    path = Path(schema)
    home = path.resolve().parent if path.is_file() else None
    file = find(module, mib_path, home)
    if file is None:
        message = f"module '{module}' is not found: the OID of '{node}' is unknown"
        diagnostics.report("parent-unknown", snmp.span, message, places.source_of(module))
        return
    diagnostics.files[str(file)] = None
    library = places.Library.at(mib_path, home)
    other = reading.read(module, file, library)
    oid = other.nodes.get(node) if other is not None else None
    above = snmp.oid.rpartition(".")[0]
    if oid is None or oid.startswith("0."):
        message = f"module '{module}' ({file.name}) has no node '{node}'"
        diagnostics.report("parent-unknown", snmp.span, message)
    elif oid != above:
        message = f"'{node}' of '{module}' is {oid}, and the module would be below {above}"
        number = snmp.oid.rpartition(".")[2]
        hint = f"write `oid: {oid}.{number}`, or what gives that by `enterprise` and `arc`"
        diagnostics.report("parent-oid", snmp.span, message, hint)
