# SPDX-License-Identifier: BSD-3-Clause
"""Generates, compiles and runs C for the tests; everything once a session.

A `Workshop` keeps what it has made, by all that it depends on: generated code,
objects of the runtime, programs. A `Tree` is a copy of the project's packages
with edits: planted bugs, or additions that touch no existing file.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build

ROOT = Path(__file__).resolve().parents[2]
EP = ROOT / "schemas" / "ep.yaml"
PORTS = ("posix", "dpdk")
OPTIMISED = ("-O3",)
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
HEAP_WRAP = tuple(f"-Wl,--wrap={name}" for name in ("ctr_alloc", "ctr_free", "calloc", "free"))
"""Diverts allocations to tests/run/heap.c."""

PACKAGES = {"generator": "", "templates": "templates", "runtime": "runtime", "schemas": "schemas"}


@dataclass(frozen=True)
class Tree:
    """Where the packages come from: None is the project itself."""

    path: Path | None = None

    def command(self, *words: str | Path) -> list[str]:
        return [sys.executable, "-m", "ctrgen", *map(str, words)]

    def environment(self) -> dict[str, str]:
        path = {"PYTHONPATH": str(self.path)} if self.path else {}
        return {**os.environ, **path, "PYTHONDONTWRITEBYTECODE": "1"}

    def runtime(self) -> Path:
        """The folder of the C runtime; the project's own where it is as there."""
        return (self.path / "ctrgen" / "runtime").resolve() if self.path else runtimeinfo.path()


PROJECT = Tree()


def planted(
    folder: Path,
    edits: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    added: Mapping[str, str] | None = None,
) -> Tree:
    """The packages below `folder`, with replacements in files and with new files.

    Every replaced text must be there, so that a planted bug does not vanish unnoticed;
    every new file must be new. Packages that are not changed are links.
    """
    root = folder / "planted"
    junk = shutil.ignore_patterns("__pycache__", "*.pcap", "build")
    changed = {name.partition("/")[0] for name in [*(edits or {}), *(added or {})]}
    (root / "ctrgen").mkdir(parents=True)
    for source, target in PACKAGES.items():
        if source in changed:
            there = root / "ctrgen" / target
            shutil.copytree(ROOT / source, there, ignore=junk, dirs_exist_ok=True)
        elif target:
            (root / "ctrgen" / target).symlink_to(ROOT / source)
        else:
            for entry in (ROOT / source).iterdir():
                (root / "ctrgen" / entry.name).symlink_to(entry)
    place = {source: root / "ctrgen" / target for source, target in PACKAGES.items()}
    for name, replacements in (edits or {}).items():
        top, _, rest = name.partition("/")
        path = place[top] / rest
        text = path.read_text("utf-8")
        for old, new in replacements:
            assert old in text, f"{name} no longer has the text to plant a bug at: {old!r}"
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    for name, text in (added or {}).items():
        top, _, rest = name.partition("/")
        path = place[top] / rest
        assert not path.exists(), f"{name} exists"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Tree(root)


@dataclass(frozen=True)
class Build:
    """What a program is built of and how; `plain` sources include nothing that is generated."""

    schema: Path = EP
    sync: str | None = None
    sources: tuple[Path, ...] = ()
    plain: tuple[Path, ...] = ()
    port: str = "posix"
    compiler: str = "gcc"
    flags: tuple[str, ...] = OPTIMISED
    link: tuple[str, ...] = ()
    tree: Tree = PROJECT

    def but(self, **changes: object) -> Build:
        """The same with other values of some fields."""
        return replace(self, **changes)  # type: ignore[arg-type]


def key(*parts: object) -> str:
    """A short name for what is made of `parts`."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[:16]


def checked(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a command that has to succeed; what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(command)}\n{done.stdout}{done.stderr}", pytrace=False)
    return done.stdout


@dataclass
class Workshop:
    """Makes things in `folder`, each once, whichever process asks for it."""

    folder: Path
    flags: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[Path], None]) -> Path:
        """What `make` puts at the path that it is given."""
        target, unfinished = self.folder / name, self.folder / f"unfinished-{name}"
        if not target.exists():
            with (self.folder / f"lock-{name}").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not target.exists():
                    make(unfinished)
                    unfinished.rename(target)
        return target

    def generated(self, schema: Path, sync: str | None, tree: Tree = PROJECT) -> Path:
        """The folder of generated code."""

        def make(out: Path) -> None:
            if tree.path is None:
                request = BuildRequest(str(schema), str(out), sync=sync, only=("c",))
                result = build(request)
                if result.exit_code != 0:
                    text = print_findings(result.diagnostics)
                    pytest.fail(f"{schema} under {sync}\n{text}", pytrace=False)
            else:
                words = ["build", schema, "-o", out, "--only", "c"]
                words += ["--sync", sync] if sync else []
                checked(tree.command(*words), tree.environment())

        return self.once(f"gen-{key(schema, sync, tree.path)}", make)

    def runtime_flags(self, what: str, port: str, tree: Tree = PROJECT) -> list[str]:
        """Words of `ctrgen runtime --cflags`, `--sources` or `--libs`."""
        if (what, port) not in self.flags:
            line = checked(PROJECT.command("runtime", "--port", port, f"--{what}"))
            self.flags[what, port] = shlex.split(line)
        ours, theirs = str(runtimeinfo.path()), str(tree.runtime())
        return [word.replace(ours, theirs) for word in self.flags[what, port]]

    def objects(self, build: Build, sources: Iterable[Path], include: Sequence[Path]) -> list[Path]:
        """The sources compiled, as many at a time as there are cores."""
        flags = ["-std=gnu11", *build.flags, *self.runtime_flags("cflags", build.port, build.tree)]
        flags += [f"-I{folder}" for folder in include]

        def compiled(source: Path) -> Path:
            name = f"{source.stem}-{key(build.compiler, flags, source)}.o"
            command = [build.compiler, *flags, "-c", str(source), "-o"]
            return self.once(name, lambda target: checked([*command, str(target)]))

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(compiled, sources))

    def program(self, build: Build) -> Path:
        """The program of a build."""

        def make(target: Path) -> None:
            out = self.generated(build.schema, build.sync, build.tree)
            runtime = [Path(word) for word in self.runtime_flags("sources", build.port, build.tree)]
            objects = self.objects(build, [*runtime, *build.plain], [])
            own = [*build.sources, *sorted(out.glob("*.c"))]
            objects += self.objects(build, own, [out, *{source.parent for source in build.sources}])
            command = [build.compiler, *build.flags, "-pthread", "-o", str(target)]
            command += [str(made) for made in objects]
            command += [*build.link, *self.runtime_flags("libs", build.port, build.tree)]
            checked(command)

        return self.once(f"program-{key(build)}", make)

    def attempt(
        self, build: Build, test: str, timeout: float = 120, **options: object
    ) -> subprocess.CompletedProcess[str]:
        """Run a test of a program, whatever comes of it. `options` are those of the test."""
        return run(self.program(build), test, timeout, **options)

    def passes(self, build: Build, test: str, timeout: float = 120, **options: object) -> str:
        """Run a test of a program that has to pass; what it prints."""
        done = self.attempt(build, test, timeout, **options)
        if done.returncode != 0:
            what = f"{build.schema.stem} under {build.sync or 'its own strategy'}, {build.port}"
            text = f"{test} ({what}) ends with {done.returncode}\n{done.stdout}{done.stderr}"
            pytest.fail(text, pytrace=False)
        return done.stdout


def run(
    program: Path,
    test: str,
    timeout: float = 120,
    environment: Mapping[str, str] | None = None,
    **options: object,
) -> subprocess.CompletedProcess[str]:
    """Run one test of a program with options such as ROUNDS=10."""
    given = {f"CTR_TEST_{name}": str(value) for name, value in options.items()}
    given |= environment or {}
    # What the developer sets goes first: CTR_TEST_ROUNDS=1000000 ./dev test tests/run
    try:
        return subprocess.run(
            [str(program), test],
            env={**given, **os.environ},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"{program} {test} has not ended after {timeout} s: {late.stdout}{late.stderr}")


def figures(text: str) -> dict[str, int]:
    """Numbers that a test prints as name=number."""
    words = [word.split("=", 1) for word in text.split() if "=" in word]
    return {name: int(number) for name, number in words}


def have(program: str) -> bool:
    return shutil.which(program) is not None


def have_dpdk() -> bool:
    """Whether libdpdk can be compiled against."""
    if not have("pkg-config"):
        return False
    return subprocess.run(["pkg-config", "--exists", "libdpdk"], check=False).returncode == 0


def can_link(compiler: str, *flags: str) -> bool:
    """Whether a compiler is there and links with such flags."""
    if not have(compiler):
        return False
    program = "int main(void) { return 0; }"
    with tempfile.TemporaryDirectory() as folder:
        command = [compiler, *flags, "-x", "c", "-", "-o", f"{folder}/program"]
        done = subprocess.run(command, input=program, capture_output=True, text=True, check=False)
    return done.returncode == 0
