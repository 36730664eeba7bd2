# SPDX-License-Identifier: BSD-3-Clause
"""Builds raw schemas: values whose place is a line of an SMI module."""

from __future__ import annotations

from typing import Any

from ..raw import Node, Region


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
        region = value.region if isinstance(value, Placed) else region
        children = {key: node(child, region) for key, child in value.items()}
        return Node(children, region, 1 + sum(child.size for child in children.values()))
    if isinstance(value, list):
        entries = [node(child, region) for child in value]
        return Node(entries, region, 1 + sum(child.size for child in entries))
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
    size = 1 + sum(child.size for child in values.values())
    return Node(values, over.region, size, over.key)
