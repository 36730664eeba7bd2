# SPDX-License-Identifier: BSD-3-Clause
"""OIDs are for ever: what a lock file keeps, over histories of a schema."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ctrgen import lock
from ctrgen.diagnostics import Diagnostics, print_findings
from ctrgen.pipeline import BuildRequest, BuildResult, build
from tests.mib import samples, tools

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
        found = lock.load(self.folder / "ep.ctrgen.lock", diagnostics)
        assert found is not None, print_findings(diagnostics)
        return found

    def oids(self) -> dict[str, str]:
        return {entry.name: entry.dotted for entry in self.lock().entries if entry.oid}

    def status(self, name: str) -> str:
        (entry,) = (entry for entry in self.lock().entries if entry.name == name)
        return entry.status


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def rules(result: BuildResult) -> list[str]:
    return [finding.rule for finding in result.diagnostics.findings]


def test_the_lock_is_written_beside_the_schema_and_stays(repository: Repository) -> None:
    repository.build(FIRST)
    path = repository.folder / "ep.ctrgen.lock"
    first = path.read_bytes()
    assert path.read_text("ascii").startswith("# Written by ctrgen")
    repository.build(FIRST)
    assert path.read_bytes() == first
    assert repository.attempt(FIRST, "check").exit_code == 0


def test_lines_are_sorted_by_oid(repository: Repository) -> None:
    repository.build(FIRST)
    entries = repository.lock().entries
    assert list(entries) == sorted(entries, key=lock.order)
    text = (repository.folder / "ep.ctrgen.lock").read_text("ascii")
    numbers = re.findall(r"^\w+ ((?:\d+\.)+\d+) ", text, re.MULTILINE)
    assert numbers == sorted(numbers, key=lock.parse_oid)


def test_adding_moves_nothing_wherever_it_is_written(repository: Repository) -> None:
    repository.build(FIRST)
    before = repository.oids()
    more = FIRST.replace("      bytes: {", ERRORS + "      bytes: {").replace(
        "  session:", FLOW + "  session:"
    )
    repository.build(revised(more, "2026-02-01"))
    after = repository.oids()
    assert before.items() <= after.items()
    added = {"epStatsErrors", "epFlowTable", "epFlowPkts", "epStatsGroup2", "epStatsCompliance2"}
    assert added <= set(after) - set(before)


def test_removing_leaves_deprecated_then_obsolete_and_no_gap_to_fill(
    repository: Repository,
) -> None:
    repository.build(FIRST)
    gone = repository.oids()["epSessionDrops"]
    second = revised(FIRST.replace(DROPS, ""), "2026-02-01")
    text = repository.build(second)
    assert repository.status("epSessionDrops") == "deprecated"
    assert "This object is deprecated" in text
    third = revised(second + ERRORS, "2026-03-01")
    repository.build(third)
    assert repository.status("epSessionDrops") == "obsolete"
    oids = repository.oids()
    assert oids["epSessionDrops"] == gone
    assert [name for name, oid in oids.items() if oid == gone] == ["epSessionDrops"]
    assert repository.status("epSessionGroup") == "obsolete"
    assert repository.status("epSessionGroup3") == "current"


def test_what_comes_back_gets_an_oid_and_a_name_of_its_own(repository: Repository) -> None:
    repository.build(FIRST)
    repository.build(revised(FIRST.replace(DROPS, ""), "2026-02-01"))
    repository.build(revised(revised(FIRST, "2026-02-01"), "2026-03-01"))
    oids = repository.oids()
    assert oids["epSessionDrops2"] != oids["epSessionDrops"]
    assert repository.status("epSessionDrops2") == "current"
    assert repository.status("epSessionDrops") == "obsolete"


def test_published_groups_are_frozen(repository: Repository) -> None:
    repository.build(FIRST)
    before = {e.name: e.members for e in repository.lock().entries if e.members}
    text = revised(FIRST, "2026-02-01")
    for number in range(3):
        text += ERRORS.replace("errors", f"errors{number}s")
        repository.build(text)
    after = {e.name: e.members for e in repository.lock().entries if e.members}
    assert before.items() <= after.items()
    assert {f"epSessionGroup{n}" for n in (2, 3, 4)} <= set(after)
    assert repository.status("epStatsCompliance4") == "current"
    assert repository.status("epStatsCompliance3") == "deprecated"


def test_a_draft_revision_can_still_change(repository: Repository) -> None:
    repository.build(FIRST)
    draft = revised(FIRST, "2026-02-01", ", draft: true")
    repository.build(draft + ERRORS)
    repository.build(draft + ERRORS + ERRORS.replace("errors", "faults"))
    members = {e.name: e.members for e in repository.lock().entries}
    assert "epSessionFaults" in members["epSessionGroup2"] and "epSessionGroup3" not in members
    text = repository.build(draft + ERRORS)
    assert repository.status("epSessionFaults") == "withdrawn"
    assert "epSessionFaults" not in text
    taken = repository.oids()["epSessionFaults"]
    repository.build(draft + ERRORS + ERRORS.replace("errors", "losses"))
    assert repository.oids()["epSessionLosses"] != taken
    published = revised(FIRST, "2026-02-01") + ERRORS + ERRORS.replace("errors", "losses")
    repository.build(published)
    repository.build(published + ERRORS.replace("errors", "faults"))
    assert "epSessionGroup3" in repository.oids()


def test_a_rename_keeps_oid_and_name_in_the_mib(repository: Repository) -> None:
    repository.build(FIRST)
    before = repository.oids()
    renamed = FIRST.replace("drops: {unit", "losses: {renamed_from: drops, unit")
    repository.build(revised(renamed, "2026-02-01"))
    assert repository.oids() == before
    assert repository.lock().live()["session.losses"].name == "epSessionDrops"
    repository.build(revised(renamed, "2026-02-01").replace("renamed_from: drops, ", ""))
    assert repository.oids() == before


def test_a_renamed_scope_keeps_its_table(repository: Repository) -> None:
    repository.build(FIRST)
    before = repository.oids()
    renamed = FIRST.replace("  session:\n", "  call:\n    renamed_from: session\n")
    text = repository.build(revised(renamed, "2026-02-01"))
    assert repository.oids() == before
    assert "EpSessionEntry ::= SEQUENCE" in text and "EpCall" not in text


def test_a_removed_scope_leaves_its_table(repository: Repository) -> None:
    repository.build(FIRST + FLOW)
    before = repository.oids()
    repository.build(revised(FIRST, "2026-02-01"))
    assert before.items() <= repository.oids().items()
    assert repository.status("epFlowTable") == "deprecated"
    assert repository.status("epFlowGroup") == "deprecated"
    repository.build(
        revised(revised(FIRST, "2026-02-01"), "2026-03-01") + FLOW.replace("flow", "way")
    )
    assert repository.oids()["epWayTable"] not in before.values()


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("pkts: {unit: packets,", "pkts: {width: 32, unit: packets,", "frozen-type"),
        ("labels: [idle, up]", "labels: [up]", "frozen-type"),
        ("type: enum, labels: [idle, up]", "type: bool", "frozen-type"),
        ("    max: 4\n", "    max: 4\n    index: IF-MIB::ifIndex\n", "frozen-index"),
        ("enterprise: 32473", "enterprise: 32474", "frozen-oid"),
    ],
)
def test_what_is_published_cannot_change(
    repository: Repository, old: str, new: str, rule: str
) -> None:
    repository.build(FIRST)
    before = (repository.folder / "ep.ctrgen.lock").read_bytes()
    result = repository.attempt(revised(FIRST.replace(old, new), "2026-02-01"))
    assert result.exit_code == 1 and rule in rules(result)
    assert (repository.folder / "ep.ctrgen.lock").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("labels: [idle, up]", "labels: [idle, up, gone]"),
        ("    max: 4\n", "    max: 4000\n"),
        ("description: Packets.", "description: Packets received."),
        ("module: ep\n", "module: ep\nsync: shared_atomic\n"),
    ],
)
def test_what_may_change(repository: Repository, old: str, new: str) -> None:
    repository.build(FIRST)
    before = repository.oids()
    repository.build(revised(FIRST.replace(old, new), "2026-02-01"))
    assert repository.oids() == before


def test_revisions_are_never_lost(repository: Repository) -> None:
    repository.build(revised(FIRST, "2026-02-01"))
    text = repository.build(FIRST)
    assert re.findall(r'REVISION "(\d+)Z"', text) == ["202602010000", "202601150000"]
    assert 'LAST-UPDATED "202602010000Z"' in text


def test_a_change_without_a_revision_is_warned_about(repository: Repository) -> None:
    repository.build(FIRST)
    result = repository.attempt(FIRST + ERRORS)
    assert result.exit_code == 0 and rules(result) == ["unrevised-change"]


def test_check_mode_compares_the_lock_and_writes_nothing(repository: Repository) -> None:
    path = repository.folder / "ep.ctrgen.lock"
    result = repository.attempt(FIRST, "check")
    assert (result.exit_code, path.exists()) == (1, False)
    assert f"missing: {path}\n" in result.text
    repository.attempt(FIRST)
    changed = revised(FIRST + ERRORS, "2026-02-01")
    for mode, line in (("check", f"changed: {path}"), ("dry-run", f"replace: {path}")):
        before = path.read_bytes()
        assert line in repository.attempt(changed, mode).text
        assert path.read_bytes() == before
    assert "+object" in repository.attempt(changed, "diff").text


def test_nothing_is_written_when_the_output_cannot_be(repository: Repository) -> None:
    blocked = repository.folder / "out0"
    blocked.mkdir()
    (blocked / "EP-STATS-MIB.txt").write_text("mine")
    assert repository.attempt(FIRST).exit_code == 1
    assert not (repository.folder / "ep.ctrgen.lock").exists()


def test_other_backends_do_not_touch_it(repository: Repository) -> None:
    repository.schema.write_text(FIRST)
    output = str(repository.folder / "c")
    assert build(BuildRequest(str(repository.schema), output, only=("c",))).exit_code == 0
    assert not (repository.folder / "ep.ctrgen.lock").exists()


def test_the_file_is_read_as_written(repository: Repository) -> None:
    for text in (FIRST, revised(FIRST.replace(DROPS, ""), "2026-02-01") + FLOW):
        repository.build(text)
    path = repository.folder / "ep.ctrgen.lock"
    assert lock.text(repository.lock(), "ep.yaml") == path.read_text("ascii")


def test_a_merge_of_two_branches(repository: Repository) -> None:
    repository.build(FIRST)
    path = repository.folder / "ep.ctrgen.lock"
    base = path.read_text("ascii").splitlines()
    draft = revised(FIRST, "2026-02-01", ", draft: true")
    repository.build(draft + ERRORS)
    ours = path.read_text("ascii").splitlines()
    path.write_text("\n".join(base) + "\n")
    repository.build(draft + FLOW)
    theirs = path.read_text("ascii").splitlines()
    clash = [line for line in ours if line not in theirs and line not in base]
    merged = "\n".join([*theirs, *(line for line in clash if line.startswith("object"))]) + "\n"
    path.write_text(merged)
    repository.build(draft + ERRORS + FLOW)
    assert {"epSessionErrors", "epFlowPkts"} <= set(repository.oids())


def test_an_unfinished_merge_is_an_error(repository: Repository) -> None:
    repository.build(FIRST)
    path = repository.folder / "ep.ctrgen.lock"
    path.write_text(path.read_text("ascii").replace("\nobject", "\n<<<<<<< HEAD\nobject", 1))
    result = repository.attempt(FIRST)
    assert result.exit_code == 1 and rules(result) == ["lock-syntax"]


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_an_error_or_harmless(repository: Repository, seed: int) -> None:
    repository.build(FIRST)
    path = repository.folder / "ep.ctrgen.lock"
    data = bytearray(path.read_bytes())
    random_ = random.Random(seed)
    for _ in range(random_.randint(1, 20)):
        data[random_.randrange(len(data))] = random_.randrange(256)
    path.write_bytes(bytes(data))
    assert repository.attempt(FIRST).exit_code in (0, 1)


# ---- histories ----


def history() -> Iterator[str]:
    """Ten revisions of a schema: additions, removals, renames, what may change."""
    text = FIRST
    yield text
    text = revised(text, "2026-02-01").replace("      bytes: {", ERRORS + "      bytes: {")
    yield text
    yield (text := revised(text, "2026-03-01").replace(DROPS, ""))
    text = revised(text, "2026-04-01").replace("[idle, up]", "[idle, up, gone]")
    yield (text := text.replace("errors: {", "faults: {renamed_from: errors, "))
    yield (text := revised(text, "2026-05-01") + FLOW)
    text = revised(text, "2026-06-01")
    yield (text := text.replace("  session:\n", "  call:\n    renamed_from: session\n"))
    yield (text := revised(text, "2026-07-01").replace(STATES.replace("up]", "up, gone]"), ""))
    packets = "      pkts: {unit: packets, description: Packets.}\n"
    yield (text := revised(text, "2026-08-01").replace(packets, "", 1))
    again = packets.replace("Packets.", "Packets again.")
    yield (text := revised(text, "2026-09-01").replace("      faults", again + "      faults"))
    yield revised(text, "2026-10-01").replace(FLOW, "")


def test_a_history_of_ten_revisions(repository: Repository) -> None:
    known: dict[str, str] = {}
    for text in history():
        repository.build(text)
        now = repository.oids()
        assert known.items() <= now.items(), "an OID moved or went away"
        assert len(set(now.values())) == len(now)
        known = now
    assert len(repository.modules) == 10


def test_the_tools_agree_about_the_history(repository: Repository) -> None:
    tools.needs("smilint", "smidiff", modules=("HCNUM-TC",))
    for text in history():
        repository.build(text)
    for number, module in enumerate(repository.modules):
        assert tools.smilint(module) == ""
        assert tools.pysmi(module) == "compiled"
        if number:
            assert tools.smidiff(repository.modules[number - 1], module) == []


@pytest.mark.parametrize("seed", range(10))
def test_random_histories(repository: Repository, seed: int) -> None:
    random_ = random.Random(seed)
    names = [f"item{number}s" for number in range(8)]
    present: set[tuple[str, str]] = {("global", "firsts"), ("near", "firsts")}
    text = FIRST[: FIRST.index("scopes:")]
    known: dict[str, str] = {}
    for month in range(1, 10):
        text = revised(text, f"2026-0{month}-20")
        for _ in range(random_.randint(1, 4)):
            present ^= {(random_.choice(("global", "near", "far")), random_.choice(names))}
        body = "scopes:\n"
        for scope in sorted({scope for scope, _ in present}):
            body += f"  {scope}:\n" + ("" if scope == "global" else "    max: 4\n")
            items = sorted(name for other, name in present if other == scope)
            random_.shuffle(items)
            lines = [f"      {name}: {{unit: x, description: X.}}\n" for name in items]
            body += "    counters:\n" + "".join(lines)
        repository.build(text + body)
        now = repository.oids()
        assert known.items() <= now.items()
        known = now
    if seed < 3:
        tools.needs("smilint", modules=("HCNUM-TC",))
        assert tools.smilint(repository.modules[-1]) == ""
        assert tools.smidiff(repository.modules[-2], repository.modules[-1]) == []


def test_examples_have_a_lock_that_is_current(tmp_path: Path) -> None:
    for name, schema in samples.sources(tmp_path).items():
        if name not in ("starter", "everything"):
            before = schema.with_name(f"{name}.ctrgen.lock").read_bytes()
            samples.module(schema, tmp_path / f"out-{name}")
            now = schema.with_name(f"{name}.ctrgen.lock").read_bytes()
            assert now == before, "if this is meant, `./dev golden` writes it again"
