# SPDX-License-Identifier: BSD-3-Clause
"""Values that are computed at their first use."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """`functools.cached_property` without the lock that it takes before Python 3.12, which is
        most of what it costs. Not for objects that several threads share."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """The value, which then shadows this descriptor in the object."""
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value
