# SPDX-License-Identifier: BSD-3-Clause
"""The Pythons that are installed: `./dev pythons [VERSION...]`.

In each, an environment with the pinned packages runs the unit tests and builds the
examples, whose output has to be that of this Python, byte by byte.
"""

import argparse
import filecmp
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.planted import copy_of

from . import systems
from .kitchen import WrongError
from .systems import System

VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
SCHEMAS = ("ep", "upf", "router")
ROOMS = ("backends", "commands", "compat", "findings", "frontends", "language", "model", "output")
TESTS = [f"tests/{name}" for name in (*ROOMS, "pipeline", "rules", "diagnostics", "lint")]
# Needs tools that a root folder does not have.
LEFT_OUT = ("tests/frontends/smi",)


def interpreters(version: str, there: list[System], work: Path) -> Iterable[tuple[System, str]]:
    """Where a version of Python may be: on the PATH, in pyenv, in the root folders."""
    here = System("this machine", None, work)
    found = shutil.which(f"python{version}")
    if found:
        yield here, found
    pyenv = Path.home() / ".pyenv" / "versions"
    for path in sorted(pyenv.glob(f"{version}.*/bin/python{version}")):
        yield here, str(path)
    for system in there:
        if system.root is not None:
            yield system, f"/usr/bin/python{version}"


def _checked(system: System, *words: str | Path) -> str:
    done = system.run(*words, timeout=900, environment={"PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.strip()] or [""]
        wrong = [line for line in lines if line.startswith(("FAILED", "ERROR", "E  "))]
        first = (wrong or lines)[0].rpartition("/project/")[2]
        raise WrongError(f"{first} ({lines[-1].strip('= ')})")
    return done.stdout


def environment(system: System, python: str, folder: Path) -> Path:
    """An environment with the pinned packages and a copy of the project; its Python."""
    _checked(system, python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    pip: list[str | Path] = [inside, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    _checked(system, *pip, "--require-hashes", "-r", ROOT / "requirements-dev.txt")
    copy = copy_of(ROOT, folder / "project", ".git", ".venv", ".cache")
    _checked(system, *pip, "--no-deps", "--no-build-isolation", "-e", copy)
    return inside


def examples(
    system: System, ctrgen: Sequence[str | Path], folder: Path, schemas: Path = ROOT / "schemas"
) -> None:
    """Build every example schema into `folder` with the command `ctrgen` of a system."""
    for schema in SCHEMAS:
        _checked(system, *ctrgen, "build", schemas / f"{schema}.yaml", "-o", folder / schema)


def differing(one: Path, other: Path) -> list[str]:
    """Files that are not the same below two folders."""
    names = {path.relative_to(one) for path in one.rglob("*") if path.is_file()}
    names |= {path.relative_to(other) for path in other.rglob("*") if path.is_file()}
    _, different, missing = filecmp.cmpfiles(one, other, [str(name) for name in names], False)
    return sorted([*different, *missing])


def tried(system: System, python: str, folder: Path, wanted: Path) -> str:
    """Everything with one Python; how many tests passed. Raises WrongError."""
    folder.mkdir()
    inside = environment(system, python, folder / "venv")
    examples(system, [inside, "-m", "ctrgen"], folder / "out")
    wrong = differing(folder / "out", wanted)
    if wrong:
        raise WrongError(f"{wrong[0]} is not what another Python makes")
    project = folder / "venv" / "project"
    tests = [project / name for name in TESTS]
    less = [f"--ignore={project / name}" for name in LEFT_OUT]
    rest = ["-q", "-p", "no:cacheprovider", "-m", "not slow", f"--rootdir={project}"]
    said = _checked(system, inside, "-m", "pytest", *rest, *less, *tests)
    return said.strip().splitlines()[-1].strip("= ")


def one(version: str, there: list[System], work: Path, wanted: Path) -> tuple[bool, str]:
    """Whether a version is green, with what there is to say."""
    for system, python in interpreters(version, there, work):
        if not system.has(python, "-c", "import ensurepip, venv"):
            continue
        patch = system.version([python])
        try:
            result = tried(system, python, work / version, wanted)
        except WrongError as wrong:
            return False, f"{patch}, {system.name}: {wrong}"
        except subprocess.TimeoutExpired as late:
            return False, f"{patch}, {system.name}: no end after {late.timeout:.0f} s"
        return True, f"{patch}, {system.name}: {result}"
    return False, "not tried: not installed"


def main() -> int:
    """0 when every version that is installed is green, else 1."""
    parser = argparse.ArgumentParser(prog="./dev pythons", description=__doc__)
    parser.add_argument("versions", nargs="*", default=VERSIONS, help="such as 3.12; all")
    asked = parser.parse_args()
    bad = False
    with tempfile.TemporaryDirectory(prefix="ctrgen-pythons-") as temporary:
        work = Path(temporary)
        there = systems.found(work)
        here = System("this machine", None, work)
        examples(here, [sys.executable, "-m", "ctrgen"], work / "wanted")
        print("| Python | result |\n|---|---|")
        for version in asked.versions:
            green, text = one(version, there, work, work / "wanted")
            bad = bad or not (green or text.startswith("not tried"))
            print(f"| {version} | {'green; ' if green else ''}{text} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
