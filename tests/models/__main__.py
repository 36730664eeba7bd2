# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.models`: has GenMC check every model with and without its bugs, as many at a
time as there are cores, and keeps unchecked.txt and docs/design.md current. Half an hour on two.
With words only those whose name contains one.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.models import genmc, page
from tests.models.cases import Case
from tests.models.catalogue import VERDICTS
from tests.promises.page import filled


def check(cases: list[Case]) -> tuple[dict[str, genmc.Verdict], int]:
    """The verdicts by name, and how many are not those demanded."""
    found: dict[str, genmc.Verdict] = {}
    wrong = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, verdict in zip(cases, pool.map(genmc.verdict, cases), strict=True):
            found[case.name] = verdict
            says, executions = verdict.says, verdict.executions
            print(f"{says:>6} {executions:>6} {verdict.seconds:>6.1f} s  {case.name}", flush=True)
            if says != case.demanded:
                wrong += 1
                print(f"demanded was {case.demanded}:\n{verdict.output}", file=sys.stderr)
    return found, wrong


def main(words: list[str]) -> int:
    """Run them; 1 when a verdict is not the one demanded or missing, 2 when there is no GenMC."""
    if not genmc.have():
        print("no genmc on the PATH; docs/design.md says how to build it", file=sys.stderr)
        return 2
    found, wrong = check(
        [case for case in VERDICTS if not words or any(word in case.name for word in words)]
    )
    if wrong:
        return 1
    missing = [name for name in page.unchecked() if name not in found]
    page.record(genmc.version(), missing)
    page.PAGE.write_text(filled(page.PAGE.read_text("utf-8"), page.PARTS), "utf-8")
    if missing:
        print("no verdict yet of", *missing, sep="\n", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
