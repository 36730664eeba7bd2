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
        return "_".join(self.path) or self.variable

    def __str__(self) -> str:
        return ".".join((self.variable, *self.path))
