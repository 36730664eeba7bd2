# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.promises`: prints what proves each promise, and every planted bug, as Markdown.

--kill first plants every bug and measures how long its check takes to detect it (half an hour;
the words after it are for pytest, for example --long -k NAME).
"""

import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Xml
from pathlib import Path

from tests.promises import others, proofs, runtime

TESTS = ("tests/run/test_mutants.py", "tests/run/test_sanitizers.py", "tests/machine")
PLANTED = "test_a_planted_bug_is_seen"


def kill(more: list[str]) -> int:
    """Run the test of the planted bugs; the seconds of each go to kills.json."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", *TESTS, f"--junitxml={report}"]
        command += ["-k", PLANTED, *more]
        done = subprocess.run(command, check=False)
        found = {
            case.attrib["name"].partition("[")[2].rstrip("]"): round(float(case.attrib["time"]), 1)
            for case in Xml.parse(report).iter("testcase")
            if case.find("failure") is None and case.find("skipped") is None
        }
    planted = {mutant.name for mutant in proofs.MUTANTS}
    known = {name: time for name, time in proofs.seconds().items() if name in planted}
    text = json.dumps(dict(sorted({**known, **found}.items())), indent=1) + "\n"
    proofs.KILLS.write_text(text, "utf-8")
    return done.returncode


def main(words: list[str]) -> int:
    """Do what the command line asks; the exit code."""
    code = kill(words[words.index("--kill") + 1 :]) if "--kill" in words else 0
    print(proofs.table(), runtime.table(), proofs.bugs(), others.table(), sep="\n\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
