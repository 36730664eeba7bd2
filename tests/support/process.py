# SPDX-License-Identifier: BSD-3-Clause
"""Runs commands: of this machine in a process, and the verbs of ctrgen in this one."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ctrgen.commands import cli
from tests.support import forked

TIMEOUT = 600
"""Seconds after which a command is stopped."""

MODULES = ("MIBS", "MIBDIRS", "MIBFILES", "SMIPATH", "SNMPCONFPATH", "SNMP_PERSISTENT_FILE")
"""What tells net-snmp and libsmi of MIB modules and configuration on somebody's machine."""

for name in MODULES:  # everything that is run for a test, this process too, does without
    os.environ.pop(name, None)

Words = str | Path
Environment = Mapping[str, str | None]
"""Variables over those of the tests; None takes one away."""


def environment(changes: Environment | None = None) -> dict[str, str]:
    """The variables of a command; the programs beside this Python, ctrgen among them, go first."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    merged = {**os.environ, "PATH": path, **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def run(
    *command: Words,
    cwd: Path | None = None,
    env: Environment | None = None,
    timeout: float = TIMEOUT,
    merged: bool = False,
    **options: Any,
) -> subprocess.CompletedProcess[str]:
    """Run a command, whatever comes of it; `merged` puts stderr into stdout, in order.

    Fails the test when the command has not ended after `timeout` seconds.
    """
    words = [str(word) for word in command]
    variables, folder = environment(env), Path.cwd() if cwd is None else cwd
    try:
        if not options and (verb := forked.verb(words, folder, variables)) is not None:
            return forked.run(verb, folder, variables, timeout, merged)
        return subprocess.run(
            words,
            cwd=cwd,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            text=True,
            timeout=timeout,
            check=False,
            **options,
        )
    except subprocess.TimeoutExpired as late:
        text = f"{' '.join(words)}\nhas not ended after {timeout} s\n{late.stdout}{late.stderr}"
        pytest.fail(text, pytrace=False)


def succeed(*command: Words, fails: bool = False, **options: Any) -> str:
    """What a command prints that has to succeed, or with `fails` not to; `options` as of run()."""
    done = run(*command, **options)
    if (done.returncode != 0) is not fails:
        text = f"{' '.join(map(str, command))}\nends with {done.returncode}\n"
        pytest.fail(f"{text}{done.stdout}{done.stderr or ''}", pytrace=False)
    return done.stdout


def ctrgen(*words: Words, **options: Any) -> Result:
    """Run a verb of ctrgen in this process; exceptions come through. `options` as of click."""
    arguments = [str(word) for word in words]
    return CliRunner().invoke(cli.commands, arguments, catch_exceptions=False, **options)


def until(condition: Callable[[], object], what: str = "", patience: float = 120) -> None:
    """Wait until something is so, at most `patience` seconds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"not within {patience:g} seconds: {what}"
        time.sleep(0.05)


def git(folder: Path, *words: str) -> None:
    """Run git, as somebody."""
    succeed("git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words, cwd=folder)


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in a folder, so that findings show paths below it."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
