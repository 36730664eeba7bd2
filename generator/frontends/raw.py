# SPDX-License-Identifier: BSD-3-Clause
"""The raw schema: plain values, and the position of every key and value.

Every frontend produces it and `schema` validates it. Positions are computed on
first use, so a schema without findings pays nothing.
"""

from dataclasses import dataclass
from typing import Any

from ..findings.diagnostics import Diagnostics, Severity, Span, declare

MAX_BYTES = 16 << 20
"""Largest schema file, in octets."""

declare("file-too-large", Severity.ERROR, "A schema file holds at most 16 MiB.")

Path = tuple[str | int, ...]
"""Where a value is: mapping keys and sequence indexes from the root inwards."""

Region = tuple[str, int, int, int, int]
"""Path of a file, line, column, end line, end column; counted from 0, the end exclusive."""


@dataclass(slots=True)
class Node:
    """A value with its region. `value` is a scalar, a list of nodes or a dict of nodes.

    `key` is where the key of the value is; without it, the key is where the value is. `size` counts
    the nodes of what was read from YAML, this one and all below it, aliases written out.
    """

    value: Any
    region: Region
    size: int = 1
    key: Region | None = None


def span(region: Region) -> Span:
    """A region as findings have it: counted from 1, never empty."""
    path, line, column, end_line, end_column = region
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    return Span(path, line + 1, column + 1, end_line + 1, end_column + 1)


def is_small(path: str, data: bytes, diagnostics: Diagnostics) -> bool:
    """Whether a file may be read, judging by its size; reports one that may not."""
    if len(data) > MAX_BYTES:
        message = f"the file holds {len(data)} octets"
        diagnostics.report("file-too-large", Span.of_file(path), message)
    return len(data) <= MAX_BYTES


def plain(node: Node) -> Any:
    """The value of a node without positions: dicts, lists and scalars, freshly made."""
    value = node.value
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child) for child in value]
    return value


def mapping(node: Node | None) -> dict[str, Node]:
    """The keys of a mapping; none of any other node."""
    return node.value if node is not None and isinstance(node.value, dict) else {}


def listed(node: Node | None) -> list[Node]:
    """The entries of a list; none of any other node."""
    return node.value if node is not None and isinstance(node.value, list) else []


class Placed(dict[str, Any]):
    """A mapping with its region: in an imported schema, that of the definition."""

    def __init__(self, region: Region, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.region = region


def node(value: Any, region: Region) -> Node:
    """A tree of values as nodes; what has no place of its own is where its holder is."""
    if isinstance(value, Node):
        return value
    if isinstance(value, dict):
        region = value.region if isinstance(value, Placed) else region
        return Node({key: node(child, region) for key, child in value.items()}, region)
    if isinstance(value, list):
        return Node([node(child, region) for child in value], region)
    return Node(value, region)


def merged(under: Node, over: Node) -> Node:
    """Two trees as one: mappings are joined, anything else is that of `over`."""
    if not isinstance(under.value, dict) or not isinstance(over.value, dict):
        return over
    values: dict[str, Node] = dict(under.value)
    for key, child in over.value.items():
        if key not in values:
            values[key] = child
        elif child.value is not None:
            values[key] = merged(values[key], child)
    return Node(values, over.region, key=over.key)


class Raw:
    """One file of a schema, read but not yet checked.

    `path` is the file as the user wrote it (for findings), `source` the same relative to the
    folder of the top file (for generated text). `is_smi` says that it is an SMI module.
    """

    def __init__(self, path: str, source: str, root: Node, is_smi: bool = False) -> None:
        self.path = path
        self.source = source
        self.root = root
        self.is_smi = is_smi
        self.data: dict[str, Any] = plain(root)

    def value_span(self, path: Path) -> Span:
        """Where the value at `path` is, or the nearest value around it that exists."""
        return span(self._walk(path)[0].region)

    def key_span(self, path: Path) -> Span:
        """Where the key of `path` is; for a list entry or the root, its value."""
        node, _ = self._walk(path)
        return span(node.key or node.region)

    def has(self, path: Path) -> bool:
        """Whether there is a value at `path`; a key without one counts as left out."""
        node, found = self._walk(path)
        return found and node.value is not None

    def _walk(self, path: Path) -> tuple[Node, bool]:
        """The value at `path` or the nearest around it, and whether it is that at `path`."""
        node = self.root
        for step in path:
            try:
                inner = node.value[step]
            except (KeyError, IndexError, TypeError):
                return node, False
            if not isinstance(inner, Node):  # a character of a text
                return node, False
            node = inner
        return node, True
