# SPDX-License-Identifier: BSD-3-Clause
"""A schema with a lock file that is built again and again, for tests of what the lock keeps."""

from dataclasses import dataclass, field
from pathlib import Path

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, BuildResult, build
from ctrgen.publish import lock

FIRST = """\
ctrgen: 1
module: ep
snmp:
  enterprise: 32473
  revisions: [{date: "2026-01-15", description: First.}]
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets.}
      bytes: {unit: bytes, description: Octets.}
    states:
      phase: {type: enum, labels: [idle, up], description: Phase.}
  session:
    max: 4
    counters:
      pkts: {unit: packets, description: Packets.}
      drops: {unit: packets, description: Drops.}
"""

DROPS = "      drops: {unit: packets, description: Drops.}\n"
ERRORS = "      errors: {unit: packets, description: Errors.}\n"
STATES = FIRST[FIRST.index("    states:") : FIRST.index("  session:")]
FLOW = "  flow:\n    max: 4\n    counters:\n      pkts: {unit: packets, description: P.}\n"


def revised(text: str, date: str, more: str = "") -> str:
    """The schema with a newer revision on top."""
    return text.replace("[{", f'[{{date: "{date}", description: Change.{more}}}, {{', 1)


@dataclass
class Repository:
    """A folder with a schema that is built again and again."""

    folder: Path
    number: int = 0
    modules: list[Path] = field(default_factory=list)

    @property
    def schema(self) -> Path:
        return self.folder / "ep.yaml"

    def attempt(self, text: str, mode: str = "write") -> BuildResult:
        """Build, in a mode of the pipeline; what came of it."""
        self.schema.write_text(text)
        output = self.folder / f"out{self.number}"
        return build(BuildRequest(str(self.schema), str(output), only=("mib",), mode=mode))

    def build(self, text: str) -> str:
        """Build; the text of the module."""
        self.number += 1
        result = self.attempt(text)
        assert result.exit_code == 0, print_findings(result.diagnostics)
        self.modules.append(self.folder / f"out{self.number}" / "EP-STATS-MIB.txt")
        return self.modules[-1].read_text("ascii")

    def lock(self) -> lock.Lock:
        diagnostics = Diagnostics()
        found = lock.load(str(self.schema), diagnostics).lock
        assert found is not None, print_findings(diagnostics)
        return found

    def oids(self) -> dict[str, str]:
        return {entry.name: entry.dotted for entry in self.lock().entries if entry.oid}

    def status(self, name: str) -> str:
        (entry,) = (entry for entry in self.lock().entries if entry.name == name)
        return entry.status


def rules(result: BuildResult) -> list[str]:
    return [finding.rule for finding in result.diagnostics.findings]
