# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.models`: has GenMC check every model with and without its bugs, and
keeps the verdicts in docs/models.md current. Minutes.
"""

from __future__ import annotations

import sys

from tests.models import genmc, page
from tests.models.catalogue import CASES
from tests.promises.page import filled


def main() -> int:
    """Run all; 1 when a verdict is not the one demanded, 2 when there is no GenMC."""
    if not genmc.have():
        print("no genmc on the PATH; docs/models.md says how to build it", file=sys.stderr)
        return 2
    found: dict[str, genmc.Verdict] = {}
    wrong = 0
    for case in CASES:
        found[case.name] = verdict = genmc.verdict(case)
        print(f"{verdict.says:>6} {verdict.executions:>6} {verdict.seconds:>6.1f} s  {case.name}")
        if verdict.says != case.demanded:
            wrong += 1
            print(f"demanded was {case.demanded}:\n{verdict.output}", file=sys.stderr)
    if not wrong:
        page.record(genmc.version(), found)
        page.PAGE.write_text(filled(page.PAGE.read_text("utf-8"), page.PARTS), "utf-8")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
