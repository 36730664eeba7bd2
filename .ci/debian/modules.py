# SPDX-License-Identifier: BSD-3-Clause
"""The Python modules of the package `ctrgen`: modules.py FOLDER, in the project's folder.

Puts ctrgen and those packages that this Debian lacks, or has too old, into FOLDER, as
requirements-dev.txt pins them. Prints the variable of debian/control that names the others.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

NAMED = {"pyyaml": "yaml"}
"""What Debian calls packages by another name."""
NEEDS = re.compile(r'^    "([A-Za-z0-9-]+)>=([0-9.]+)",$', re.MULTILINE)
PIN = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
NOTES = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
"""What pip notes for itself, with paths of this machine in it."""


def needed() -> list[tuple[str, str]]:
    """Name and lowest version of each package that ctrgen needs."""
    text = Path("pyproject.toml").read_text("utf-8")
    block = text.partition("\ndependencies = [\n")[2].partition("]\n")[0]
    found = NEEDS.findall(block)
    if len(found) != len(block.splitlines()) or not found:
        sys.exit("modules.py: pyproject.toml has a dependency that is not NAME>=VERSION")
    return [(name.lower(), version) for name, version in found]


def of_debian(name: str, version: str) -> str:
    """The package of Debian that is new enough, as debian/control names it; empty without."""
    package = f"python3-{NAMED.get(name, name)}"
    said = subprocess.run(
        ["apt-cache", "policy", package], capture_output=True, text=True, check=True
    )
    match = re.search(r"Candidate: (\S+)", said.stdout)
    if match is None or match[1] == "(none)":
        return ""
    # Debian may say 13.7.0 of what calls itself 13.7, with an epoch before it.
    newest = match[1].rpartition(":")[2]
    words = ["dpkg", "--compare-versions", newest, "ge", version]
    return f"{package} (>= {version})" if subprocess.run(words).returncode == 0 else ""


def pinned(names: set[str]) -> str:
    """The pins of packages and of all that they need, with their hashes."""
    blocks: dict[str, str] = {}
    text = Path("requirements-dev.txt").read_text("utf-8")
    for block in re.split(r"\n(?=\S)", text):
        match = PIN.match(block)
        if match:
            blocks[match[1].lower()] = block
    wanted: set[str] = set()
    found = set(names)
    while found:
        wanted |= found
        via = {name: set(re.findall(r"#(?: +via)? +(\S+)$", blocks[name], re.M)) for name in blocks}
        found = {name for name in blocks if via[name] & wanted} - wanted
    return "".join(f"{blocks[name]}\n" for name in sorted(wanted))


def install(pins: str, folder: Path) -> None:
    """Put pinned packages, and ctrgen, into a folder, with this Python."""
    work = Path("build-modules")
    subprocess.run([sys.executable, "-m", "venv", work], check=True, stdout=sys.stderr)
    python = work / "bin" / "python"
    pip: list[str | Path] = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    pip += ["--no-deps", "--no-compile", "--root-user-action=ignore"]

    def run(*words: str | Path) -> None:
        subprocess.run([*pip, *words], check=True, stdout=sys.stderr)

    tools, modules = work / "tools.txt", work / "modules.txt"
    tools.write_text(pinned({"setuptools"}), "utf-8")
    run("--require-hashes", "-r", tools)
    if pins:
        modules.write_text(pins, "utf-8")
        run("--require-hashes", "-r", modules, "--target", folder)
    shutil.rmtree(folder / "bin", ignore_errors=True)
    run("--no-build-isolation", "--target", folder, Path.cwd())


def tidy(folder: Path) -> None:
    """Take away what only pip needs, programs, and files to compile against the modules."""
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for info in folder.glob("*.dist-info"):
        for name in NOTES:
            (info / name).unlink(missing_ok=True)


def main() -> None:
    """Fill the folder, and print what Debian brings."""
    folder = Path(sys.argv[1]).absolute()
    there = {name: of_debian(name, version) for name, version in needed()}
    lacking = {name for name, package in there.items() if not package}
    print(f"modules.py: in the package: {', '.join(sorted(lacking)) or 'none'}", file=sys.stderr)
    install(pinned(lacking) if lacking else "", folder)
    tidy(folder)
    depends = [package for package in there.values() if package]
    if any(folder.rglob("*.cpython-*.so")):  # compiled for this Python
        major, minor = sys.version_info[:2]
        depends += [f"python3 (>= {major}.{minor}~)", f"python3 (<< {major}.{minor + 1}~)"]
    print(f"modules:Depends={', '.join(depends)}")


if __name__ == "__main__":
    main()
