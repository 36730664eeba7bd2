# SPDX-License-Identifier: BSD-3-Clause
"""The Debian packages of a release, and what lintian says of them: nothing."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .agree import RefusedError

PACKAGES = ("ctr-openmetrics", "ctrgen", "libctr-runtime0")


def _said(
    what: str, *words: str | Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False, env=env,
        )  # fmt: skip
    except FileNotFoundError:
        raise RefusedError(f"{what}: there is no {words[0]} here; on Debian, install it") from None


def build(project: Path, folder: Path, version: str, env: Mapping[str, str]) -> list[Path]:
    """Build the packages of a checkout into a folder. Raises RefusedError."""
    done = _said("Debian packages", project / ".ci" / "debian" / "run", folder, env=env)
    if done.returncode != 0:
        raise RefusedError(f"building the Debian packages failed: {done.stdout.strip()[-2000:]}")
    made = sorted(folder.glob("*.deb"))
    names = {path.name.partition("_")[0] for path in made}
    if names != set(PACKAGES):
        raise RefusedError(f"the Debian packages are {sorted(names)}, not {sorted(PACKAGES)}")
    for path in made:
        said = _said("dpkg-deb", "dpkg-deb", "-f", path, "Version").stdout.strip()
        if said.partition("~")[0] != version:
            raise RefusedError(f"{path.name} is of version {said}, not {version}")
    return made


def lint(packages: list[Path]) -> None:
    """Raises RefusedError with the errors and warnings of lintian."""
    done = _said("lintian", "lintian", "--allow-root", "--fail-on", "error,warning", *packages)
    wrong = [line for line in done.stdout.splitlines() if re.match(r"[EW]:", line)]
    if wrong or done.returncode != 0:
        raise RefusedError("lintian: " + "\n".join(wrong or [done.stdout.strip()[-2000:]]))


def unreasoned(folder: Path) -> list[str]:
    """Lines of overrides that have no comment before them, which says why."""
    found = []
    for path in sorted(folder.glob("*lintian-overrides")):
        reason = False
        for line in path.read_text("utf-8").splitlines():
            is_reason = line.startswith("# ") and not line.startswith("# SPDX")
            if line.strip() and not line.startswith("#") and not reason:
                found.append(f"{path.name}: {line}")
            reason = is_reason
    return found
