# SPDX-License-Identifier: BSD-3-Clause
"""The schema of a module, as a comment at the end of it: `-- ctrgen: schema = {...}`.

`ctrgen import` takes the schema from there. A digest in front of it tells whether the definitions
are still those that were generated. Where names or OIDs do not follow from the schema alone, the
lock file is there as well, compressed. A value is YAML on one line, in printable 7-bit characters
and without a double hyphen, which would end the comment, so no text of a schema can get out of it.
"""

import base64
import functools
import re
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from ..model.language.scalars import flow, scalar
from ..model.naming import smi

SCHEMA, DIGEST = "schema", "digest"
"""Keys of the comments: the schema, and a digest of what is in front of them."""

MAX_BYTES = 16 << 20
"""Most octets of a lock file that are taken out of a module."""

_LOCK = "-- ctrgen-lock: "
_LOCKS = re.compile(rf"(?m)^{_LOCK}(\S+)")
_DIGESTS = re.compile(rf"(?m)^-- ctrgen: {DIGEST} = (\w+)")

_PLAIN = re.compile(r"[A-Za-z0-9_/.][A-Za-z0-9_/.()+%' -]*(?<! )\Z")
_SKIPPED = "|".join(f"{word[0]}(?={word[1:]})" for word in smi.SKIPPED)
_ESCAPED = re.compile(rf"[^ !#-\[\]-~]|-(?=-)| (?= )|{_SKIPPED}")


@functools.lru_cache(maxsize=4096)
def _quoted(value: str) -> str:
    plain = _PLAIN.match(value) and not _ESCAPED.search(value)
    if plain and isinstance(scalar(value), str):
        return value
    return f'"{_ESCAPED.sub(_escape, value)}"'


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    mark, width = ("x", 2) if code < 256 else ("u", 4) if code < 65536 else ("U", 8)
    return f"\\{mark}{code:0{width}x}"


def _lines(key: str, value: Any) -> Iterator[str]:
    """One comment as lines, folded at spaces; a longer word is cut by backslashes."""
    start = "-- ctrgen+:"
    room = smi.COLUMNS - len(start) - 2
    line = f"-- ctrgen: {key} ="
    for word in flow(value, _quoted).split(" "):
        if len(line) + 1 + len(word) > smi.COLUMNS:
            yield line
            line = start
        while len(word) > room + 1:
            yield f"{start} {word[:room]}\\"
            word = word[room:]
        line += f" {word}"
    yield line


def digest(text: str) -> str:
    """The digest of the definitions of a module, with which `text` ends: the same with other line
    ends."""
    own = text[text.index(" DEFINITIONS ::= BEGIN") :].replace("\r", "")
    return f"x{zlib.crc32(own.encode('utf-8', 'replace')):08x}"


def annotated(text: str, schema: Mapping[str, Any], lock: str = "") -> str:
    """A module with its schema behind its definitions, and the text of its lock file."""
    definitions = text.removesuffix("END\n")
    packed = base64.b64encode(zlib.compress(lock.encode(), 9)).decode() if lock else ""
    room = smi.COLUMNS - len(_LOCK)
    locks = (_LOCK + packed[at : at + room] for at in range(0, len(packed), room))
    lines = (*_lines(DIGEST, digest(definitions)), *_lines(SCHEMA, schema), *locks)
    return definitions + "\n".join(lines) + "\nEND\n"


def lock_text(text: str) -> str:
    """The text of the lock file that a module carries; empty without one, or where the definitions
    are no longer those that were generated."""
    mark, packed = _DIGESTS.search(text), "".join(_LOCKS.findall(text))
    if mark is None or not packed or digest(text[: mark.start()]) != mark[1]:
        return ""
    try:
        return zlib.decompressobj().decompress(base64.b64decode(packed), MAX_BYTES).decode()
    except (ValueError, zlib.error):
        return ""
