# SPDX-License-Identifier: BSD-3-Clause
"""The Debian packages in fresh root folders (tests/packaging has the wheel).

They are built in the root folder of their Debian, and installed where nothing else is but what
README.md names. The command makes the same files as here, byte by byte. Programs are compiled with
it and count right: against the sources of the runtime, and against the installed runtime, as
pkg-config and CMake find it, on both ports. Taken away again, the packages leave nothing.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.packaging import ports
from tests.support.paths import ROOT
from tests.support.planted import copy_of

from . import systems
from .kitchen import WrongError
from .pythons import differing, examples
from .systems import System

COMPILER = ("gcc", "libc6-dev")
APPLICATION = "set -e; ctrgen init app; cd app; ctrgen build stats.yaml -o out"
COMPILE = "cc -O2 main.c out/{0}_stats.c -Iout {1} -o example && ./example {2}"
SAYS = "total: 4000000 packets"
OWN = re.compile(r"ctrgen|ctr-runtime")
"""In the names of files that only the packages bring."""

CMAKE = """\
cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES C)
find_package(ctrgen 0.1 REQUIRED)
ctrgen_add(app_stats stats.yaml PORT posix)
add_executable(example main.c)
target_link_libraries(example PRIVATE app_stats)
"""
# The first Tab, in a terminal: the functions that would fill its list print instead.
ZSH = """
compdef() { }
_describe() { print -l -- $completions_with_descriptions }
autoload -Uz _ctrgen
words=(ctrgen s) CURRENT=2
_ctrgen
"""


@dataclass(frozen=True)
class Result:
    """What came of the packages in one Debian."""

    suite: str
    python: str
    text: str
    """What there is to say; of one that is not green the reason."""
    green: bool

    def row(self) -> str:
        """As a row of a table."""
        result = f"green; {self.text}" if self.green else self.text
        return f"| {self.suite} | {self.python} | {result} |"


# ---- in a root folder ----


def checked(system: System, what: str, *words: str | Path) -> str:
    """What a command prints in there that has to succeed. Raises WrongError."""
    done = system.run(*words, timeout=900)
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.strip()] or [""]
        wrong = [line for line in lines if re.search(r"\berror:|Error\b|^E:", line)]
        raise WrongError(f"{what}: {(wrong or lines[-1:])[0].strip()}")
    return done.stdout


def shell(system: System, what: str, script: str, folder: Path) -> str:
    """The same of a script, in a folder."""
    return checked(system, what, "sh", "-c", f"cd '{folder}' && {{ {script}\n}}")


def counts(system: System, what: str, script: str, folder: Path) -> None:
    """A script's last command is the program of `ctrgen init`, which has lost no count."""
    if SAYS not in shell(system, what, script, folder):
        raise WrongError(f"{what}: the program does not say '{SAYS}'")


def apt(root: Path, *words: str | Path) -> None:
    """Run apt-get in a fresh root. Raises WrongError."""
    # Without the mounts of enter.sh: packages may write where the machine's own files would be.
    command = ["chroot", root, "apt-get", "-y", "-qq", "--no-install-recommends", *words]
    variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", check=False, timeout=900,
    )  # fmt: skip
    if done.returncode != 0:
        wrong = [line for line in done.stdout.splitlines() if line.startswith("E:")]
        raise WrongError(f"apt-get {words[0]}: {(wrong or ['no reason given'])[-1]}")


@contextlib.contextmanager
def fresh(suite: str, work: Path) -> Iterator[System]:
    """A Debian and nothing more, for as long as it is used; no file of the project is in it."""
    root = work / f"{suite}.fresh"
    inside = work / "inside"
    inside.mkdir()
    try:
        subprocess.run(["cp", "-a", systems.folder() / root.name, root], check=True)
        apt(root, "update")
        yield System(suite, root, inside, project=inside)
    finally:
        shutil.rmtree(root, ignore_errors=True)


# ---- what is built ----


def build_debs(system: System, project: Path, folder: Path) -> tuple[list[Path], str]:
    """The Debian packages, built in the root folder of their Debian, and what lintian says."""
    said = checked(system, "./dev deb", project / ".ci" / "debian" / "run", folder)
    bundled = re.search(r"modules\.py: in the package: (.*)", said)
    made = sorted(folder.glob("*.deb"))
    lint = checked(system, "lintian", "lintian", "--fail-on", "error", *made)
    noted = [line for line in lint.splitlines() if line.startswith("W:")]
    size = sum(path.stat().st_size for path in made) / 1e6
    text = f"{size:.1f} MB, Python packages in it: {bundled[1] if bundled else '?'}; lintian: "
    return made, text + ("; ".join(noted) or "nothing")


# ---- what is tried ----


def same_files(system: System, work: Path) -> None:
    """The command makes of the examples what this Python makes. Raises WrongError."""
    here, there = work / "wanted", system.work / "made"
    copy_of(ROOT / "schemas", system.work / "schemas")
    examples(System("this machine", None, work), [sys.executable, "-m", "ctrgen"], here)
    examples(system, ["ctrgen"], there, system.work / "schemas")
    wrong = differing(there, here)
    if wrong:
        raise WrongError(f"{wrong[0]} is not what is made here")


def installed_runtime(system: System) -> None:
    """Programs on the runtime that is in the packages, on threads. Raises WrongError."""
    apt(_root(system), "install", "pkg-config", "cmake", "make")
    app = system.work / "app"
    flags = "$(pkg-config --cflags --libs ctr-runtime-posix)"
    counts(system, "pkg-config", COMPILE.format("app", flags, ""), app)
    shutil.copy2(app / "example", app / "shared")
    flags = "$(pkg-config --cflags ctr-runtime-posix) -l:libctr-runtime-posix.a -pthread"
    counts(system, "the static library", COMPILE.format("app", flags, ""), app)
    (app / "CMakeLists.txt").write_text(CMAKE)
    steps = ("cmake -B build", "cmake --build build", "ldd build/example", "build/example")
    said = shell(system, "CMake", "; ".join(("set -e", *steps)), app)
    if SAYS not in said or "libctr-runtime-posix.so.0 => /" not in said:
        raise WrongError("CMake: the program is not linked to the installed runtime")


def on_dpdk(system: System) -> None:
    """The same on DPDK. Raises WrongError."""
    apt(_root(system), "install", "libdpdk-dev")
    folder = system.work / "dpdk"
    ports.write(folder, "before")
    ports.schema(folder)
    shell(system, "ctrgen build", "ctrgen build one.yaml -o out --only c", folder)
    sources = "$(ctrgen runtime --port dpdk --cflags --sources --libs)"
    package = "$(pkg-config --cflags --libs ctr-runtime-dpdk)"
    for what, flags in (("ctrgen runtime, DPDK", sources), ("pkg-config, DPDK", package)):
        shell(system, what, COMPILE.format("one", flags, " ".join(ports.EAL)), folder)


def completion(system: System) -> None:
    """The files of the shells are where these look. Raises WrongError."""
    bash = ". /usr/share/bash-completion/completions/ctrgen && complete -p ctrgen"
    checked(system, "completion in bash", "bash", "-c", bash)
    fish = "/usr/share/fish/vendor_completions.d/ctrgen.fish"
    checked(system, "completion in fish", "grep", "-q", "_CTRGEN_COMPLETE", fish)
    apt(_root(system), "install", "zsh")
    if "strategies" not in checked(system, "completion in zsh", "zsh", "-c", ZSH):
        raise WrongError("completion in zsh: nothing at the first Tab")


def remains(root: Path) -> set[str]:
    """Files and folders that have a name of ours, by the paths that they have inside a root."""
    found = set()
    for folder, folders, files in os.walk(root):
        inside = Path("/", Path(folder).relative_to(root))
        found |= {str(inside / name) for name in (*folders, *files) if OWN.search(name)}
        folders[:] = [name for name in folders if not OWN.search(name)]
    return found


def taken_away(system: System, before: set[str]) -> None:
    """Without its generator a program still runs; without its runtime nothing is left."""
    root = _root(system)
    listed = checked(system, "dpkg", "dpkg", "-L", "ctrgen", "libctr-runtime0").split("\n")
    checked(system, "removing ctrgen", "dpkg", "-P", "ctrgen")
    counts(system, "with the runtime alone", "./shared", system.work / "app")
    checked(system, "removing the runtime", "dpkg", "-P", "libctr-runtime0")
    owned = set(system.run("dpkg", "-S", *filter(None, listed)).stdout.split())
    left = {path for path in listed if path and path not in owned and path != "/."}
    left = {path for path in left if os.path.lexists(f"{root}{path}")}
    left |= remains(root) - before
    if left:
        raise WrongError(f"removing the packages leaves {min(left)}")


def _root(system: System) -> Path:
    assert system.root is not None
    return system.root


def tried(system: System, project: Path, work: Path) -> str:
    """The packages; what there is to say. Raises WrongError."""
    folder = work / "debs"
    folder.mkdir()
    made, text = build_debs(system, project, folder)
    with fresh(system.name, work) as there:
        root = _root(there)
        checked(there, "entering the root folder", "true")  # makes the folders of its mounts
        before = remains(root)
        for path in made:
            shutil.copy2(path, root)
        apt(root, "install", *(f"/{path.name}" for path in made))
        for path in made:
            (root / path.name).unlink()
        shell(there, "ctrgen", APPLICATION, there.work)
        same_files(there, work)
        apt(root, "install", *COMPILER)
        flags = "$(ctrgen runtime --port posix --cflags --sources --libs)"
        counts(there, "ctrgen runtime", COMPILE.format("app", flags, ""), there.work / "app")
        installed_runtime(there)
        on_dpdk(there)
        completion(there)
        taken_away(there, before)
    return text


def there(suite: str) -> bool:
    """Whether a Debian has both of its root folders."""
    names = (suite, f"{suite}.fresh")
    return os.geteuid() == 0 and all(
        (systems.folder() / name / ".complete").exists() for name in names
    )


def result(suite: str, work: Path, project: Path = ROOT) -> Result:
    """The packages in one Debian, in a folder that is empty."""
    if not there(suite):
        reason = "not tried: no root folders (tests/versions/chroots.sh makes them)"
        return Result(suite, "", reason, False)
    system = System(suite, systems.folder() / suite, work, project)
    python = system.version(["python3"])
    try:
        return Result(suite, python, tried(system, project, work), True)
    except WrongError as wrong:
        return Result(suite, python, str(wrong), False)
    except subprocess.TimeoutExpired as late:
        return Result(suite, python, f"no end after {late.timeout:.0f} s", False)


def every(suites: Sequence[str], folder: Path) -> list[Result]:
    """The packages in some suites."""
    results = []
    for suite in suites:
        work = folder / suite
        work.mkdir()
        results.append(result(suite, work))
        print(results[-1].row(), file=sys.stderr, flush=True)
    return results


def table(results: Sequence[Result]) -> str:
    """The results as Markdown."""
    head = "| Debian | Python | result |\n|---|---|---|\n"
    return head + "".join(f"{one.row()}\n" for one in results)
