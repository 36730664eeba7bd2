# SPDX-License-Identifier: BSD-3-Clause
"""Builds raw schemas: values whose place is a line of an SMI module."""

from __future__ import annotations

from typing import Any

from ..raw import Node, Region


class FarRegion(tuple[int, int, int, int]):
    """A region in another file than the schema's own."""

    path: str

    def __new__(cls, region: Region, path: str) -> FarRegion:
        """A region of the file at `path`."""
        far = super().__new__(cls, region)
        far.path = path
        return far


class Placed(dict[str, Any]):
    """A mapping that is somewhere: a definition of the module."""

    def __init__(self, region: Region, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.region = region


def node(value: Any, region: Region) -> Node:
    """A tree of values as nodes; what has no place of its own is where its holder is."""
    if isinstance(value, Node):
        return value
    if isinstance(value, dict):
        here = value.region if isinstance(value, Placed) else region
        children = {key: node(child, here) for key, child in value.items()}
        keys = {key: child.region for key, child in children.items()}
        return Node(children, here, keys, 1 + sum(child.size for child in children.values()))
    if isinstance(value, list):
        entries = [node(child, region) for child in value]
        return Node(entries, region, None, 1 + sum(child.size for child in entries))
    return Node(value, region)


def moved(tree: Node, region: Region) -> Node:
    """A tree of nodes that are all at one place."""
    if isinstance(tree.value, dict):
        children = {key: moved(child, region) for key, child in tree.value.items()}
        return Node(children, region, dict.fromkeys(children, region), tree.size)
    if isinstance(tree.value, list):
        return Node([moved(child, region) for child in tree.value], region, None, tree.size)
    return Node(tree.value, region)


def merged(under: Node, over: Node) -> Node:
    """Two trees as one: mappings are joined, anything else is that of `over`."""
    if not isinstance(under.value, dict) or not isinstance(over.value, dict):
        return over
    assert under.keys is not None and over.keys is not None
    values: dict[str, Node] = dict(under.value)
    keys = dict(under.keys)
    for key, child in over.value.items():
        if child.value is None and key in values:
            continue
        values[key] = merged(values[key], child) if key in values else child
        keys[key] = over.keys[key]
    return Node(values, over.region, keys, 1 + sum(child.size for child in values.values()))
