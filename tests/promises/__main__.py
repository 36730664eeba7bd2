# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.promises`: prints what proves each promise, and every planted bug, as Markdown.

--kill first plants every bug (half an hour; the words after it are for pytest, for example
--long -k NAME --durations=0).
"""

import subprocess
import sys

from tests.promises import others, proofs, runtime

TESTS = ("tests/run/test_mutants.py", "tests/run/test_sanitizers.py", "tests/machine")
PLANTED = "test_a_planted_bug_is_seen"


def main(words: list[str]) -> int:
    """Do what the command line asks; the exit code."""
    code = 0
    if "--kill" in words:
        more = words[words.index("--kill") + 1 :]
        command = [sys.executable, "-m", "pytest", "-q", *TESTS, "-k", PLANTED, *more]
        code = subprocess.run(command, check=False).returncode
    print(proofs.table(), runtime.table(), proofs.bugs(), others.table(), sep="\n\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
