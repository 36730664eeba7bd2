# SPDX-License-Identifier: BSD-3-Clause
"""The command that installs what an extra of ctrgen needs. No package index has ctrgen itself."""

import re
import shlex
import sys
import sysconfig
from pathlib import Path


def pip_install(*extras: str) -> str:
    """The command that installs the packages of extras, as the metadata of ctrgen name them. Where
    ctrgen is not installed it names the folder of the modules."""
    from importlib import metadata  # takes time to load, and no other verb needs it

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
