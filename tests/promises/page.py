# SPDX-License-Identifier: BSD-3-Clause
"""Tested tables of a page, each between the line that names it and `<!-- end -->`."""

import re
from collections.abc import Callable, Mapping

_PART = re.compile(r"^(<!-- tested: (\w+) -->\n).*?^(<!-- end -->)$", re.DOTALL | re.MULTILINE)


def filled(text: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with its tables written again, each by the function of its name."""
    return _PART.sub(lambda m: f"{m[1]}\n{parts[m[2]]()}\n\n{m[3]}", text)
