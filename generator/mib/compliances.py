# SPDX-License-Identifier: BSD-3-Clause
"""What the template of a MIB module shows of compliances: what is asked of each module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..model import ir
from ..model.naming import smi
from . import groups
from .lock import Entry, Key

Spelled = Callable[[str], str]
"""A type as the module writes it; what it needs is imported."""


Refined = tuple[str, tuple[str, ...], str]
"""What is asked of an object: its name, lines with clauses, and a text."""


class Part(NamedTuple):
    """What is asked of a module, empty for the own one: `mandatory` groups below each other, others
    with what says when they are needed, objects."""

    module: str
    mandatory: str
    optional: tuple[tuple[str, str], ...] = ()
    refined: tuple[Refined, ...] = ()


def listed(names: Sequence[str], indent: int) -> str:
    """Names below each other, further to the left when they are long."""
    margin = " " * min(indent, smi.COLUMNS - 1 - max(map(len, names), default=0))
    return ",\n".join(margin + name for name in names)


def made(
    entry: Entry, by_name: Mapping[str, Entry], homes: Mapping[Key, groups.Home]
) -> tuple[Part, ...]:
    """Those of a compliance that ctrgen made; `by_name` are the entries of the module."""
    optional = []
    for name in entry.optional:
        home = homes.get(groups.key(by_name[name])) if name in by_name else None
        optional.append((name, smi.quoted((home and home.optional) or groups.OPTIONAL)))
    refined = []
    for name in entry.refined:
        type_ = groups.address_type(by_name[name]) if name in by_name else ""
        if type_:
            reason = smi.quoted(groups.REFINED.format(type_))
            line = _line("SYNTAX", f"InetAddressType {{ {type_} }}")
            refined.append((name, (line,), reason))
    mandatory = [name for name in entry.members if name not in entry.optional]
    return (Part("", listed(mandatory, 12), tuple(optional), tuple(refined)),)


def given(one: ir.Definition, spelled: Spelled) -> tuple[Part, ...]:
    """Those of a compliance of the schema."""
    parts = (
        Part(
            part.module,
            listed(part.mandatory, 12),
            tuple((name, smi.quoted(text)) for name, text in part.groups),
            tuple(
                (said.name, tuple(_clauses(said, spelled)), smi.quoted(said.description))
                for said in part.objects
            ),
        )
        for part in one.modules
    )
    return tuple(parts) or (Part("", ""),)


def _clauses(said: ir.Refinement, spelled: Spelled) -> Iterator[str]:
    for keyword, syntax in (("SYNTAX", said.syntax), ("WRITE-SYNTAX", said.write_syntax)):
        if syntax:
            yield _line(keyword, _folded(spelled(syntax)))
    if said.min_access:
        yield _line("MIN-ACCESS", said.min_access)


def _line(keyword: str, value: str) -> str:
    return f"{keyword:<11} {value}"


def _folded(syntax: str) -> str:
    """A type whose labels are below each other when they do not fit on a line."""
    name, _, labels = syntax.partition(" { ")
    if not labels or len(syntax) <= smi.COLUMNS - 22:
        return syntax
    lines = ",\n".join(f"{' ' * 12}{label}" for label in labels.removesuffix(" }").split(", "))
    return f"{name} {{\n{lines}\n        }}"
