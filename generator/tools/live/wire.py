# SPDX-License-Identifier: BSD-3-Clause
"""The socket of DPDK's telemetry, version 2 (SOCK_SEQPACKET): a greeting with the length of
replies, then commands `/word[,parameters]`, whose replies are objects with that key."""

import contextlib
import json
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .model import LiveError
from .readers import remaining, spend

TIMEOUT = 2.0  # seconds that a reply may take
SOCKET = "dpdk_telemetry.v2"  # in the folder of an application; of others behind it `:1`, `:2`
GREETING = 4096  # longest greeting
_LONGEST = 1 << 20  # longest reply that is accepted; the library's are 16 KiB
_COMMAND = 1000  # longest command: the library reads 1,023 octets


def folders() -> tuple[Path, ...]:
    """Where applications of root, of this user, and without a runtime folder have theirs."""
    mine = os.environ.get("XDG_RUNTIME_DIR") or "/tmp"
    return tuple(dict.fromkeys(Path(base) / "dpdk" for base in ("/var/run", mine)))


def find() -> tuple[Path, ...]:
    """The sockets of applications, sorted: those that this user may use and that, with their
    folders, belong to this user or root, as others can plant them."""
    found = []
    for folder in folders():
        with contextlib.suppress(OSError):
            found += [path for path in folder.glob(f"*/{SOCKET}*") if _usable(path)]
    return tuple(sorted(found))


def _usable(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return (
            stat.S_ISSOCK(path.stat().st_mode)
            and all(map(trusted, (path, path.parent, path.parent.parent)))
            and os.access(path, os.W_OK, effective_ids=True)
        )
    return False


def trusted(path: Path) -> bool:
    """Whether a file, and a link to it, belongs to this user or root. Raises OSError."""
    return {path.stat().st_uid, path.lstat().st_uid} <= {0, os.geteuid()}


def _object(text: bytes, path: Path) -> dict[str, Any]:
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(text.decode("utf-8"))
        if isinstance(value, dict):
            return value
    raise LiveError(f"{path}: the reply is no JSON, or no object of JSON")


def greeted(text: bytes, path: Path) -> tuple[str, int]:
    """The version of DPDK that greets, and the octets that a reply may have. Raises LiveError."""
    greeting = _object(text, path)
    version, pid, longest = map(greeting.get, ("version", "pid", "max_output_len"))
    known = type(version) is str and type(pid) is int
    if not known or type(longest) is not int or not 0 < longest <= _LONGEST:
        raise LiveError(f"{path}: the greeting is not that of DPDK's telemetry")
    return str(version), longest


class Connection:
    """A connection to an application. Methods raise LiveError; after one, it is of no use."""

    def __init__(self, path: Path, timeout: float = TIMEOUT) -> None:
        """Connect, and read the greeting."""
        self._path = path
        self._longest, self._timeout = GREETING, timeout
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            try:
                self._limit()
                self._socket.connect(str(path))
            except OSError as error:
                raise LiveError(f"{path}: {error.strerror or error}") from None
            self.version, self._longest = greeted(self._receive(), path)
        except LiveError:
            self.close()
            raise

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise LiveError(f"{self._path}: no answer in time") from None
        except OSError as error:
            raise LiveError(f"{self._path}: {error.strerror or error}") from None

    def _limit(self) -> None:
        """Bound what the next call waits by its own timeout and the deadline of all."""
        self._socket.settimeout(min(self._timeout, remaining()))

    def _receive(self) -> bytes:
        with self._errors():
            self._limit()
            text, _, flags, _ = self._socket.recvmsg(self._longest)
        if flags & socket.MSG_TRUNC:
            raise LiveError(f"{self._path}: a reply is longer than it may be")
        if not text:
            raise LiveError(f"{self._path}: the application has closed the connection")
        spend(len(text))
        return text

    def ask(self, command: str, *parameters: object) -> Any:
        """The reply of the application to a command; None if the command is unknown."""
        text = ",".join((command, *map(str, parameters))).encode("utf-8")
        if len(text) > _COMMAND:
            raise LiveError(f"{self._path}: a command of {len(text)} octets is too long")
        with self._errors():
            self._limit()
            self._socket.send(text)
        reply = _object(self._receive(), self._path)
        if list(reply) != [command]:
            raise LiveError(f"{self._path}: the reply is not to {command}")
        return reply[command]

    def close(self) -> None:
        """Close the connection; again does nothing."""
        self._socket.close()
