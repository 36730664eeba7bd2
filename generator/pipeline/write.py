# SPDX-License-Identifier: BSD-3-Clause
"""Writes a schema as YAML that people read: short things on one line, long text folded."""

from typing import Any

import yaml

from ..frontends.smi.mapping import MAX_ROWS
from ..model.language import scalars
from ..model.naming import smi

_COLUMNS = 96
_LONG = 60
"""Characters of a text that is folded."""

_ORDER = [
    *("ctrgen", "module", "description", "sync", "reset", "views", "bounds", "poll"),
    *("snapshots", "requires", "prometheus", "snmp", "scopes", "updates"),
]

_HEADER = """\
# A schema imported from {name} by `ctrgen import`; yours to edit.
#
# snmp: keeps the names, OIDs and types of the module, so that the MIB made from this schema is
# the one it came from. What to decide here: `sync` (of the module, or of a scope), `max` (rows
# of a table; {rows} where the module does not say) and `updates` (calls that change several items).
# `reset: true` adds an object to the MIB that says when counters were reset.
#
# To keep the module as it is and only add to it, write a schema with `import: {name}` instead.

"""

_OWN = """\
# The schema of {name}, which ctrgen had generated, by `ctrgen import`.
#
# A build gives the MIB the same names and OIDs again. To go on from here, keep the lock file that
# the first build writes.

"""


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text_node(dumper: Any, value: str) -> yaml.ScalarNode:
    """A text, in quotes where YAML 1.2 would take it for something else."""
    is_text = isinstance(scalars.scalar(value), str)
    style = '"' if not is_text else ">" if len(value) > _LONG else None
    node: yaml.ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)
    return node


_Dumper.add_representer(str, _text_node)


def dump(key: str, value: Any) -> str:
    """An entry of a mapping as YAML; the innermost mappings and lists are on one line."""
    flow = None if isinstance(value, dict | list) else False
    written: str = yaml.dump(
        {key: value}, Dumper=_Dumper, default_flow_style=flow,
        sort_keys=False, allow_unicode=True, width=_COLUMNS,
    )  # fmt: skip
    return written


def text(schema: dict[str, Any]) -> str:
    """The schema as text; the same for the same schema."""
    snmp = schema.get("snmp") or {}
    name = snmp.get("name") or smi.module_name(schema["module"])
    parts = [(_HEADER if "oid" in snmp else _OWN).format(name=name, rows=MAX_ROWS)]
    for key in sorted(schema, key=lambda key: (*_ORDER, key).index(key)):
        parts += ["\n" if isinstance(schema[key], dict) else "", dump(key, schema[key])]
    return "".join(parts)
