# SPDX-License-Identifier: BSD-3-Clause
"""What of a schema has a place in the MIB: the keys of a lock file, as objects."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_TEXT = re.compile(r"([^./:]*)(?:\.([^/:]+))?(?:/([^:]+))?(?::(.+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Key:
    """Names a thing of the MIB by what of the schema it stands for.

    `scope` and `item` are names of the schema, empty for what belongs to none. `role` is what
    the thing is to them (`table`, `entry`, `index`, `low` ...), empty for the object of an item
    and for the groups of a scope. `name` tells several things of a role apart: index objects,
    types, groups by status.

    As text: `session.pkts`, `session/table`, `session/index:ifIndex`, `/type:EpPercent`.
    """

    scope: str = ""
    item: str = ""
    role: str = ""
    name: str = ""

    def __str__(self) -> str:
        parts = ((".", self.item), ("/", self.role), (":", self.name))
        return self.scope + "".join(mark + part for mark, part in parts if part)

    @classmethod
    def parse(cls, text: str) -> Key:
        """The key of a text; one that ctrgen never wrote is a scope of that name."""
        match = _TEXT.fullmatch(text)
        return cls(*(part or "" for part in match.groups())) if match else cls(text)

    def part(self, role: str, name: str = "") -> Key:
        """The key of something that belongs to the same item, or the same scope."""
        return replace(self, role=role, name=name)
