# SPDX-License-Identifier: BSD-3-Clause
"""Generated headers as text, for tests that look for functions in them."""

import re

DEFINITION = re.compile(r"^#define (\w+)\(ITEM\) +\\\n((?:.*\\\n)+.*\n)", re.MULTILINE)
COUNTER = re.compile(r"^(\w+_COUNTER\d+)\((\w+)\);$", re.MULTILINE)


def expanded(text: str) -> str:
    """A header with the functions that the macros of its counters define, line by line."""
    bodies = {
        name: re.sub(r"[ \t]*\\\n\t?", "\n", body).lstrip()
        for name, body in DEFINITION.findall(text)
    }
    return COUNTER.sub(
        lambda call: bodies[call[1]].replace("##", "").replace("ITEM", call[2]) + ";",
        DEFINITION.sub("", text),
    )
