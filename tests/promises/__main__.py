# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.promises`: prints what proves each promise, and every planted bug, as Markdown.

--kill first plants every bug and writes kills.txt (half an hour; the words after it are for
pytest, for example -k NAME --durations=0).
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Xml
from pathlib import Path

from tests.promises import others, proofs, runtime

TESTS = ("tests/run/test_mutants.py", "tests/run/test_sanitizers.py", "tests/machine")
PLANTED = "test_a_planted_bug_is_seen"


def kill(more: list[str]) -> int:
    """Run the tests of the planted bugs; the names of those seen go to kills.txt."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", *TESTS, "--long", f"--junitxml={report}"]
        done = subprocess.run([*command, "-k", PLANTED, *more], check=False)
        found = {
            case.attrib["name"].partition("[")[2].rstrip("]"): case.find("failure") is None
            for case in Xml.parse(report).iter("testcase")
            if case.find("skipped") is None
        }
    known = proofs.KILLS.read_text("utf-8").split()
    seen = sorted(bug.name for bug in proofs.MUTANTS if found.get(bug.name, bug.name in known))
    proofs.KILLS.write_text("".join(f"{name}\n" for name in seen), "utf-8")
    return done.returncode


def main(words: list[str]) -> int:
    """Do what the command line asks; the exit code."""
    code = kill(words[words.index("--kill") + 1 :]) if "--kill" in words else 0
    print(proofs.table(), runtime.table(), proofs.bugs(), others.table(), sep="\n\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
