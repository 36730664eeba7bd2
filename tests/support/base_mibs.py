# SPDX-License-Identifier: BSD-3-Clause
"""The standard MIB modules that ours import, for tests: fetched from packages, never checked in.

`python tests/support/base_mibs.py` (part of `./dev setup`) takes them from net-snmp of npm, where
npm is installed, and from Debian's erlang-snmp, into a cache folder outside of the repository; for
what neither brings, from the folder of the IETF's modules. What cannot be had is left out, and
tests that need it skip.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEB = "erlang-snmp"
NPM = "net-snmp"
NPM_VERSION = "3.29.2"
NPM_SHA512 = (
    "ZXQyrPayCUaZxkxXBvExAYjkvZsPDBYUpK8ljIzrA5a/jByYR4REr/hpbld9wJ0tCr8d/pM7pSogDC0B/syiXQ=="
)
WANTED = ("SNMPv2-SMI", "IF-MIB", "IANAifType-MIB")
"""Modules without which there is something to fetch."""
NAME = re.compile(rb"^\s*([A-Z][A-Za-z0-9-]*)\s+DEFINITIONS\s*::=\s*BEGIN", re.MULTILINE)


def folder() -> Path:
    """Where the modules are, each in a file of its own name: CTRGEN_MIBS, or below the cache."""
    if "CTRGEN_MIBS" in os.environ:
        return Path(os.environ["CTRGEN_MIBS"])
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "ctrgen" / "mibs"


def ietf() -> Path:
    """Where the modules of the IETF are, if anywhere: CTRGEN_IETF_MIBS, or beside the project."""
    beside = HERE.parents[2] / "shared" / "mibs" / "ietf"
    return Path(os.environ.get("CTRGEN_IETF_MIBS") or beside)


def _run(*command: str, cwd: Path) -> bool:
    if shutil.which(command[0]) is None:
        return False
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _debian(scratch: Path) -> None:
    if _run("apt-get", "download", "-qq", DEB, cwd=scratch):
        for package in scratch.glob(f"{DEB}_*.deb"):
            _run("dpkg", "-x", package.name, "deb", cwd=scratch)


def _npm(scratch: Path) -> None:
    package = scratch / f"{NPM}-{NPM_VERSION}.tgz"
    if not _run("npm", "pack", "--silent", f"{NPM}@{NPM_VERSION}", cwd=scratch):
        return
    digest = hashlib.sha512(package.read_bytes()).digest()
    if base64.b64encode(digest).decode("ascii") != NPM_SHA512:
        print(f"{package.name}: not the file that is known, left out", file=sys.stderr)
        return
    _run("tar", "-xzf", package.name, cwd=scratch)


def _collect(scratch: Path, target: Path) -> list[str]:
    """Copy every SMIv2 module that was unpacked; the first copy of a module wins."""
    target.mkdir(parents=True, exist_ok=True)
    found: dict[str, Path] = {}
    files = (*scratch.glob("package/**/*.mib"), *scratch.glob("deb/**/mibs/*.mib"))
    for path in sorted(files, key=lambda path: (path.parts[len(scratch.parts)] != "package", path)):
        match = NAME.search(path.read_bytes())
        if match and not match[1].startswith((b"RFC", b"OTP", b"STANDARD")):
            found.setdefault(match[1].decode("ascii"), path)
    for path in (HERE / "standin").iterdir():
        found.setdefault(path.name, path)
    for path in (ietf() / name for name in WANTED):
        if path.is_file():
            found.setdefault(path.name, path)
    for name, path in found.items():
        shutil.copyfile(path, target / name)
    return sorted(found)


def fetch(target: Path) -> list[str]:
    """Put the modules into `target`; which they are."""
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        _debian(scratch)
        _npm(scratch)
        return _collect(scratch, target)


def main() -> int:
    """Fetch what is missing; the exit code is 0 even when nothing could be had."""
    target = folder()
    if all((target / name).exists() for name in WANTED):
        return 0
    found = fetch(target)
    print(f"{target}: {len(found)} MIB modules", file=sys.stderr)
    lacking = [name for name in WANTED if name not in found]
    if lacking:
        print(f"without {', '.join(lacking)}: {NPM} of npm has them", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
