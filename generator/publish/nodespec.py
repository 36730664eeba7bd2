# SPDX-License-Identifier: BSD-3-Clause
"""Something that a MIB module needs, what the names of such things begin with, and how many rows
the agent serves."""

import functools
import re
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple

from ..findings.diagnostics import NOWHERE, Span
from ..model import health, ir
from ..model.naming import smi
from .lock import Key, Oid

OBJECTS, SCALARS, CONFORMANCE = (Key(role=role) for role in ("objects", "scalars", "conformance"))
HEALTH = Key(role="health")
COMPLIANCES, GROUPS = Key(role="compliances"), Key(role="groups")
COMPLIANCE = Key(role="compliance")
"""Keys of nodes that are not part of the schema."""

LABEL = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\((-?[0-9]+)\)")
"""A label of an enumeration, and its value."""

CAP = 10_000
"""Scopes with more instances are served only with `serve: true` or a cap in the schema."""

_SIZE = re.compile(r" ?\(.*\)$")
_END = re.compile(r"(.)-*(MIB|Mib)\Z")


class NodeSpec(NamedTuple):
    """Something that the module needs, by its key. `parent` is the key of the node above it.

    `oid` is set when the schema gives it, `fixed_name` when it gives the name, `number` when the
    place below the parent is fixed. `former` are keys it had before it was renamed. `group` is the
    conformance group that the schema puts it into, empty for that of its scope. `earlier` are the
    type and the description that earlier versions of ctrgen gave it, where they differ: what is
    published with those keeps them.
    """

    key: Key
    kind: str
    name: str
    parent: Key | None
    syntax: str = ""
    unit: str = ""
    description: str = ""
    access: str = ""
    status: str = "current"
    oid: Oid = ()
    number: int | None = None
    former: tuple[Key, ...] = ()
    fixed_name: bool = False
    span: Span = NOWHERE
    group: str = ""
    earlier: tuple[str, str] = ("", "")


def published_scopes(module: ir.Module) -> tuple[ir.Scope, ...]:
    """The scopes of the schema in the MIB: all but embedded ones, which no reader can list."""
    return tuple(s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)


def served_rows(scope: ir.Scope) -> int:
    """The most rows of a scope that the agent shows; 0: it does not serve the scope."""
    serve, cap = scope.snmp.serve, scope.snmp.cap
    if serve is False or (serve is None and not cap and scope.instances > CAP):
        return 0
    return min(cap or scope.instances, scope.instances)


def served(scope: ir.Scope) -> bool:
    """Whether the agent serves a scope: of large ones only where the schema declares it."""
    return served_rows(scope) > 0


def unserved(scope: ir.Scope, before: int) -> str:
    """Message if a scope serves fewer rows than `before` and fewer than it has instances; else
    empty."""
    rows = served_rows(scope)
    if rows >= min(before, scope.instances):
        return ""
    now = f"{rows or 'none'} of {scope.instances}"
    return f"up to {before} rows of scope '{scope.name}' were served, now {now}"


def around(module: ir.Module, scope: ir.Scope) -> list[ir.Scope]:
    """The scopes in whose instances those of a scope are, from the outermost to itself."""
    return [module.scope(name) for name in dict.fromkeys(level.scope for level in scope.levels)]


def reporting(module: ir.Module) -> tuple[ir.Scope, ...]:
    """The health scope of a module, if its MIB module has it: none in a module with imported
    objects, which is the module of another author."""
    own = health.scope(module)
    imported = any(scope.snmp.oid or scope.snmp.index for scope in module.scopes)
    imported = imported or any(i.snmp and i.snmp.oid for s in module.scopes for i in s.items)
    return (own,) if own and not imported and not module.snmp.definitions else ()


def prefix(module: ir.Module) -> str:
    """Prefix of names of the whole module: `epStats`."""
    return _END.sub(r"\1", module.snmp.identity)


def scope_prefix(module: ir.Module, scope: ir.Scope) -> str:
    """Prefix of the names of a scope's objects: `epSession`."""
    if scope.snmp.name:
        return scope.snmp.name
    if scope.name == ir.GLOBAL:
        return prefix(module)
    if scope.name == ir.HEALTH:
        return smi.camel(module.name)
    return smi.camel(module.name) + smi.pascal(scope.name)


def words(name: str) -> str:
    """A name of the schema as words of a sentence."""
    return name.replace("_", " ").strip()


def labels(
    labels: Iterable[ir.Label], names: Mapping[str, str] | None = None
) -> tuple[tuple[str, int], ...]:
    """Labels by their names in the MIB, in the order of their values; `names` are those that the
    schema gives."""
    ordered = sorted(labels, key=attrgetter("value"))
    return tuple(((names or {}).get(one.name) or smi.camel(one.name), one.value) for one in ordered)


def enumeration(labels: Iterable[tuple[str, int]], base: str = "INTEGER") -> str:
    """A type with labels: `INTEGER { up(1), down(2) }`."""
    return f"{base} {{ {', '.join(f'{name}({value})' for name, value in labels)} }}"


@functools.lru_cache(maxsize=1024)
def base_type(syntax: str) -> str:
    """A type without its module, range, size and labels."""
    return _SIZE.sub("", syntax.partition("::")[2] or syntax).partition(" {")[0]
