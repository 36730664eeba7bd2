# SPDX-License-Identifier: BSD-3-Clause
"""The DEFVAL of objects, as schemas have it: smidump writes values in forms of its own."""

import re

from ...model.language.snmp import DEFAULT
from . import types
from .clauses import tokens_of
from .mapping import plain
from .model import Module, Object, Type
from .reading import Reading
from .source import Definition, Source

_DEFAULT = re.compile(DEFAULT)
_DEFVAL = re.compile(r"\bDEFVAL\s*\{")
_NAME = re.compile(r"[a-z][\w-]*\Z")
_NUMBER = re.compile(r"-?[0-9]+")
_OCTETS = re.compile(r"'(?:([0-9A-Fa-f]*)'[Hh]|([01]*)'[Bb])")
_NODE = "ObjectIdentifier"


def read(module: Module, reading: Reading) -> dict[str, str]:
    """The default values of objects by their names; one that no schema can have is a note."""
    columns = (column for table in module.tables for column in table.columns)
    objects = {entry.name: entry for entry in (*module.scalars, *columns)}
    found: dict[str, str] = {}
    for name, definition in reading.source.definitions.items():
        tokens = _tokens(reading.source, definition) if name in objects else ()
        if not tokens:
            continue
        value = _spelled(objects[name], tokens, module, reading)
        if _DEFAULT.match(value):
            found[name] = value
        else:
            shown = plain(" ".join(tokens))[:60]
            message = f"the DEFVAL of '{name}' is no value of its type, and not imported: {shown}"
            reading.note("import-not-imported", name, message)
    return found


def _tokens(source: Source, definition: Definition) -> tuple[str, ...]:
    """The tokens of the value in the DEFVAL clause of an object; none without one."""
    found = _DEFVAL.search(definition.body)
    if found is None or "::=" in definition.body[: found.start()]:
        return ()
    inside: list[str] = []
    depth = 0
    start, end = definition.start + found.end(), definition.start + len(definition.body)
    for token in tokens_of(source.text[start:end]):
        depth += (token == "{") - (token == "}")
        if depth < 0:
            return tuple(inside)
        inside.append(token)
    return ()


def _spelled(object_: Object, tokens: tuple[str, ...], module: Module, reading: Reading) -> str:
    """A value; empty for one that the type of the object does not have, or a name that nothing has.
    An object whose type is not known becomes text."""
    entry = types.entry(object_.type, reading.lookup)
    type_ = types.resolve(object_.type, reading.lookup)[1]
    labels = {name for name, _ in types.distinct(type_.labels)[0]}
    if entry.type.name == "bool":
        labels |= {"true", "false"}
    if len(tokens) > 1:
        inner = {*tokens[1:-1]}
        bits = type_.base == "Bits" and inner - labels <= {","}
        node = type_.base == _NODE and inner and "," not in inner
        if (tokens[0], tokens[-1]) != ("{", "}") or not (bits or node):
            return ""
        return " ".join(tokens).replace(" ,", ",")
    (value,) = tokens
    if not _NAME.match(value):
        text = value.startswith('"') and plain(value[1:-1]) == value[1:-1]
        return value if _is_of(entry, type_, value, text=text) else ""
    if value in labels and type_.base != "Bits":
        return value
    if labels or type_.base != _NODE:
        return ""
    own = module.objects() | module.nodes.keys() | module.besides.keys()
    origin = reading.source.origins().get(value)
    return value if value in own else f"{origin}::{value}" if origin else ""


def _is_of(entry: types.Entry, type_: Type, value: str, *, text: bool) -> bool:
    """Whether a number, octets or a text are a value of a type."""
    if type_.base in ("Bits", _NODE):
        return False
    octets = _OCTETS.fullmatch(value)
    if entry.type.text:
        return text or octets is not None
    if not octets and not _NUMBER.fullmatch(value):
        return False
    number = int(value) if octets is None else int(octets[1] or "0", 16) or int(octets[2] or "0", 2)
    if type_.labels:
        return number in {number for _, number in type_.labels}
    ranges = [pair for pair in type_.ranges if all(map(_NUMBER.fullmatch, pair))]
    inside = any(int(low) <= number <= int(high) for low, high in ranges)
    return entry.type.low <= number <= entry.type.high and (inside or not ranges)
