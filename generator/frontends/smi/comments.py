# SPDX-License-Identifier: BSD-3-Clause
"""The schema in the comments of a module that ctrgen generated: `-- ctrgen: schema = {...}`.

`-- ctrgen+: ...` continues a comment after a space or, where that ends with a backslash, in the
same word.
"""

import re
from collections.abc import Callable

from ...findings.diagnostics import Diagnostics, Span
from ...publish import carried
from .. import yaml
from ..raw import Node, node, plain
from .source import Source

_COMMENT = re.compile(r"--[^\S\n]*ctrgen(?P<more>\+?)[^\S\n]*:[^\S\n]*(?P<text>[^\n]*?)\s*$", re.M)


def schema_of(source: Source, report: Callable[[str, Span, str, str], object]) -> Node | None:
    """The schema that a module was generated from; None where there is none, or the definitions
    are no longer those that were generated."""
    found = _comments(source)
    start, digest = found.pop(carried.DIGEST, (0, ""))
    _, schema = found.pop(carried.SCHEMA, (0, ""))
    for key, (at, _) in [*found.items()][:1]:
        message = f"comments such as 'ctrgen: {key}' are ignored"
        hint = f"write a schema with `import: {source.name}` and the keys to add"
        report("import-annotation", source.span(at, 10), message, hint)
    root = yaml.parse("", f"{{value: {schema}\n}}", Diagnostics()) if schema and digest else None
    if root is None:
        return None
    if digest != carried.digest(source.text[source.start : start]):
        message = f"'{source.name}' was edited after ctrgen generated it"
        hint = "it is imported without the schema in its comments: change and build that instead"
        report("import-edited", source.span(start, 10), message, hint)
        return None
    return node(plain(root.value["value"]), source.region(""))


def _comments(source: Source) -> dict[str, tuple[int, str]]:
    """The comments for ctrgen by their keys: positions and values."""
    parts: list[tuple[int, str]] = []
    for match in _COMMENT.finditer(source.text, source.start, source.end):
        if not match["more"]:
            parts.append((match.start(), match["text"]))
        elif parts:
            start, before = parts[-1]
            before = before[:-1] if before.endswith("\\") else f"{before} "
            parts[-1] = (start, before + match["text"])
    split = ((start, text.partition(" = ")) for start, text in parts)
    return {key: (start, value) for start, (key, _, value) in split}
