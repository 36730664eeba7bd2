# SPDX-License-Identifier: BSD-3-Clause
"""What `ctrgen adopt` writes of a proposal: the schema, the script of patches, the report."""

import shlex
from collections.abc import Sequence

from ...model.naming.symbols import prefix
from ...output.render import render
from ...output.tables import grid
from .propose import Proposal

HEAD = ("place", "name", "pattern", "fields", "verdict", "what to do")
USUAL = "run the script of --patches"


def schema(found: Proposal) -> str:
    """The proposed schema in YAML."""
    return render("adopt/schema.yaml.j2", p=found)


def patches(found: Proposal, files: Sequence[str]) -> str:
    """A shell script that puts calls in place of the adds in these files."""
    known = {"prefix": prefix(found.module), "files": shlex.join(files)}
    return render("adopt/patches.sh.j2", p=found, **known)


def report(found: Proposal, terminal: bool) -> str:
    """All candidates: a table for a `terminal`, else a line for each with tabs in between."""
    rows = [
        (
            str(s.place),
            s.name,
            s.pattern,
            ", ".join(s.fields),
            s.verdict,
            s.todo or (s.fields and USUAL) or "nothing",
        )
        for s in found.seen
    ]
    if terminal:
        return grid(HEAD, rows)
    return "".join("\t".join(row) + "\n" for row in (HEAD, *rows))
