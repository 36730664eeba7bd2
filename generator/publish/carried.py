# SPDX-License-Identifier: BSD-3-Clause
"""The schema of a module, encoded in comments behind its definitions, for `ctrgen import`.

Where names or OIDs do not follow from the schema alone, the lock file is there as well. A digest
tells whether the definitions are still those that were generated.
"""

import base64
import json
import re
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..model.naming import smi

MAX_BYTES = 16 << 20
"""Most octets of a lock file that are taken out of a module."""
MAX_DEPTH = 32
"""Deepest nesting of a schema, as in YAML."""

_SCHEMA, _LOCK = "-- ctrgen-schema: ", "-- ctrgen-lock: "
_DIGEST = re.compile(r"(?m)^-- ctrgen-digest: (\w+)")


class Carried(NamedTuple):
    """Contents of the comments of a module, which begin at `start`, below 0 if there are none. The
    schema is None if they are damaged, or the definitions were edited."""

    start: int = -1
    schema: dict[str, Any] | None = None
    lock: str = ""


def digest(text: str) -> str:
    """The digest of the definitions of a module, with which `text` ends: the same with other line
    ends."""
    own = text[text.find(" DEFINITIONS ::= BEGIN") :].replace("\r", "")
    return f"x{zlib.crc32(own.encode('utf-8', 'replace')):08x}"


def annotated(text: str, schema: Mapping[str, Any], lock: str = "") -> str:
    """A module with its schema behind its definitions, and the text of its lock file."""
    definitions = text.removesuffix("END\n")
    lines = [f"{definitions}-- ctrgen-digest: {digest(definitions)}"]
    packed = zlib.compress(lock.encode(), 9) if lock else b""
    for start, data in ((_SCHEMA, json.dumps(schema).encode()), (_LOCK, packed)):
        encoded, room = base64.b64encode(data).decode(), smi.COLUMNS - len(start)
        lines += (start + encoded[at : at + room] for at in range(0, len(encoded), room))
    return "\n".join((*lines, "END\n"))


def carried(text: str) -> Carried:
    """What the text of a module carries."""
    mark = _DIGEST.search(text)
    if mark is None or digest(text[: mark.start()]) != mark[1]:
        return Carried(mark.start() if mark else -1)
    try:
        schema = json.loads(_decoded(text, _SCHEMA))
        lock = zlib.decompressobj().decompress(_decoded(text, _LOCK), MAX_BYTES).decode()
    except (ValueError, RecursionError, zlib.error):
        return Carried(mark.start())
    sound = isinstance(schema, dict) and not _is_deeper(schema, MAX_DEPTH)
    return Carried(mark.start(), schema if sound else None, lock)


def _is_deeper(value: object, depth: int) -> bool:
    """Whether values nest deeper than that."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth < 0 or any(_is_deeper(each, depth - 1) for each in inner)


def _decoded(text: str, start: str) -> bytes:
    return base64.b64decode("".join(re.findall(rf"(?m)^{start}(\S+)", text)))
