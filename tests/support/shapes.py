# SPDX-License-Identifier: BSD-3-Clause
"""Large schemas, whose builds are to stay quick: tests/figures counts their calls."""

from typing import NamedTuple


def module(counters: int, scopes: int, updates: int) -> str:
    """A schema of so many counters in so many scopes, and updates of eight of them each."""
    each = counters // scopes
    text = "ctrgen: 1\nmodule: big\ndescription: Big.\nscopes:\n"
    for scope in range(scopes):
        text += f"  s{scope}:\n    max: 8\n    counters:\n"
        names = (f"c{n}" for n in range(each))
        text += "".join(f"      {n}: {{unit: packets, description: Number {n}.}}\n" for n in names)
    text += "updates:\n" if updates else ""
    for update in range(updates):
        text += f"  u{update}:\n    args: {{size: uint16}}\n    add:\n"
        operations = range(8 * update, 8 * update + 8)
        text += "".join(
            f"      s{(update + n // 4) % scopes}.c{n % each}: {'size' if n % 2 else 1}\n"
            for n in operations
        )
    return text


class Shape(NamedTuple):
    """How large a schema is."""

    counters: int
    scopes: int
    updates: int

    def schema(self) -> str:
        """Its text."""
        return module(self.counters, self.scopes, self.updates)


SHAPES = {
    "counters": Shape(1_000, 1, 0),
    "scopes": Shape(1_000, 50, 0),
    "updates": Shape(400, 2, 200),
}
