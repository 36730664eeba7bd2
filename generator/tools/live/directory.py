# SPDX-License-Identifier: BSD-3-Clause
"""The directory of a shared segment (runtime/include/ctr_segment_format.h): checked, and made into
the modules that it describes."""

import itertools
import re
import struct
from typing import NamedTuple

from ...model.types import CODES
from .model import KINDS, Histogram, Index, Item, LiveError, Module, Scope, legible

MAGIC = b"ctrgen\n\0"
VERSION = 3
FORMER = 2  # a format that is read, too: parts of keys have no labels in it
BYTE_ORDER = 0x01020304
MOST = 64 << 20  # most bytes of a directory
RECORD = struct.Struct("=IIQQ")  # of a record: sequence count, flags, discontinuity, the writer's
EXISTS, TORN, KEYED = 1, 2, 4  # flags of a record

_HEADER = struct.Struct("=8sIIQQQQQQII20IQQII")
HEADER_SIZE = _HEADER.size
_ENTRIES = {
    "module": struct.Struct("=6I"), "scope": struct.Struct("=QQ22I"),
    "index": struct.Struct("=6I"), "part": struct.Struct("=8I"),
    "item": struct.Struct("=QQ12I"), "label": struct.Struct("=Ii"),
    "histogram": struct.Struct("=6I"), "bound": struct.Struct("=Q"), "view": struct.Struct("=I"),
}  # fmt: skip
_FORMER_ENTRIES = {**_ENTRIES, "part": struct.Struct("=6I")}
_SOURCES = ("stored", "device", "callback", "derived")
_TYPES = tuple(CODES)
_DYNAMIC = 1
_NAME = re.compile("[a-zA-Z_][a-zA-Z0-9_]*")
_METRIC = re.compile("[a-zA-Z_:][a-zA-Z0-9_:]*")  # OpenMetrics 1.0, "Metric names"


class Header(NamedTuple):
    """The header of a segment; `tables` are the numbers of its table of tables."""

    version: int
    size: int
    layout: int
    generation: int
    start_ns: int
    clock_ns: int
    pid: int
    directory: int
    directory_size: int
    tables: tuple[int, ...]
    published_ns: int
    publications: int
    state: int


class Field(NamedTuple):
    """Where an item is in the value struct; where its flag is that is 0 without a value, or 0."""

    offset: int
    size: int
    available: int = 0


class Place(NamedTuple):
    """Where the records of a scope are in the segment, and what is where in a record; `texts`: of
    each index, offsets of the texts of its key, and their room."""

    records: int
    exists: int
    total: int
    stride: int
    values: int
    fields: tuple[Field, ...]
    texts: tuple[tuple[tuple[int, int], ...], ...]


def corrupt(what: str) -> LiveError:
    """The error of an invalid segment."""
    return LiveError(f"the segment is corrupt: {what}")


def header_of(data: bytes, size: int) -> Header:
    """The header of a segment of `size` bytes, checked. Raises LiveError."""
    if len(data) < HEADER_SIZE or not data.startswith(MAGIC):
        raise LiveError("this is no segment of ctrgen")
    _, version, order, *rest = _HEADER.unpack_from(data)
    if order != BYTE_ORDER:
        raise LiveError("the segment is of a machine of another byte order")
    if version not in (VERSION, FORMER):
        raise LiveError(
            f"the segment has format {version} and this ctrgen reads {VERSION}: use the version "
            "of ctrgen that the application was built with"
        )
    header = Header._make((version, *rest[:8], tuple(rest[8:28]), *rest[28:31]))
    if header.size != size:
        raise corrupt(f"it has {size} bytes and says {header.size}")
    start, length = header.directory, header.directory_size
    if start < HEADER_SIZE or start % 8 or length % 8 or length > MOST or start + length > size:
        raise corrupt("its directory is not in it")
    return header


def _hash(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for (word,) in struct.iter_unpack("=Q", data):
        value = (value ^ word) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


class _Directory:
    """Reads entries in the order in which rows have them, so none is read twice."""

    def __init__(self, header: Header, data: bytes) -> None:
        if len(data) != header.directory_size or _hash(data) != header.layout:
            raise corrupt("its directory is not what was written")
        self.size = header.size
        self._data = data
        places = zip(header.tables[::2], header.tables[1::2], strict=True)
        self._tables = dict(zip((*_ENTRIES, "text"), places, strict=True))
        self._next = dict.fromkeys(self._tables, 0)
        self._entries = _ENTRIES if header.version == VERSION else _FORMER_ENTRIES
        for name, (offset, count) in self._tables.items():
            each = self._entries[name].size if name != "text" else 1
            if offset % 8 or offset + count * each > len(data):
                raise corrupt(f"its table of {name}s is not in it")
        self._texts = data[self._tables["text"][0] :][: self._tables["text"][1]]
        self._spent = 0

    def count(self, name: str) -> int:
        return self._tables[name][1]

    def rows(self, name: str, first: int, count: int) -> list[tuple[int, ...]]:
        """Entries of a table, those behind what the row before it had."""
        offset, total = self._tables[name]
        if count and (first != self._next[name] or first + count > total):
            raise corrupt(f"it has no such {name}s")
        self._next[name] += count
        each = self._entries[name]
        at = offset + first * each.size
        return [each.unpack_from(self._data, at + i * each.size) for i in range(count)]

    def text(self, at: int) -> str:
        """A text; all of them together are no longer than the table."""
        end = self._texts.find(b"\0", at) if at < len(self._texts) else -1
        self._spent += end + 1 - at if at else 0
        if end < 0 or self._spent > len(self._texts):
            raise corrupt("a text is not in it")
        return legible(self._texts[at:end])

    def name(self, at: int) -> str:
        """A text of which names of metrics and labels are made."""
        return self._matched(_NAME, self.text(at))

    def displays(self, count: int) -> dict[str, str]:
        """Displayed texts for names of a scope: the labels that follow."""
        rows = self.rows("label", self._next["label"], count)
        found = {self.text(name): self.text(text & 0xFFFFFFFF) for name, text in rows}
        for name, text in found.items():
            if name.startswith("metric "):
                self._matched(_METRIC, text)
        return found

    def _matched(self, pattern: re.Pattern[str], text: str) -> str:
        if not pattern.fullmatch(text):
            raise corrupt(f"'{text}' is no name")
        return text


def _labels(directory: _Directory, first: int, count: int) -> tuple[tuple[str, int], ...]:
    rows = directory.rows("label", first, count)
    return tuple((directory.text(name), value) for name, value in rows)


def _inside(offset: int, length: int, size: int) -> bool:
    return offset % 8 == 0 and offset + (length + 7 & ~7) <= size


def _index(
    directory: _Directory, row: tuple[int, ...], text: int, text_size: int
) -> tuple[Index, tuple[tuple[int, int], ...]]:
    name, maximum, first_label, num_labels, first_part, num_parts = row
    if maximum == 0 or num_labels not in (0, maximum):
        raise corrupt("an index has no values, or not as many labels")
    labels = tuple(label for label, _ in _labels(directory, first_label, num_labels))
    parts = directory.rows("part", first_part, num_parts)
    for _, _, _, _, at, room, *labelled in parts:
        if labelled:
            _labels(directory, *labelled)
        if room == 0 or not _inside(at, room, text_size):
            raise corrupt("the text of a key is not in its record")
    keys = tuple(directory.name(part[0]) for part in parts)
    places = tuple((text + part[4], part[5]) for part in parts)
    return Index(directory.name(name), maximum, labels, keys), places


def _item(directory: _Directory, row: tuple[int, ...], value_size: int) -> tuple[Item, Field]:
    _, _, name, unit, about, kind, kind_of, width, offset, size, first, count = row[:12]
    available, source = row[12:]
    if kind >= len(KINDS) or kind_of >= len(_TYPES) or size == 0:
        raise corrupt("an item has no such kind or type")
    if source >= len(_SOURCES) or available >= value_size:
        raise corrupt("an item has no such source, or no place for its flag")
    type_ = _TYPES[kind_of]
    if size != (CODES[type_].width // 8 or size) or offset + size > value_size:
        raise corrupt("an item is not in its record")
    labels = _labels(directory, first, count)
    text = directory.text
    made = Item(
        directory.name(name), KINDS[kind], type_, text(unit), text(about), width, labels,
        _SOURCES[source],
    )  # fmt: skip
    return made, Field(offset, size, available)


def _histogram(directory: _Directory, row: tuple[int, ...], num_items: int) -> Histogram:
    name, unit, about, first, count, item = row
    if item + count + 2 > num_items:
        raise corrupt("a histogram has no such items")
    bounds = tuple(bound for (bound,) in directory.rows("bound", first, count))
    text = directory.text
    return Histogram(directory.name(name), text(about), text(unit), bounds, item, item + count + 1)


def _scope(directory: _Directory, row: tuple[int, ...]) -> tuple[Scope, Place]:
    records, exists, name, about, _, storage, _, total, stride, values, value_size = row[:11]
    views, num_views, key, key_size, text, text_size = row[11:17]
    first_index, num_indexes, first_item, num_items, first_histogram, num_histograms = row[17:23]
    each = value_size + 7 & ~7
    if (
        storage > _DYNAMIC
        or stride % 8
        or values < RECORD.size
        or not _inside(values, value_size, stride)
        or not _inside(views, each * num_views, stride)
        or not _inside(key, key_size, stride)
        or not _inside(text, text_size, stride)
        or not _inside(records, total * stride, directory.size)
        or not _inside(exists, (total + 63) // 64 * 8, directory.size)
    ):
        raise corrupt("the records of a scope are not in it")
    indexes, places, product = [], [], 1
    for entry in directory.rows("index", first_index, num_indexes):
        index, place = _index(directory, entry, text, text_size)
        indexes.append(index)
        places.append(place)
        product *= index.maximum
        if product > total:
            break
    if product != total:
        raise corrupt("a scope has another number of instances")
    rows = directory.rows("item", first_item, num_items)
    pairs = [_item(directory, entry, value_size) for entry in rows]
    histograms = tuple(
        _histogram(directory, entry, num_items)
        for entry in directory.rows("histogram", first_histogram, num_histograms)
    )
    items, fields = tuple(item for item, _ in pairs), tuple(field for _, field in pairs)
    if any(a.offset + a.size > b.offset for a, b in itertools.pairwise(fields)):
        raise corrupt("two items are in the same place")
    scope = Scope(
        directory.name(name), directory.text(about), tuple(indexes), items, histograms,
        dynamic=storage == _DYNAMIC,
    ).displayed(directory.displays(row[23]))  # fmt: skip
    return scope, Place(records, exists, total, stride, values, fields, tuple(places))


def modules_of(header: Header, data: bytes) -> dict[str, tuple[Module, tuple[Place, ...]]]:
    """The modules of a segment by name, with the places of their scopes. Raises LiveError."""
    directory = _Directory(header, data)
    found: dict[str, tuple[Module, tuple[Place, ...]]] = {}
    for row in directory.rows("module", 0, directory.count("module")):
        name, about, first_scope, num_scopes, first_view, num_views = row
        rows = directory.rows("scope", first_scope, num_scopes)
        pairs = [_scope(directory, entry) for entry in rows]
        view_rows = directory.rows("view", first_view, num_views)
        views = tuple(directory.text(view) for (view,) in view_rows)
        scopes = tuple(scope for scope, _ in pairs)
        module = Module(
            directory.name(name), directory.text(about), scopes, views, f"{header.layout:016x}"
        )
        if module.name in found:
            raise corrupt(f"it has two modules '{module.name}'")
        found[module.name] = module, tuple(place for _, place in pairs)
    return found
