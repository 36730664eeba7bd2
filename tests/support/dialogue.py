# SPDX-License-Identifier: BSD-3-Clause
"""Programs that obey lines on their standard input."""

import subprocess
from typing import Any

from tests.support.process import Words


class Dialogue:
    """A running program that answers each line with one or several."""

    def __init__(self, *command: Words, **options: Any) -> None:
        """`options` as of subprocess.Popen."""
        self.process = subprocess.Popen(
            list(map(str, command)), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options,
        )  # fmt: skip

    def tell(self, command: str) -> None:
        """Give a command, and wait for no answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        """The next line; nothing when the program has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def do(self, command: str) -> str:
        """Give a command; the line of its answer."""
        self.tell(command)
        return self.answer()

    def block(self) -> list[str]:
        """The next lines, up to `end`."""
        assert self.process.stdout is not None
        found = []
        for line in self.process.stdout:
            if line == "end\n":
                return found
            found.append(line.rstrip("\n"))
        raise AssertionError(f"the program has ended: {found}")

    def lines(self, command: str) -> list[str]:
        """Give a command; the lines of its answer."""
        self.tell(command)
        return self.block()
