# SPDX-License-Identifier: BSD-3-Clause
"""Generates, compiles and runs C for the tests; everything once a session.

A `Workshop` keeps what it has made, by all that it depends on: generated code,
objects of the runtime, programs. The one of a run of tests is `shared()`.
"""

from __future__ import annotations

import atexit
import fcntl
import filecmp
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build
from tests.support import process
from tests.support.paths import EP
from tests.support.planted import PROJECT, Tree

OPTIMISED = ("-O3",)
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
QUICK = ("-O0", "-g1", *WARNINGS)
"""Of programs about which nobody asks how fast they are: compiled in a third of the time, and what
they share is compiled once for all of them."""
MEMORY = ("-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""Of programs that the first fault ends which a sanitizer sees."""
SANITIZED = (*MEMORY, *WARNINGS)
LENIENT = ("-Wno-conversion", "-Wno-extra", "-Wno-pedantic")
"""Of sources that are not ours, with QUICK: `-Wall -Werror` remains."""
HEAP_WRAP = tuple(f"-Wl,--wrap={name}" for name in ("ctr_alloc", "ctr_free", "calloc", "free"))
"""Diverts allocations to tests/run/heap.c."""
WARNS = re.compile(r"-W(?!l,|p,|a,)")
"""How options about warnings begin."""
LINE_MARKER = re.compile(rb'^# \d+ ".*\n', re.MULTILINE)
"""What the preprocessor says of where lines are from."""
ARCHITECTURES = ("aarch64",)
"""Machines that programs may be compiled for and emulated as."""
SANITIZERS = ("-fsanitize=address,undefined", "-fsanitize=thread")
EMULATION = ("aarch64-linux-gnu-gcc", "qemu-aarch64")
"""What that takes."""


@dataclass(frozen=True)
class Build:
    """What a program is built of and how; `plain` sources include nothing that is generated, and
    without others nothing is."""

    schema: Path = EP
    sync: str | None = None
    sources: tuple[Path, ...] = ()
    plain: tuple[Path, ...] = ()
    port: str = "posix"
    parts: tuple[str, ...] = ()
    """Of the runtime: "agentx", "telemetry" ... (`ctrgen runtime --with`)."""
    compiler: str = "gcc"
    flags: tuple[str, ...] = OPTIMISED
    own_flags: tuple[str, ...] = ()
    """More of `sources` and of what is generated, which the runtime does not need."""
    link: tuple[str, ...] = ()
    tree: Tree = PROJECT
    arch: str = ""
    """One of ARCHITECTURES: a program of that machine, which an emulator runs."""

    def but(self, **changes: object) -> Build:
        """The same with other values of some fields."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def about(self, test: str) -> Build:
        """The same without those sources that have other tests and not this one."""
        return self.but(sources=tuple(
            source for source in self.sources if not (of := c_tests(source)) or test in of
        ))  # fmt: skip


@functools.cache
def c_tests(source: Path) -> list[str]:
    """The tests that a C file defines (tests/run/harness.h)."""
    return re.findall(r"^(?:TEST|CASE)\((\w+)\)", source.read_text("utf-8"), re.MULTILINE)


TRAPS = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
LIBRARY = Build(flags=("-O0", "-fPIC", *TRAPS), link=("-shared",))
"""A library that Python loads: undefined behaviour ends the process, without a run-time library."""


def tool(compiler: str, arch: str) -> list[str]:
    """A compiler for a machine; "" is this one."""
    if not arch:
        return [compiler]
    triple = f"{arch}-linux-gnu"
    return [f"{triple}-gcc"] if compiler == "gcc" else [compiler, f"--target={triple}"]


def runnable(program: Path, arch: str, script: Path) -> Path:
    """A program, or the script that starts it under an emulator."""
    if not arch:
        return program
    words = shlex.join([f"qemu-{arch}", "-L", f"/usr/{arch}-linux-gnu", str(program)])
    script.write_text(f'#!/bin/sh\nexec {words} "$@"\n', "utf-8")
    script.chmod(0o755)
    return script


def key(*parts: object) -> str:
    """A short name for what is made of `parts`."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[:16]


@functools.cache
def same_headers(tree: Tree) -> bool:
    """Whether the runtime of a tree has the headers of the project's own."""
    ours, theirs = PROJECT.runtime(), tree.runtime()
    names = [{path.relative_to(at) for path in at.rglob("*.h")} for at in (ours, theirs)]
    return names[0] == names[1] and all(
        filecmp.cmp(ours / name, theirs / name, shallow=False) for name in names[0]
    )


def unchanged(tree: Tree, source: Path) -> Path | None:
    """The source of the project that makes the same object as one which includes nothing that is
    generated: itself or, of a planted runtime, the one that it is a copy of."""
    if not same_headers(tree):
        return None
    there = tree.original(source)
    same = there.is_file() and filecmp.cmp(there, source, shallow=False)
    return there if same else None


@dataclass
class Workshop:
    """Makes things in `folder`, each once, whichever process asks for it.

    With `arch`, programs of the POSIX port are those of that machine.
    """

    folder: Path
    arch: str = ""
    flags: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[Path], object]) -> Path:
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
        tree = tree.generator()

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
                tree.succeed(*words)

        return self.once(f"gen-{key(schema, sync, tree.path)}", make)

    def runtime_flags(
        self, what: str, port: str, tree: Tree = PROJECT, parts: tuple[str, ...] = ()
    ) -> list[str]:
        """Words of `ctrgen runtime --cflags`, `--sources` or `--libs`."""
        asked = (what, port, *parts)
        if asked not in self.flags:
            kinds = (what == kind for kind in ("cflags", "sources", "libs"))
            self.flags[asked] = shlex.split(runtimeinfo.line(port, *kinds, parts))
        added = tree.added() if what == "sources" else []
        return [*(tree.of(word) for word in self.flags[asked]), *added]

    def objects(self, build: Build, sources: Iterable[Path], include: Sequence[Path]) -> list[Path]:
        """The sources compiled, as many at a time as there are cores. Each text that preprocessing
        gives is compiled once, whatever macros and folders it comes from."""
        flags = ["-std=gnu11", *build.flags, *self._runtime("cflags", build)]
        flags += [f"-I{folder}" for folder in include]
        others = [flag for flag in flags if not flag.startswith(("-D", "-I"))]
        compiler = tool(build.compiler, build.arch)

        def compiled(source: Path) -> Path:
            def make(target: Path) -> None:
                whole = target.with_suffix(".i")
                process.succeed(*compiler, *flags, "-E", source, "-o", whole)
                text = hashlib.sha256(LINE_MARKER.sub(b"", whole.read_bytes())).hexdigest()
                # Warnings of the preprocessed text may differ from those of the source.
                file = source if "-Werror" in flags else whole
                same = f"{source.stem}-{key(compiler, others, text)}.same.o"
                command = [*compiler, *flags, "-c", file, "-o"]
                target.hardlink_to(self.once(same, lambda made: process.succeed(*command, made)))
                whole.unlink()

            return self.once(f"{source.stem}-{key(compiler, flags, source)}.o", make)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(compiled, sources))

    def _runtime(self, what: str, build: Build) -> list[str]:
        return self.runtime_flags(what, build.port, build.tree, build.parts)

    def link(
        self, target: Path, build: Build, own: Iterable[Path], include: Sequence[Path]
    ) -> None:
        """A program of the runtime, of `plain` sources and of others that include what is in some
        folders; what a former one has of these is not compiled again."""
        plain = [*map(Path, self._runtime("sources", build)), *build.plain]
        as_it_is = {path: there for path in plain if (there := unchanged(build.tree, path))}
        # tests/compile/test_flags.py is about their warnings.
        flags = tuple(flag for flag in build.flags if not WARNS.match(flag))
        objects = self.objects(build.but(tree=PROJECT, flags=flags), as_it_is.values(), [])
        objects += self.objects(build, [path for path in plain if path not in as_it_is], [])
        objects += self.objects(build.but(flags=build.flags + build.own_flags), own, include)
        process.succeed(
            *tool(build.compiler, build.arch), *build.flags, "-pthread", "-o", target, *objects,
            *build.link, *self._runtime("libs", build),
        )  # fmt: skip

    def program(self, build: Build) -> Path:
        """The program of a build; what starts it, where it has to be emulated."""
        if self.arch and build.port == "posix":
            if any(flag in SANITIZERS for flag in build.flags):
                pytest.skip("sanitizers do not run in an emulator")
            build = build.but(arch=self.arch)

        def make(target: Path) -> None:
            if not build.sources:
                return self.link(target, build, [], [])
            out = self.generated(build.schema, build.sync, build.tree)
            own = [*build.sources, *sorted(out.glob("*.c"))]
            return self.link(target, build, own, [out, *{path.parent for path in build.sources}])

        name = f"program-{key(build)}"
        if not build.arch:
            return self.once(name, make)
        program = self.once(f"{name}-{build.arch}", make)
        return self.once(name, lambda script: runnable(program, build.arch, script))

    def attempt(
        self, build: Build, test: str, timeout: float = 120, **options: object
    ) -> subprocess.CompletedProcess[str]:
        """Run a test of a program, whatever comes of it. `options` are those of the test."""
        return run_test(self.program(build.about(test)), test, timeout, **options)

    def passes(self, build: Build, test: str, timeout: float = 600, **options: object) -> str:
        """Run a test of a program that has to pass; what it prints. The limit ends a test that
        hangs: beside much else, threads take turns slowly."""
        done = self.attempt(build, test, timeout, **options)
        if done.returncode != 0:
            what = f"{build.schema.stem} under {build.sync or 'its own strategy'}, {build.port}"
            text = f"{test} ({what}) ends with {done.returncode}\n{done.stdout}{done.stderr}"
            pytest.fail(text, pytrace=False)
        return done.stdout


SHARED = "CTR_TEST_WORKSHOP"
"""Where tests/conftest.py tells all processes of a run the folder of their workshop."""


@functools.cache
def shared() -> Workshop:
    """The workshop of a run of tests; of other programs, one that is gone when they end."""
    folder = os.environ.get(SHARED)
    if folder is None:
        folder = tempfile.mkdtemp(prefix="ctrgen-workshop-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Workshop(Path(folder))


def run_test(
    program: Path,
    test: str,
    timeout: float = 120,
    environment: Mapping[str, str] | None = None,
    **options: object,
) -> subprocess.CompletedProcess[str]:
    """Run one test of a program with options such as ROUNDS=10."""
    variables = {f"CTR_TEST_{name}": str(value) for name, value in options.items()}
    variables |= environment or {}
    # What the developer sets goes first: CTR_TEST_ROUNDS=1000000 ./dev test tests/run
    return process.run(program, test, env={**variables, **os.environ}, timeout=timeout)


def figures(text: str) -> dict[str, int]:
    """Numbers that a test prints as name=number."""
    words = [word.split("=", 1) for word in text.split() if "=" in word]
    return {name: int(number) for name, number in words}
