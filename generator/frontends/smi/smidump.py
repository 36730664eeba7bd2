# SPDX-License-Identifier: BSD-3-Clause
"""Reads modules with smidump, which knows SMI better than anything else that is free."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ...findings.usage import reason
from .dump import XmlError, parse
from .model import Module
from .places import Library
from .shelf import fill

SECONDS = 20
"""Longest that smidump may take; some modules make it run for ever."""
MAX_OUTPUT = 256 << 20
"""Most octets that smidump may write."""


class Dump(NamedTuple):
    """What came of a run: a module, or why there is none; lines with what is wrong with each."""

    module: Module | None
    messages: tuple[tuple[int, str], ...] = ()
    failure: str = ""
    orphans: bool = False
    """Whether it imports names that no module defines where they are imported from."""


def installed() -> bool:
    """Whether there is a smidump."""
    return shutil.which("smidump") is not None


def run(text: str, library: Library, imports: Iterable[str] = (), *, mended: bool = False) -> Dump:
    """Dump the module in a text, which builds on `imports`; with `mended`, on these as they are
    meant. Never raises for what it holds."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as err:
        path, shelf = f"{folder}/MODULE", Path(folder, "shelf")
        search = os.pathsep.join(map(str, (shelf, *library.outer)))
        environment = {**os.environ, "SMIPATH": search, "LC_ALL": "C"}
        try:
            Path(path).write_text(text, encoding="utf-8")
            shelf.mkdir()
            fill(shelf, imports, library, mended)
        except OSError as error:
            return Dump(None, (), f"what smidump needs cannot be put together: {reason(error)}")
        command = ["smidump", "-k", "-q", "-s", "-l", "2", "-c", os.devnull, "-f", "xml", path]
        try:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=err, stdin=subprocess.DEVNULL,
                env=environment,
            ) as process:  # fmt: skip
                out, failure = _output(process)
        except OSError as error:
            return Dump(None, (), f"smidump cannot be run: {reason(error)}")
        err.seek(0)
        lines = err.read(1 << 20).decode("utf-8", "replace").splitlines()
    said = re.compile(rf"{re.escape(path)}:([0-9]+): \[[01]\] (.*)")  # 0 and 1 are the worst
    messages = tuple((int(match[1]), match[2]) for match in map(said.match, lines) if match)
    if not failure and process.returncode < 0:
        failure = f"smidump broke down with signal {-process.returncode}"
    module = None
    try:
        if out and not failure:
            module = parse(out.decode("utf-8", "replace"))
    except XmlError as error:
        failure = f"the XML of smidump cannot be read: {error}"
    orphans = any("cannot be imported from module" in line for line in lines)
    return Dump(module, messages, failure, orphans)


_MEANINGS = {
    "unknown object identifier": "nothing defines '{}'",
    "unknown type": "nothing defines the type '{}'",
    "last subidentifier assigned to": "the OID of '{}' ends with 0",
    "registers object identifier": "'{}' has the OID of '{}'",
    "of index element": "the index '{}' may be below 0",
    "cannot be imported": "'{}' is not defined in '{}'",
    "redefinition of": "'{}' is defined twice",
    "failed to locate": "",
}
"""What messages mean that hold some words, with the names in them."""


def meaning(words: str) -> str | None:
    """What a message means; empty for what the search for modules has said, and None for what is
    wrong in some other way."""
    names = re.findall(r"`([^']*)'", words)
    ours = next((ours for part, ours in _MEANINGS.items() if part in words), None)
    return ours and ours.format(*names, "", "")


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
