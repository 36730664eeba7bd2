# SPDX-License-Identifier: BSD-3-Clause
"""Known weaknesses of the pinned packages, by pip-audit, where it is and can ask an index.

`python -m tests.lint.audit` ends with 1 when one is known, 2 when none could be looked up.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

PINS = Path(__file__).resolve().parents[2] / "requirements-dev.txt"
COMMAND = ("pip-audit", "--disable-pip", "--require-hashes", "--progress-spinner=off", "-f=json")


def main() -> int:
    """0 when every package that could be looked up is clean."""
    if shutil.which(COMMAND[0]) is None:
        print("audit: no pip-audit (pip install pip-audit)", file=sys.stderr)
        return 2
    try:
        done = subprocess.run(
            [*COMMAND, "-r", str(PINS)], capture_output=True, text=True, check=False, timeout=120
        )
        packages = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError):
        print("audit: pip-audit does not reach an index of weaknesses", file=sys.stderr)
        return 2
    known = [package for package in packages if "vulns" in package]
    if not known:
        print("audit: the package index here knows nothing of weaknesses", file=sys.stderr)
        return 2
    for package in known:
        for weakness in package["vulns"]:
            fixed = ", ".join(weakness["fix_versions"]) or "no version"
            print(f"{package['name']} {package['version']}: {weakness['id']}, fixed in {fixed}")
    print(f"audit: {len(known)} of {len(packages)} packages were looked up")
    return 1 if any(package["vulns"] for package in known) else 0


if __name__ == "__main__":
    sys.exit(main())
