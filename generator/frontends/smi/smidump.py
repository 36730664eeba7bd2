# SPDX-License-Identifier: BSD-3-Clause
"""Runs smidump, which knows SMI better than anything else that is free."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ...findings.usage import reason
from . import xml
from .model import Module

SECONDS = 20
"""Longest that smidump may take; some modules make it run for ever."""
MAX_OUTPUT = 256 << 20
"""Most octets that smidump may write."""

_MESSAGE = re.compile(r"^(?P<path>.*?):(?P<line>[0-9]+): \[(?P<level>[0-9])\] (?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class Message:
    """What smidump has to say about a line; `level` is 0 (worst) to 3."""

    path: str
    line: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Dump:
    """What came of a run; `failure` is empty, or why there is nothing (or not all)."""

    modules: tuple[Module, ...]
    messages: tuple[Message, ...]
    failure: str = ""


def installed() -> bool:
    """Whether there is a smidump."""
    return shutil.which("smidump") is not None


def run(path: Path, search: list[Path], encoding: str = "latin-1") -> Dump:
    """Dump the modules in a file, which is in `encoding`. Never raises for what it holds."""
    name = str(path) if os.sep in str(path) else f".{os.sep}{path}"
    command = ["smidump", "-k", "-q", "-s", "-l", "2", "-c", os.devnull, "-f", "xml", name]
    environment = {**os.environ, "SMIPATH": os.pathsep.join(map(str, search)), "LC_ALL": "C"}
    with tempfile.TemporaryFile() as err:
        try:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=err, stdin=subprocess.DEVNULL,
                env=environment,
            ) as process:  # fmt: skip
                out, failure = _output(process)
        except OSError as error:
            return Dump((), (), f"smidump cannot be run: {reason(error)}")
        err.seek(0)
        messages = _messages(err.read(1 << 20).decode("latin-1"))
    if not failure and process.returncode < 0:
        failure = f"smidump broke down with signal {-process.returncode}"
    if failure:
        return Dump((), messages, failure)
    try:
        return Dump(tuple(xml.read(out.decode(encoding, "replace"))), messages)
    except xml.XmlError as error:
        return Dump((), messages, f"the XML of smidump cannot be read: {error}")


def _output(process: subprocess.Popen[bytes]) -> tuple[bytes, str]:
    """All that a process writes until it ends, or why it was ended before."""
    assert process.stdout is not None
    handle = process.stdout.fileno()
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    end = time.monotonic() + SECONDS
    out = bytearray()
    while len(out) <= MAX_OUTPUT:
        left = end - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            process.kill()
            return b"", f"smidump took more than {SECONDS} s"
        chunk = os.read(handle, 1 << 20)
        if not chunk:
            return bytes(out), ""
        out += chunk
    process.kill()
    return b"", "smidump wrote too much"


def _messages(text: str) -> tuple[Message, ...]:
    matches = [match for line in text.splitlines() if (match := _MESSAGE.match(line))]
    return tuple(
        Message(match["path"], int(match["line"]), int(match["level"]), match["text"])
        for match in matches
    )
