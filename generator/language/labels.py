# SPDX-License-Identifier: BSD-3-Clause
"""Names of the values of an enumeration."""

from __future__ import annotations

from typing import Annotated

from pydantic import Discriminator, Field, Tag

from ..model.types import INT32
from .base import Expected, shape

LabelValue = Annotated[int, Field(ge=INT32[0], le=INT32[1])]
Labels = Annotated[
    Annotated[dict[str, LabelValue], Tag("mapping")] | Annotated[list[str], Tag("list")],
    Discriminator(shape),
    Expected("a list of names, or a mapping of names to numbers"),
]
