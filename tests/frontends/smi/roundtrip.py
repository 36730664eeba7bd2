# SPDX-License-Identifier: BSD-3-Clause
"""A schema as SMI and back, and what it means that both are the same."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ctrgen.backends import Options
from ctrgen.backends.mib import BACKEND
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.model import ir
from ctrgen.model.plain import to_json
from ctrgen.pipeline import importing
from ctrgen.pipeline.check import check
from ctrgen.publish import lock
from ctrgen.publish.assign import assign, first_of
from tests.support import smi as smi_modules


class Built(NamedTuple):
    """A schema, resolved, and its MIB module; `name` is that of its file."""

    module: ir.Module
    name: str
    text: str


def facts(module: ir.Module) -> Any:
    """All that a schema means: two schemas with the same facts give the same code and MIB.

    Left out: where things are written (lines, names of files, which file of several); the order
    of `snmp: types:`, `nodes:` and `definitions:`, which are found by name; and whether something
    that is the default was written out all the same (`snmp.written`).
    """
    found = to_json(module)
    del found["source"], found["sources"], found["snmp"]["written"]
    for key in ("types", "nodes", "identities", "definitions"):
        found["snmp"][key] = sorted(found["snmp"][key], key=str)
    return found


def build(schema: Path, reports: bool = True) -> Built:
    """A schema's module and its MIB, with the OIDs of its lock file when it has one; a new MIB
    without `reports` is as versions of ctrgen made it before modules reported of themselves."""
    checked = check(str(schema))
    assert checked.module is not None, checked.diagnostics.findings
    old = lock.load(str(schema), Diagnostics()).lock
    assigned = assign(checked.module, old) if old or reports else first_of(checked.module, False)
    options = Options("x.yaml", "", "0", False, assigned.lock)
    ((name, text),) = BACKEND.generate(checked.module, options).items()
    return Built(checked.module, name, text)


def back(built: Built, folder: Path) -> Built:
    """The schema that a MIB module is imported as, and its MIB; the files are in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / built.name).write_text(built.text, "ascii")
    text, diagnostics = importing.run(str(folder / built.name), smi_modules.base_path())
    assert text is not None, diagnostics.findings
    assert "import-lost-object" not in {finding.rule for finding in diagnostics.findings}
    schema = folder / "back.yaml"
    schema.write_text(text, "utf-8")
    return build(schema, "Health OBJECT IDENTIFIER" in built.text)


@contextlib.contextmanager
def searching(*folders: str) -> Iterator[None]:
    """Look for modules in these folders."""
    before = os.environ.get("SMIPATH")
    os.environ["SMIPATH"] = ":".join(folders)
    try:
        yield
    finally:
        del os.environ["SMIPATH"]
        if before is not None:
            os.environ["SMIPATH"] = before
