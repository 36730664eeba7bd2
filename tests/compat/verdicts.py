# SPDX-License-Identifier: BSD-3-Clause
"""The verdicts of `breaking`, of `build` with the lock file, and of smidiff about an edit."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from ctrgen.backends import Options
from ctrgen.backends.mib import BACKEND
from ctrgen.findings.diagnostics import Diagnostics, Severity
from ctrgen.pipeline.build import BuildRequest, BuildResult, build
from ctrgen.pipeline.check import check
from ctrgen.publish import lock
from ctrgen.publish.assign import assign
from ctrgen.tools import compat
from tests.compat.edits import Edit
from tests.support import smi_tools

SCHEMA = Path(__file__).parent / "edits" / "ed.yaml"
ALWAYS = ("revision-added", "previous-definition")
"""What smidiff says besides, of every new revision and of every place."""

SERIOUS = 4
"""The level of smidiff up to which a difference is more than a warning."""

_FOUND = re.compile(r"\[(\d)\] \{([\w-]+)\}")


class Verdict(NamedTuple):
    """What the three say about an edit: rules, or the tags of smidiff. Warnings are in brackets."""

    breaking: tuple[str, ...]
    build: tuple[str, ...]
    smidiff: tuple[str, ...]


class Published:
    """The schema before the edits, built in a folder: its lock file and its module. `unnamed` are
    the rules of errors of builds whose message has no clause."""

    def __init__(self, folder: Path, text: str | None = None, lock: Path | None = None) -> None:
        """With a text, of another schema, which `lock` is from before."""
        self.folder, self.text = folder, text or SCHEMA.read_text("utf-8")
        self.schema = folder / "old" / "ed.yaml"
        self.schema.parent.mkdir(parents=True)
        self.schema.write_text(self.text, "utf-8")
        if lock is not None:
            shutil.copy(lock, self.schema.parent)
        result = self._build(self.schema)
        assert result.exit_code == 0
        self.usual = {finding.rule for finding in result.diagnostics.findings}
        self.module = folder / "old" / "out" / "ED-STATS-MIB.txt"
        self.count = 0
        self.unnamed: set[str] = set()

    def _build(self, schema: Path) -> BuildResult:
        return build(BuildRequest(str(schema), str(schema.parent / "out"), only=("mib",)))

    @property
    def lock(self) -> lock.Lock:
        """What the lock file has."""
        found = lock.load(str(self.schema), Diagnostics()).lock
        assert found is not None
        return found

    def rules(self, schema: Path) -> set[str]:
        """The rules of what a build says, but for what it says of the schema without an edit."""
        return {one.rule for one in self._build(schema).diagnostics.findings} - self.usual

    def judge(self, edit: Edit, *, smidiff: bool) -> Verdict:
        """What the three say; `smidiff` says whether to ask that as well."""
        self.count += 1
        schema = self.folder / str(self.count) / "ed.yaml"
        schema.parent.mkdir()
        schema.write_text(edit.apply(self.text), "utf-8")
        shutil.copy(self.schema.with_name("ed.ctrgen.lock"), schema.parent)
        _, diagnostics = compat.run(str(schema), str(self.schema), only=("oid", "semantics"))
        broken = _rules(diagnostics)
        other = self._differs(schema) if smidiff else ()
        found = self._build(schema).diagnostics
        built = _rules(found, self.usual)
        errors = (one for one in found.findings if one.severity is Severity.ERROR)
        self.unnamed |= {one.rule for one in errors if "(RFC " not in one.message}
        if found.failed:
            kept = schema.with_name("ed.ctrgen.lock"), self.schema.with_name("ed.ctrgen.lock")
            assert kept[0].read_bytes() == kept[1].read_bytes(), "a build that fails writes a lock"
        return Verdict(broken, built, other)

    def _differs(self, schema: Path) -> tuple[str, ...]:
        """The tags of what smidiff finds, whether or not a build would refuse the edit."""
        found = check(str(schema))
        resolution, before = found.resolution, lock.load(str(schema), Diagnostics()).lock
        assert resolution is not None, found.diagnostics.findings
        options = Options(
            schema.name, "ctrgen build", "0", lock=assign(resolution.module, before).lock
        )
        (text,) = BACKEND.generate(resolution.module, options).values()
        new = schema.with_name("NEW-MIB.txt")
        new.write_text(text, "ascii")
        found = [_FOUND.search(line) for line in smi_tools.smidiff(self.module, new, 6)]
        tags = {match[2]: int(match[1]) for match in found if match and match[2] not in ALWAYS}
        serious = [tag for tag, level in tags.items() if level <= SERIOUS]
        return (*serious, *(f"({tag})" for tag in tags if tag not in serious))


def _rules(
    diagnostics: Diagnostics, usual: set[str] | frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """The rules of the findings, each once: errors first, warnings in brackets; notes are none."""
    rules = {
        severity: dict.fromkeys(
            one.rule for one in diagnostics.findings
            if one.severity is severity and one.rule not in usual
        )
        for severity in (Severity.ERROR, Severity.WARNING)
    }  # fmt: skip
    return (*rules[Severity.ERROR], *(f"({rule})" for rule in rules[Severity.WARNING]))
