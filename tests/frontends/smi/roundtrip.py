# SPDX-License-Identifier: BSD-3-Clause
"""A schema as SMI."""

from pathlib import Path
from typing import NamedTuple

from ctrgen.backends import Options
from ctrgen.backends.mib import BACKEND
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.model import ir
from ctrgen.pipeline.check import check
from ctrgen.publish import lock
from ctrgen.publish.assign import assign


class Built(NamedTuple):
    """A schema, resolved, and its MIB module; `name` is that of its file."""

    module: ir.Module
    name: str
    text: str


def build(schema: Path) -> Built:
    """A schema's module and its MIB, with the OIDs of its lock file when it has one."""
    checked = check(str(schema))
    assert checked.module is not None, checked.diagnostics.findings
    old = lock.load(str(schema), Diagnostics()).lock
    assigned = assign(checked.module, old)
    options = Options("x.yaml", "", "0", False, assigned.lock)
    ((name, text),) = BACKEND.generate(checked.module, options).items()
    return Built(checked.module, name, text)
