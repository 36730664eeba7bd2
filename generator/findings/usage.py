# SPDX-License-Identifier: BSD-3-Clause
"""Wrong usage, and what the operating system says: the errors that are no findings."""


class UsageError(Exception):
    """A request that cannot be met: what is wrong, and in `hint` what to do. Exit code 2."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def reason(error: OSError | ValueError) -> str:
    """Why a file cannot be used, for use after a colon: `no such file or directory`."""
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:] if text else type(error).__name__
