# SPDX-License-Identifier: BSD-3-Clause
"""Documents in YAML: written by the library, which knows what has to be quoted."""

from __future__ import annotations

from typing import Any

import yaml

WIDTH = 100
"""Columns of a document, as far as its words allow."""

_SWITCHES = ("y", "n")
"""Words that readers of the first YAML take for true and false, but the library does not quote."""


class _Dumper(yaml.SafeDumper):
    """Writes every list and mapping in block style, lists further in, and no aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists in mappings, too."""
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        """Equal parts are written out each time."""
        return True


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "'" if text.lower() in _SWITCHES else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _string)


def document(data: Any) -> str:
    """`data` (mappings, lists, text, numbers) as YAML, keys in their order."""
    return yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH,
        default_flow_style=False,
    )  # fmt: skip
