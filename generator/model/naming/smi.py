# SPDX-License-Identifier: BSD-3-Clause
"""Names and free text in SMIv2 modules: how they are made from a schema's, how text is escaped."""

import functools
import re
import unicodedata

from .lines import filled

_WORDS = re.compile(r"[_-]+")


@functools.lru_cache(maxsize=4096)
def camel(name: str) -> str:
    """A schema's name as one with capitals: `rx_pkts` gives `rxPkts`, `tx_10g` `tx10g`."""
    first, *rest = [word for word in _WORDS.split(name) if word] or [""]
    return first[:1].lower() + first[1:] + "".join(word[:1].upper() + word[1:] for word in rest)


def pascal(name: str) -> str:
    """Like `camel`, with a capital first letter: what follows another part of a name."""
    return capital(camel(name))


def capital(name: str) -> str:
    """A name with a capital first letter, such as that of a type."""
    return name[:1].upper() + name[1:]


def module_name(module: str) -> str:
    """Name of the MIB module of a schema: `ep` gives `EP-STATS-MIB`."""
    return f"{'-'.join(word for word in module.upper().split('_') if word)}-STATS-MIB"


def identity(mib: str) -> str:
    """Name of the MODULE-IDENTITY of a MIB module: `EP-STATS-MIB` gives `epStatsMIB`."""
    *words, last = [word for word in mib.split("-") if word] or [""]
    start = camel("_".join(word.lower() for word in words))
    return start + last.upper() if start else last.lower()


COLUMNS = 72
"""Longest line of a module, as in RFCs."""

_SPELLED = {
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
    "\u2018": "'", "\u2019": "'", "\u201c": "'", "\u201d": "'", "\xab": "'", "\xbb": "'", '"': "'",
    "\u2026": "...", "\xb5": "u", "\u03bc": "u", "\xb0": "deg", "\xd7": "x", "\u2264": "<=",
    "\u2265": ">=", "\u2260": "!=", "\u2192": "->", "\xdf": "ss", "\xe6": "ae", "\xf8": "o",
    "\xa0": " ",
}  # fmt: skip


@functools.lru_cache(maxsize=4096)
def _ascii(char: str) -> str:
    if char in _SPELLED:
        return _SPELLED[char]
    plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode("ascii")
    return plain if plain and plain.isprintable() and '"' not in plain else f"U+{ord(char):04X}"


_UNUSUAL = re.compile(r"[^\n\x20\x21\x23-\x7e]")

SKIPPED = ("MACRO", "CHOICE", "EXPORTS")
"""Words behind which pysmi leaves out what follows, though they are in a string or a comment."""

_SKIPPED = re.compile("|".join(rf"{word}(?<!\w{word})\b" for word in SKIPPED))
"""With nothing before the words, which makes the search much faster than `\\b` would."""


def escape(text: str) -> str:
    """Free text for the inside of an SMI string: printable 7-bit characters, no double quote. Line
    breaks stay; letters lose accents; SKIPPED words become lower case."""
    return _small(_UNUSUAL.sub(lambda match: _ascii(match[0]), text.replace("\t", " ")))


def _small(text: str) -> str:
    return _SKIPPED.sub(lambda match: match[0].lower(), text)


def comment(text: str) -> str:
    """Free text for an SMI comment on one line, which a double hyphen would end."""
    text = " ".join(escape(text).split())
    return re.sub(r"-(?=-)", "- ", text)


@functools.lru_cache(maxsize=4096)
def wrapped(paragraph: str, width: int) -> str:
    """Text as lines of at most `width` characters."""
    words = paragraph.split()
    parts = [word[at : at + width] for word in words for at in range(0, len(word), width)]
    return filled(parts, width)


def quoted(text: str, indent: int = 8) -> str:
    """Free text as an SMI string of several lines, each after `indent` spaces. Blank lines separate
    paragraphs; other white space is folded."""
    paragraphs = [_paragraph(part, indent) for part in text.split("\n\n")]
    body = "\n\n".join(filter(None, paragraphs)).lstrip()
    return f'{" " * indent}"{body}"'


@functools.lru_cache(maxsize=4096)
def _paragraph(text: str, indent: int) -> str:
    """A paragraph of an SMI string, each line one further in than the string."""
    lines = wrapped(escape(text), COLUMNS - indent - 2)
    margin = " " * (indent + 1)
    return _small(margin + lines.replace("\n", f"\n{margin}")) if lines else ""


def joined(first: str, second: str, indent: int = 8) -> str:
    """Two tokens on one line, or on two when that would be too long."""
    line = f"{first} {second}"
    return line if len(line) <= COLUMNS else f"{first}\n{' ' * indent}{second}"
