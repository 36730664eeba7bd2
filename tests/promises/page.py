# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/trust.md, each between the lines that name it and `<!-- end -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tests.promises import others, proofs, runtime
from tests.support.paths import DOCS

PAGE = DOCS / "trust.md"
PARTS = {
    "proofs": proofs.table,
    "runtime": runtime.table,
    "bugs": proofs.bugs,
    "others": others.table,
}

_PART = re.compile(r"^(<!-- tested: (\w+) -->\n).*?^(<!-- end -->)$", re.DOTALL | re.MULTILINE)


def filled(text: str, parts: Mapping[str, Callable[[], str]] = PARTS) -> str:
    """A page with its tables made again, each by the function of its name."""
    return _PART.sub(lambda m: f"{m[1]}\n{parts[m[2]]()}\n\n{m[3]}", text)


def without_seconds(text: str) -> str:
    """A page without the last column of the table of bugs: times differ between machines."""
    return re.sub(r"\| [\d.?]+ \|$", "|", text, flags=re.MULTILINE)
