# SPDX-License-Identifier: BSD-3-Clause
"""Wrong usage, and what the operating system says: the errors that are no findings."""

import re
import shlex
import sys
from pathlib import Path


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


def pip_install(*extras: str) -> str:
    """The command that installs the packages of extras, as the metadata of ctrgen name them. Where
    ctrgen is not installed it names the folder of the modules: no package index has it."""
    import sysconfig  # these take time to load, and other verbs do not need them
    from importlib import metadata

    try:
        required = metadata.distribution("ctrgen").requires or ()
    except metadata.PackageNotFoundError:
        words = [f"{Path(__file__).resolve().parents[2]}[{','.join(extras)}]"]
    else:
        found = (re.fullmatch(r"(.+); extra == .(\w+).", line) for line in required)
        words = [match[1].strip() for match in found if match and match[2] in extras]
    # A Python that belongs to the system (Debian's package) takes packages only on request.
    marked = Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists()
    system = ["--break-system-packages"] if marked and sys.prefix == sys.base_prefix else []
    return shlex.join(["pip", "install", *system, *words])
