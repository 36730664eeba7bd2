# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.promises`: prints what proves each promise, and every planted bug, as Markdown.

--kill first plants every bug, which fails for one that no test sees (half an hour; the words after
it are for pytest, for example -k NAME --durations=0).
"""

import subprocess
import sys

from tests.promises import others, proofs, runtime

TESTS = (
    *("tests/run/test_mutants.py", "tests/run/test_sanitizers.py", "tests/machine"),
    "tests/promises/test_planted.py",
)
PLANTED = "test_a_planted_bug_is_seen"


def kill(more: list[str]) -> int:
    """Run the tests of the planted bugs; the exit code of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", *TESTS, "--long", "-k", PLANTED, *more]
    return subprocess.run(command, check=False).returncode


def main(words: list[str]) -> int:
    """Do what the command line asks; the exit code."""
    code = kill(words[words.index("--kill") + 1 :]) if "--kill" in words else 0
    print(proofs.table(), runtime.table(), proofs.bugs(), others.table(), sep="\n\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
