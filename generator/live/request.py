# SPDX-License-Identifier: BSD-3-Clause
"""HTTP requests (RFC 9112): parsing, host checks, and the head of the response."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from urllib.parse import urlsplit

from ..findings.usage import UsageError

MOST_LINE = 4 << 10  # octets of a request line
MOST_HEAD = 16 << 10  # octets of a request line and its headers
OPENMETRICS = "application/openmetrics-text"  # a media type that a page may have

_VERSION = re.compile(r"HTTP/([0-9])\.[0-9]")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*")


class RefusedError(Exception):
    """A request that gets a status and a reason instead of a page."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


@dataclass(frozen=True)
class Request:
    """A request without a body: method, path with query, and headers, named in small letters."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]

    def all(self, name: str) -> list[str]:
        """The values of a header, each time that it is there."""
        return [value for each, value in self.headers if each == name]

    def first(self, name: str) -> str:
        """The first value of a header; empty without one."""
        return next(iter(self.all(name)), "")


def measured(head: bytes | bytearray) -> None:
    """Raises RefusedError if the beginning of a request is longer than that of any real one."""
    line = head.find(b"\n")
    if line > MOST_LINE or (line < 0 and len(head) > MOST_LINE):
        raise RefusedError(HTTPStatus.REQUEST_URI_TOO_LONG, f"At most {MOST_LINE} octets.")
    if len(head) > MOST_HEAD:
        raise RefusedError(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"At most {MOST_HEAD} octets."
        )


def parsed(head: bytes | bytearray) -> Request:
    """The request of a line and headers, without the empty line. Raises RefusedError."""
    first, *lines = (line.removesuffix("\r") for line in head.decode("latin-1").split("\n"))
    words = first.split(" ")
    version = _VERSION.fullmatch(words[-1])
    if len(words) != 3 or not version or not words[1].startswith("/"):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "This is no request of HTTP/1.")
    if version[1] != "1":
        raise RefusedError(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "HTTP/1 only.")
    headers = []
    for line in lines:
        match = _HEADER.fullmatch(line)
        if match is None:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "A header is no name and value.")
        headers.append((match[1].lower(), match[2]))
    return Request(words[0], words[1], tuple(headers))


def head(status: HTTPStatus, type_: str, size: int, packed: bool = False) -> bytes:
    """Status line and headers of an answer; the connection ends with its body."""
    lines = [
        f"HTTP/1.0 {status.value} {status.phrase}", "Server: ctrgen",
        f"Date: {formatdate(usegmt=True)}", f"Content-Type: {type_}", f"Content-Length: {size}",
        "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Connection: close",
    ]  # fmt: skip
    lines += ["Content-Encoding: gzip"] if packed else []
    return "\r\n".join([*lines, "", ""]).encode("ascii")


def names(host: str, reached: str) -> bool:
    """Whether a header `Host` is a loopback or the reached address. Raises ValueError."""
    address, own = ipaddress.ip_address(hostname(host)), ipaddress.ip_address(reached)
    return address.is_loopback or address in (own, getattr(own, "ipv4_mapped", None))


def hostname(host: str) -> str:
    """The name or address of a header `Host`. Raises ValueError."""
    return urlsplit(f"//{host}").hostname or ""


def accepted(header: str) -> str:
    """`OPENMETRICS` if a header `Accept` has it, not before version 1.0.0; else empty."""
    for part in header.split(","):
        kind, *parameters = (word.strip() for word in part.split(";"))
        if kind == OPENMETRICS and not any(each.startswith("version=0") for each in parameters):
            return OPENMETRICS
    return ""


def address(listen: str) -> tuple[str, int]:
    """The host and the port of `HOST:PORT`, `[ADDRESS]:PORT` or `:PORT`; an address or
    `localhost`, as a name can be anybody's. Raises UsageError."""
    host, colon, port = listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if host == "localhost":
        host = "127.0.0.1"
    try:
        ipaddress.ip_address(host)
        number = int(port)
        if not (colon and port.isascii() and port.isdigit() and number < 2**16):
            raise ValueError(port)
    except ValueError:
        hint = "such as 127.0.0.1:9464, [::1]:9464, or 0.0.0.0:9464 for everybody who can reach it"
        raise UsageError(f"'{listen}' is no address and port", hint) from None
    return host, number
