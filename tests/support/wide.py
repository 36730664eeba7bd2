# SPDX-License-Identifier: BSD-3-Clause
"""A wide schema: 500 global counters, 10 scopes of 50, 100 updates of four operations.

Its costs are known since before indexes were checked always: `bounds: assert`.
"""

from tests.support.strategies import USUAL

GLOBAL, SCOPES, EACH, UPDATES = 500, 10, 50, 100

_HEAD = f"""\
ctrgen: 1
module: big
description: Big.
sync: {USUAL}
bounds: assert
reset: true
scopes:
  global:
    counters:
"""


def _counters(count: int) -> str:
    line = "      c{0}: {{unit: packets, description: Number of c{0}.}}\n"
    return "".join(line.format(n) for n in range(count))


def _update(n: int) -> str:
    """Two counters of the global scope, and two that are next to each other of another."""
    scope, first = n % SCOPES, n * 3 % EACH
    return (
        f"  u{n}:\n    args: {{size: uint16}}\n    add:\n"
        f"      global.c{2 * n}: 1\n      global.c{2 * n + 1}: size\n"
        f"      s{scope}.c{first}: 1\n      s{scope}.c{(first + 1) % EACH}: size\n"
    )


def schema() -> str:
    """Its text."""
    scopes = "".join(
        f"  s{n}:\n    max: 16\n    counters:\n{_counters(EACH)}" for n in range(SCOPES)
    )
    updates = "".join(_update(n) for n in range(UPDATES))
    return f"{_HEAD}{_counters(GLOBAL)}{scopes}updates:\n{updates}"


def halves() -> str:
    """The text of another one: 500 counters in each of two scopes, 100 updates of both."""
    updates = "".join(
        f"  u{n}:\n    args: {{size: uint16}}\n    add:\n"
        f"      global.c{2 * n}: 1\n      global.c{2 * n + 1}: size\n"
        f"      session.c{2 * n}: 1\n      session.c{2 * n + 1}: size\n"
        for n in range(UPDATES)
    )
    counters = _counters(GLOBAL)
    return (
        f"{_HEAD}{counters}  session:\n    max: 1000\n    counters:\n{counters}updates:\n{updates}"
    )


def update(arguments: int) -> str:
    """The text of a schema with an update of so many arguments, each for a counter of its own."""
    numbers = range(arguments)
    counter = "      c{0}: {{unit: units, description: Of an argument.}}\n"
    return (
        "ctrgen: 1\nmodule: wide\ndescription: A wide update.\npoll: application\nscopes:\n"
        f"  global:\n    counters:\n{''.join(counter.format(n) for n in numbers)}updates:\n"
        "  one:\n    description: Add to one counter.\n    add: {global.c0: 1}\n"
        "  all:\n    description: Add to all counters.\n"
        f"    args: {{{', '.join(f'a{n}: uint64' for n in numbers)}}}\n"
        f"    add: {{{', '.join(f'global.c{n}: a{n}' for n in numbers)}}}\n"
    )
