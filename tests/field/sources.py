# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the DPDK that is installed: Debian's source, in a cache outside of the project.

apt fetches and verifies it, with a configuration of its own: a `deb-src` beside each `deb` of the
system. Nothing in /etc or in apt's own lists changes, and root is not needed.
"""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ("apt-get", "dpkg-query", "dpkg-source", "pkg-config")
APT = Path("/etc/apt")
PATIENCE = 600
"""Seconds after which a download has failed."""


class NoSourceError(Exception):
    """The source cannot be had here; the text says why, in one sentence."""


@dataclass(frozen=True)
class Package:
    """A source package of Debian."""

    name: str
    version: str


def folder() -> Path:
    """Where sources are, each in a folder of its version: CTRGEN_FIELD, or below the cache."""
    if "CTRGEN_FIELD" in os.environ:
        return Path(os.environ["CTRGEN_FIELD"])
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "ctrgen" / "field"


def _run(*command: str, cwd: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False,
            env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        raise NoSourceError(f"{command[0]} has not ended after {PATIENCE} s") from late
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.startswith("E:")]
        why = (lines or done.stderr.splitlines() or ["no word why"])[-1]
        raise NoSourceError(f"{command[0]} ends with {done.returncode}: {why}")
    return done.stdout


def installed() -> Package:
    """The source package of the libdpdk that pkg-config finds."""
    lacking = [program for program in PROGRAMS if shutil.which(program) is None]
    if lacking:
        raise NoSourceError(f"no {', '.join(lacking)}: ./dev setup")
    upstream = _run("pkg-config", "--modversion", "libdpdk").strip()
    words = _run("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", "libdpdk-dev")
    package = Package(*words.split())
    if not package.version.startswith(upstream):
        raise NoSourceError(f"pkg-config finds libdpdk {upstream}, Debian's is {package.version}")
    return package


def sources(apt: Path = APT) -> dict[str, str]:
    """Files of sources of packages as the system has them, by name, for sources instead."""
    found = {}
    for path in sorted(apt.glob("sources.list.d/*.sources")):
        text = re.sub(r"(?m)^Types:.*$", "Types: deb-src", path.read_text("utf-8"))
        found[path.name] = text
    for path in (apt / "sources.list", *sorted(apt.glob("sources.list.d/*.list"))):
        if path.is_file():
            lines = re.findall(r"(?m)^deb(\s.*)$", path.read_text("utf-8"))
            found[f"{path.stem}.list"] = "".join(f"deb-src{line}\n" for line in lines)
    return found


def _apt(scratch: Path) -> list[str]:
    """apt-get with sources, lists and a cache in a folder of its own."""
    for name in ("parts", "lists/partial", "cache/archives/partial"):
        (scratch / name).mkdir(parents=True)
    files = sources()
    if not files:
        raise NoSourceError(f"apt has no sources of packages in {APT}")
    for name, text in files.items():
        (scratch / "parts" / name).write_text(text, "utf-8")
    places = {
        "Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": scratch / "parts",
        "Dir::State::lists": scratch / "lists", "Dir::Cache": scratch / "cache",
        "APT::Sandbox::User": "", "APT::Update::Error-Mode": "any", "Acquire::Retries": "1",
    }  # fmt: skip
    return ["apt-get", "-q", *(f"-o{name}={value}" for name, value in places.items())]


def _fetch(wanted: str, scratch: Path) -> Path:
    """Download and unpack a package, `name=version`; Debian's patches are applied."""
    words = _apt(scratch)
    _run(*words, "update", cwd=scratch)
    _run(*words, "source", "--download-only", "--only-source", wanted, cwd=scratch)
    (described,) = scratch.glob("*.dsc")
    # apt has compared the files with the signed list of sources.
    _run("dpkg-source", "--no-check", "-x", described.name, "unpacked", cwd=scratch)
    return scratch / "unpacked"


def examples() -> Path:
    """DPDK's examples, fetched if they are not in the cache yet. Raises NoSourceError."""
    package = installed()
    target = folder() / package.version.replace(":", "_") / "examples"
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="fetch-") as temporary:
            tree = _fetch(f"{package.name}={package.version}", Path(temporary))
            unfinished = Path(temporary) / "examples"
            (tree / "examples").rename(unfinished)
            if not target.is_dir():
                unfinished.rename(target)
    return target
