# SPDX-License-Identifier: BSD-3-Clause
"""Modules for tests of the importer, and the schema of a module."""

from pathlib import Path
from typing import Any

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.frontends import rules, smi
from ctrgen.frontends.raw import Raw, plain
from ctrgen.frontends.resolve.resolve import resolve
from ctrgen.frontends.resolve.validate import validate
from ctrgen.model import ir
from ctrgen.model.language import schema
from ctrgen.publish.lock import LockFile
from ctrgen.publish.rules import judge
from tests.support import base_mibs
from tests.support.paths import ROOT

OWN = ROOT / "tests" / "frontends" / "smi" / "mibs"
"""Modules written for these tests."""


def base_path() -> tuple[str, ...]:
    """Folders with the base modules."""
    return (str(base_mibs.folder()),) if base_mibs.folder().is_dir() else ()


def load(path: Path, *more: str) -> tuple[dict[str, Any] | None, Diagnostics]:
    """The schema of a module as plain data, and what was found."""
    diagnostics = Diagnostics()
    folders = (*more, *base_path())
    node = smi.load(str(path), path.read_bytes(), diagnostics, folders)
    return (None if node is None else plain(node)), diagnostics


def loaded(path: Path, *more: str) -> tuple[dict[str, Any], list[tuple[str, int]]]:
    """The schema of a module that has one, and the rules that were broken, with lines."""
    schema, diagnostics = load(path, *more)
    assert schema is not None, diagnostics.findings
    return schema, found(diagnostics)


def found(diagnostics: Diagnostics) -> list[tuple[str, int]]:
    """The rules that were broken, and the lines."""
    return [(finding.rule, finding.span.line) for finding in diagnostics.findings]


def resolved(path: Path, *more: str) -> tuple[ir.Module, Diagnostics]:
    """The checked module of an SMI file, its MIB judged as well; findings of the rules."""
    loading, judging = Diagnostics(), Diagnostics()
    node = smi.load(str(path), path.read_bytes(), loading, (*more, *base_path()))
    assert node is not None, loading.findings
    part = validate(Raw(str(path), path.name, node), schema.Schema, judging)
    assert part is not None, judging.findings
    resolution = resolve([part], judging)
    rules.check(resolution, judging)
    if not judging.failed:
        judge(resolution.module, LockFile(), judging)
    return resolution.module, judging
