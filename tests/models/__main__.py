# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.models`: has GenMC check every model with and without its bugs, and
keeps the verdicts in docs/models.md current, as many at a time as there are cores. Half an hour
on two.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor

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
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, verdict in zip(CASES, pool.map(genmc.verdict, CASES), strict=True):
            found[case.name] = verdict
            says, executions = verdict.says, verdict.executions
            print(f"{says:>6} {executions:>6} {verdict.seconds:>6.1f} s  {case.name}", flush=True)
            if says != case.demanded:
                wrong += 1
                print(f"demanded was {case.demanded}:\n{verdict.output}", file=sys.stderr)
    if not wrong:
        page.record(genmc.version(), found)
        page.PAGE.write_text(filled(page.PAGE.read_text("utf-8"), page.PARTS), "utf-8")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
