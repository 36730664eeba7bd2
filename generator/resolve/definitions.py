# SPDX-License-Identifier: BSD-3-Clause
"""Resolves what a schema says of notifications, groups and compliances that its MIB module has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..frontends.raw import Raw
from ..language import definitions as language
from ..model import ir

Text = Callable[[str], str]
"""Makes free text what it is without white space that means nothing."""


def definitions(written: language.Definitions, raw: Raw, text: Text) -> tuple[ir.Definition, ...]:
    """All of them; notifications first, then the groups, as they refer to each other."""
    return tuple(_all(written, raw, text))


def _all(written: language.Definitions, raw: Raw, text: Text) -> Iterator[ir.Definition]:
    for kind, key in ir.DEFINITIONS.items():
        entries: dict[str, language.Definition] = getattr(written, key)
        for name, entry in entries.items():
            span = raw.key_span(("snmp", "definitions", key, name))
            yield ir.Definition(
                kind, name, entry.oid, _members(entry), _modules(entry, text), entry.status,
                text(entry.description), text(entry.reference), span,
            )  # fmt: skip


def _members(entry: language.Definition) -> tuple[str, ...]:
    if isinstance(entry, language.KeptNotification | language.ObjectGroup):
        return tuple(entry.objects)
    return tuple(entry.notifications) if isinstance(entry, language.NotificationGroup) else ()


def _modules(entry: language.Definition, text: Text) -> tuple[ir.ComplianceModule, ...]:
    if not isinstance(entry, language.Compliance):
        return ()
    return tuple(
        ir.ComplianceModule(
            part.module or "",
            tuple(part.mandatory),
            tuple((name, text(said)) for name, said in part.groups.items()),
            tuple(_refinement(name, said, text) for name, said in part.objects.items()),
        )
        for part in entry.modules
    )


def _refinement(name: str, said: language.RefinedObject, text: Text) -> ir.Refinement:
    types = (said.syntax or "", said.write_syntax or "")
    return ir.Refinement(name, *types, said.min_access or "", text(said.description))
