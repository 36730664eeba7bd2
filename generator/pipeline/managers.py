# SPDX-License-Identifier: BSD-3-Clause
"""How net-snmp's tools on this machine know the names of a MIB module that was written."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from ..frontends.smi import places

_DEFAULT = ("~/.snmp/mibs", "/usr/share/snmp/mibs", "/usr/share/snmp/mibs/iana",
            "/usr/share/snmp/mibs/ietf")  # fmt: skip
"""Where net-snmp looks in Debian; MIBDIRS takes the place of these, or with a `+` goes in front."""
_IMPORT = re.compile(r"\bFROM\s+([A-Za-z][A-Za-z0-9-]*)")


def hint(output: Path, module: str, text: str) -> str:
    """A line that says how `snmpwalk` shows the names of a module in a folder; empty where nothing
    is missing but the folder and the module."""
    unknown = [name for name in _imports(text) if not places.named(name, _searched())]
    packages = [] if shutil.which("snmpwalk") else ["snmp"]
    if not unknown and not packages:
        return ""
    found = {name: places.named(name, places.folders((), None)) for name in unknown}
    missing = [name for name, folders in found.items() if not folders]
    more = dict.fromkeys(folders[0] for folders in found.values() if folders)
    where = ":".join(map(str, (output, *more)))
    line = f"names for managers: snmpwalk -M +{where} -m +{module} ..."
    if missing:
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        line += f"; missing: {missing[0]}{others}"
        packages.append("snmp-mibs-downloader")
    return line + (f" (apt install {' '.join(packages)})" if packages else "") + "\n"


def _searched() -> list[Path]:
    """The folders in which net-snmp looks."""
    given = os.environ.get("MIBDIRS", "+")
    names = [*given.lstrip("+").split(os.pathsep), *(_DEFAULT if given.startswith("+") else ())]
    return [Path(os.path.expanduser(name)) for name in names if name]  # noqa: PTH111


def _imports(text: str) -> list[str]:
    return sorted(set(_IMPORT.findall(text)))
