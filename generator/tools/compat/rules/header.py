# SPDX-License-Identifier: BSD-3-Clause
"""Whether the header has changed where other rules find nothing that breaks objects."""

import re

from ....backends import Options
from ....backends.c import BACKEND
from ....model import ir
from ..model import WARNING, changes
from ..pairs import Change, Changes, Comparison

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@changes(
    ("header-changed", WARNING, "c-abi",
     "Structs, storage, bounds or inline code of the header have changed.",
     "Rebuild what includes the header."),
)  # fmt: skip
def header(c: Comparison) -> Changes:
    if "c-abi" not in c.broken and _header(c.old) != _header(c.new):
        message = f"the header of module '{c.new.name}' has changed"
        yield Change("header-changed", c.new.span, c.new.name, message)


def _header(module: ir.Module) -> list[str]:
    """The generated header, without comments."""
    files = BACKEND.generate(module, Options("", "", ""))
    return [_COMMENT.sub("", text) for name, text in sorted(files.items()) if name.endswith(".h")]
