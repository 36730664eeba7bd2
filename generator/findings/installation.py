# SPDX-License-Identifier: BSD-3-Clause
"""How ctrgen was installed, and so the command that installs more of it.

No package index has ctrgen, so its name alone installs nothing: no other text has such a command.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from importlib.metadata import Distribution


def pip_install(*extras: str) -> str:
    """The command that installs extras of ctrgen: from where it was installed, as pip has recorded
    it, or the packages of the extras if that is not known or not there any more."""
    from importlib import metadata  # takes time to load, and no other verb needs it

    try:
        distribution = metadata.distribution("ctrgen")
    except metadata.PackageNotFoundError:
        return _command(_clone(extras))
    recorded = json.loads(distribution.read_text("direct_url.json") or "{}")
    return _command(_source(recorded, extras) or _packages(distribution, extras))


def _command(words: list[str]) -> str:
    """A Python that belongs to the system (Debian's package) takes packages only on request."""
    marked = Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists()
    system = ["--break-system-packages"] if marked and sys.prefix == sys.base_prefix else []
    return shlex.join(["pip", "install", *system, *words])


def _clone(extras: tuple[str, ...]) -> list[str]:
    """The folder that the modules are in, where they are not installed."""
    return [f"{Path(__file__).resolve().parents[2]}[{','.join(extras)}]"]


def _source(recorded: dict[str, Any], extras: tuple[str, ...]) -> list[str]:
    """The words for pip that name the source of an installation (PEP 610) and extras; none if there
    is no record, or if it is of a file or folder that has gone."""
    url, extra = recorded.get("url", ""), f"[{','.join(extras)}]"
    if vcs := recorded.get("vcs_info"):
        return [f"ctrgen{extra} @ {vcs['vcs']}+{url}@{vcs['commit_id']}"]
    if not url.startswith("file:"):
        return [f"ctrgen{extra} @ {url}"] if url else []
    path = unquote(urlsplit(url).path)
    editable = ["-e"] if recorded.get("dir_info", {}).get("editable") else []
    return [*editable, f"{path}{extra}"] if Path(path).exists() else []


def _packages(distribution: Distribution, extras: tuple[str, ...]) -> list[str]:
    """The packages of extras, as the metadata of ctrgen name them."""
    found = (re.fullmatch(r"(.+); extra == .(\w+).", line) for line in distribution.requires or ())
    return [match[1].strip() for match in found if match and match[2] in extras]
