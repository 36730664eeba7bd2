# SPDX-License-Identifier: BSD-3-Clause
"""Where a counter is in the application, in the words of the patches of runtime/cocci."""

from __future__ import annotations

import re
from dataclasses import dataclass

LCORES = re.compile(
    r".*(?:MAX_LCORE|MAX_THREADS?|NUM_LCORES?|MAX_CORES?|MAX_WORKERS?)\w*(?: *\+ *1)?"
)
"""Sizes of arrays with an element for each lcore."""


@dataclass(frozen=True)
class Origin:
    """A member of what a variable or, where it is an object, a member of others is: `where` is what
    patches take, "" where none does; `tag` the struct of an object."""

    where: str
    variable: str
    path: tuple[str, ...]
    tag: str = ""

    @property
    def member(self) -> str:
        """What patches call it."""
        return "_".join(self.path)

    def __str__(self) -> str:
        return ".".join((self.variable, *self.path))


def of_array(
    variable: str, sizes: tuple[str, ...], path: tuple[str, ...], inner: tuple[str, ...]
) -> Origin:
    """Of a variable with arrays of such sizes, and of such sizes in the member."""
    where = ""
    if not inner and len(path) == 1 and len(sizes) < 2:
        where = "variable" if not sizes else "lcore" if LCORES.fullmatch(sizes[0]) else "array"
    elif not sizes and not inner and len(path) == 2:
        where = "parts"
    elif not sizes and len(inner) == 1 and len(path) == 1 and not LCORES.fullmatch(inner[0]):
        where = "columns"
    return Origin(where, variable, path)
