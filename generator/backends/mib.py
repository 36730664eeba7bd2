# SPDX-License-Identifier: BSD-3-Clause
"""The SMIv2 module: names, types and OIDs for SNMP managers."""

from ..model import ir
from ..model.naming import smi
from ..output.render import render
from ..publish import carried, text
from ..publish.assign import assign, has_history
from ..publish.lock import text as text_of
from ..publish.view import view
from . import BuiltIn, Options, in_short


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The module; nothing when the schema has, and had, nothing to put there."""
    lock = options.lock or assign(module, None).lock
    if not any(entry.kind == "object" for entry in lock.entries):
        return {}
    rendered = render(
        "mib/module.txt.j2", options=options, m=module, lock=lock, draft=text.DRAFT,
        source=smi.comment(options.source), **view(module, lock),
    )  # fmt: skip
    if options.schema is not None and module.snmp.comments == "schema":
        kept = text_of(lock, options.source) if has_history(module, lock) else ""
        rendered = carried.annotated(rendered, options.schema, kept)
    return {f"{lock.name}.txt": rendered}


BACKEND = BuiltIn("mib", in_short(__doc__), generate, uses_lock=True)
