# SPDX-License-Identifier: BSD-3-Clause
"""Keys and syntax of other tools, and their equivalents in a schema.

Findings name the equivalent key, and show a correct line.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from ..kinds import GROUPS, Kind
from .base import Element
from .items import MODELS, Derived, Gauge, Histogram, Log2, Ratio
from .schema import Fragment, Scope, Update

_FORMATS = {
    "P4Info": r"(pkg_info|tables|actions|counters|direct_counters|preamble)\s*\{",
    "YANG": r"(sub)?module\s+[\w-]+\s*\{",
    "XML": r"<[?!/\w]",
    "C": r"(#\s*include\b|(typedef\s+)?struct\b[^:]*\{)",
    "a .proto file": r"syntax\s*=\s*[\"']proto",
    "Prometheus' text format": r"(# (HELP|TYPE) \w+ |\w+\{\w+=\")",
    "TOML": r"(\w+\s*=\s*\S|\[[\w.]+\]\s*$)",
}
_COMMENT = re.compile(r"(?:^|[,{}\]])\s*(//|/\*)")
_SAMPLE = 50
"""Lines that show what a file is."""

_HINTS = {"C": "`ctrgen adopt` proposes a schema for counters in C"}
_START = "a schema starts with `ctrgen: 1`; `ctrgen init` writes one"

_ALIKE = str.maketrans("авеіјкмнорѕстухԁһαικνορτυχ", "abeijkmhopsctyxdhaikvoptux")
"""Letters of other scripts, and those that they look like."""


def foreign(lines: list[str]) -> tuple[int, str, str] | None:
    """The line (from 0) that shows that a text is no schema but a file of another tool, what it is,
    and a hint; None where nothing shows that."""
    for number, line in enumerate(lines[:_SAMPLE]):
        for name, start in _FORMATS.items():
            if re.match(rf"\s*{start}", line):
                message = f"this looks like {name}, not like a schema"
                return number, message, _HINTS.get(name, _START)
        if not re.match(r"\s*(#|//|/?\*|$)", line):
            break
    return None


def c_comment(line: str) -> int | None:
    """Where a line has a comment as C and JSON5 write it."""
    match = _COMMENT.search(line)
    return match.start(1) if match else None


def odd(text: str) -> int | None:
    """Where a text has a character that is no space, colon or quote and looks like one."""
    for number, char in enumerate(text):
        if char > "\x7f" and (char.isspace() or unicodedata.normalize("NFKC", char) in ":\"'-{}[]"):
            return number
    return None


def plain(word: str) -> str:
    """A word in ASCII, with what letters of other scripts look like; empty if that cannot be."""
    decomposed = unicodedata.normalize("NFKD", word.casefold().translate(_ALIKE))
    kept = "".join(c for c in decomposed if unicodedata.category(c) not in ("Mn", "Cf"))
    return kept if kept.isascii() else ""


SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "description": ("brief", "comment", "desc", "doc", "help", "info", "summary", "title"),
    "unit": ("units", "uom"),
    "width": ("bits", "format"),
    **{kind.plural: kind.synonyms for kind in Kind},
    "keep": ("kind", "type", "which"),
    "of": ("gauge", "source"),
    "histograms": ("distributions", "histogram", "summaries"),
    "bounds": ("boundaries", "buckets", "le"),
    "statistic": ("counter", "field", "from", "stat", "xstat"),
    "sum": ("add", "plus", "total"),
    "difference": ("diff", "less", "minus", "sub"),
    "ratio": ("fraction", "percent", "quotient"),
    "rate": ("per_second",),
    "derived": ("calculated", "computed", "formulas"),
    "observe": ("histogram", "observes", "record", "sample"),
    "max": ("capacity", "count", "instances", "maximum", "maxItems", "replicas", "size"),
    "parent": ("extends", "in", "inherits", "parents", "within"),
    "scopes": (
        *("components", "definitions", "groups", "instruments", "metric", "metrics", "objects"),
        *("resources", "schemas", "scope", "spec", "tables", "types"),
    ),
    "updates": ("actions", "events", "operations", "paths", "update"),
    "args": ("arguments", "parameters", "params"),
    "add": ("inc", "increment", "incr"),
    "ctrgen": ("apiVersion", "openapi", "schemaVersion", "version"),
    "module": ("metadata", "name", "namespace", "package", "prefix"),
    "include": ("imports", "includes"),
    "requires": ("constraints", "require", "requirements"),
    "sync": ("locking", "strategy", "synchronization"),
    "outputs": ("backends", "generate", "targets"),
}
"""Words for a key that are not that key; where the language has them, they mean what it says."""

_ITEM = "{unit: packets, description: Packets received.}"
_SCOPE = f"{{max: 4, counters: {{pkts: {_ITEM}}}}}"
_UPDATE = "{args: {size: uint16}, add: {global.bytes: size}}"
_DERIVED = "{sum: [rx, tx], description: Packets of both directions.}"
_HISTOGRAM = "{unit: By, description: Octets of packets., bounds: [64, 512, 1518]}"
_VALUES = {
    **{MODELS[kind]: kind.example.partition(" ")[2] for kind in Kind}, Gauge: _ITEM,
    Scope: _SCOPE, Update: _UPDATE, Histogram: _HISTOGRAM, Log2: "{min: 64, max: 4096}",
    Derived: _DERIVED, Ratio: "{of: tx, to: rx, scale: 1000}",
}  # fmt: skip
"""A value of each part of the language that has a name."""

_KEYS = {
    **{kind.plural: kind.example for kind in Kind},
    "histograms": f"sizes: {_HISTOGRAM}",
    "derived": f"pkts: {_DERIVED}",
    "scopes": f"port: {_SCOPE}",
    "updates": f"packet: {_UPDATE}",
    "args": "size: uint16",
    "add": "global.pkts: 1",
    "sub": "global.sessions: 1",
    "set": "global.link_up: true",
    "observe": "global.sizes: size",
    "requires": "exact: true",
}
"""What a mapping under a key holds."""

_WORD = re.compile(r"[\w$.-]+\Z")


def meant(word: str, known: Iterable[str]) -> str:
    """The known key that a word of another tool corresponds to, or nothing."""
    keys = set(known)
    return next((key for key, words in SYNONYMS.items() if key in keys and word in words), "")


def is_text(word: str) -> bool:
    """Whether a key looks like the rest of a text that was not quoted: `[all, of them.]`."""
    return not _WORD.match(word)


def example(element: Element) -> str:
    """A line with what a mapping could be, from its key on; nothing without a usual form."""
    if not element.path:
        return ""
    name = str(element.path[-1])
    if value := _VALUES.get(element.type):
        return f"{name}: {value}"
    inner = _KEYS.get(name)
    return f"{name}: {{{inner}}}" if inner and element.model is not None else ""


def lost(path: tuple[str | int, ...], scope: str) -> bool:
    """Whether items of a scope are missing when what is at a path could not be read."""
    inside = path[:2] == ("scopes", scope) and len(path) < 4
    other = inside and path[2:] and path[2] in Scope.model_fields
    kind = inside and path[2:] and path[2] in GROUPS
    unknown = len(path) == 1 and path[0] not in {*Fragment.model_fields, "import"}
    return path == ("scopes",) or unknown or bool(inside and (kind or not other))
