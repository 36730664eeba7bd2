# SPDX-License-Identifier: BSD-3-Clause
"""Reads modules with smidump of libsmi."""

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ...findings.usage import reason
from .dump import XmlError, parse
from .model import Module
from .places import Library
from .source import decode, part

SECONDS = 20
"""Time limit of smidump; some modules make it run for ever."""
MAX_OUTPUT = 256 << 20
"""Octets that smidump may write."""

_SMI = """\
{name} DEFINITIONS ::= BEGIN
internet OBJECT IDENTIFIER ::= {{ iso org(3) dod(6) 1 }}
directory OBJECT IDENTIFIER ::= {{ internet 1 }}
mgmt OBJECT IDENTIFIER ::= {{ internet 2 }}
experimental OBJECT IDENTIFIER ::= {{ internet 3 }}
private OBJECT IDENTIFIER ::= {{ internet 4 }}
enterprises OBJECT IDENTIFIER ::= {{ private 1 }}
NetworkAddress ::= CHOICE {{ internet IpAddress }}
IpAddress ::= [APPLICATION 0] IMPLICIT OCTET STRING (SIZE (4))
Counter ::= [APPLICATION 1] IMPLICIT INTEGER (0..4294967295)
Gauge ::= [APPLICATION 2] IMPLICIT INTEGER (0..4294967295)
TimeTicks ::= [APPLICATION 3] IMPLICIT INTEGER (0..4294967295)
Opaque ::= [APPLICATION 4] IMPLICIT OCTET STRING
END
"""
_EMPTY = "{name} DEFINITIONS ::= BEGIN\nEND\n"
GIVEN = {"RFC1155-SMI": _SMI, "RFC1065-SMI": _SMI, "RFC-1212": _EMPTY, "RFC-1215": _EMPTY}
"""Modules that need not be there: the last two hold only macros, which smidump knows."""

Repaired = Callable[[str, str], str]
"""Repairs the module in a text that has a name."""


class Dump(NamedTuple):
    """The result of a run: a module, or the reason for none; messages with their lines."""

    module: Module | None
    messages: tuple[tuple[int, str], ...] = ()
    failure: str = ""


def installed() -> bool:
    """Whether there is a smidump."""
    return shutil.which("smidump") is not None


def run(
    text: str, library: Library, imports: Iterable[str] = (), repaired: Repaired | None = None
) -> Dump:
    """Dump the module in a text, which builds on `imports`, as they are or `repaired`. Never raises
    for its contents."""
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        path, shelf = f"{folder}/MODULE", Path(folder, "shelf")
        search = os.pathsep.join(map(str, (shelf, *library.folders)))
        environment = {**os.environ, "SMIPATH": search, "LC_ALL": "C"}
        command = ["smidump", "-k", "-q", "-s", "-l", "2", "-c", os.devnull, "-f", "xml", path]
        failure = ""
        try:
            Path(path).write_text(text, encoding="utf-8")
            _fill(shelf, imports, library, repaired)
            with subprocess.Popen(
                command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment
            ) as process:
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (MAX_OUTPUT, MAX_OUTPUT))
                try:
                    process.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    failure = f"smidump took more than {SECONDS} s"
        except OSError as error:
            return Dump(None, (), f"smidump cannot be run: {reason(error)}")
        if process.returncode == -signal.SIGXFSZ:
            failure = "smidump wrote too much"
        elif process.returncode < 0 and not failure:
            failure = f"smidump ended with signal {-process.returncode}"
        out.seek(0)
        err.seek(0)
        lines = err.read(1 << 20).decode("utf-8", "replace").splitlines()
        written = "" if failure else out.read().decode("utf-8", "replace")
    message = re.compile(rf"{re.escape(path)}:([0-9]+): \[[01]\] (.*)")  # 0 and 1 are the worst
    messages = tuple((int(match[1]), match[2]) for match in map(message.match, lines) if match)
    try:
        return Dump(parse(written) if written else None, messages, failure)
    except XmlError as error:
        return Dump(None, messages, f"the XML of smidump cannot be read: {error}")


def _fill(folder: Path, names: Iterable[str], library: Library, repaired: Repaired | None) -> None:
    """Put some modules, and all that these import, into a folder. Raises OSError.

    smidump looks for a module by the name of its file, and takes a file for one module.
    """
    folder.mkdir()
    found = library.closure(names)
    for name, file in found.items():
        if library.holds(file) == 1 and repaired is None:
            (folder / name).symlink_to(file.resolve())
        else:
            text = (repaired or part)(decode(file.read_bytes()), name)
            (folder / name).write_text(text, "utf-8")
    for name in GIVEN.keys() - found.keys():
        (folder / name).write_text(GIVEN[name].format(name=name), "utf-8")
