# SPDX-License-Identifier: BSD-3-Clause
"""Every breaking-change rule has a case that fires it and nothing else, at its line and column."""

import json
import re
from pathlib import Path

import pytest

from ctrgen.findings.diagnostics import Diagnostic, Diagnostics, Severity
from ctrgen.findings.printers import PRINTERS, print_findings
from ctrgen.frontends import read_file
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import Checked, check
from ctrgen.publish.assign import assign
from ctrgen.tools import compat
from tests.compat import cases
from tests.pages import schemadoc
from tests.support.paths import ROOT
from tests.support.process import ctrgen, git

HEAD = "ctrgen: 1\nmodule: gw\nscopes:\n"
PKTS = "      pkts: {unit: packets, description: Packets.}\n"
SMALL = f"{HEAD}  global:\n    counters:\n{PKTS}"
ERRORS = "      errors: {unit: packets, description: Errors.}\n"


def breaking(*arguments: str) -> tuple[int, str]:
    """Exit code and output of `ctrgen breaking`."""
    result = ctrgen("breaking", *arguments)
    return result.exit_code, result.output


# ---- the cases ----


COMPANIONS = {
    "name-moved": {"scope-removed"},
    "bounds-weakened": {"header-changed"},
    "label-added": {"header-changed"},
    "dimensions-changed": {"update-signature"},
    "index-label-removed": {"index-label-moved"},
    "key-changed": {"table-index"},
    "limit-changed": {"item-removed"},
    "object-name": {"item-removed"},
    "object-removed": {"reset-removed"},
}
"""What else always happens to a schema when something is such a change."""


@pytest.mark.parametrize("name", cases.CASES.names())
def test_a_case_fires_its_rule_and_no_other(name: str) -> None:
    """Its output is exactly as expected, and points into the new version."""
    diagnostics, text = cases.run(name)
    expected = cases.CASES.expected(name)
    assert text == expected, "if this is right, `./dev golden` writes the new text"
    rule = name.partition(".")[0]
    others = {"header-changed", *COMPANIONS.get(rule, set())} - {rule}
    assert {finding.rule for finding in diagnostics.findings} - others == {rule}
    failed = any(finding.severity is Severity.ERROR for finding in diagnostics.findings)
    assert text.endswith(f"exit {int(failed)}\n")
    for finding in diagnostics.findings:
        assert finding.span.path == "new.yaml"
        line = diagnostics.line("new.yaml", finding.span.line)
        assert line is not None and finding.span.column <= len(line)
    for style in sorted(PRINTERS):
        check_style(name, diagnostics, style)


def test_every_rule_has_a_case() -> None:
    assert set(compat.RULES) == {name.partition(".")[0] for name in cases.CASES.names()}


@pytest.mark.parametrize("name", cases.CASES.names())
def test_a_version_is_compatible_with_itself(name: str) -> None:
    for version in ("old.yaml", "new.yaml"):
        found = check(str(cases.CASES.folder(name) / version), read=read_file)
        assert found.module is not None
        locks = (assign(found.module, None).lock,) * 2
        for findings in (compat.compare(found, found, locks=locks).findings, *_without(found)):
            assert [f for f in findings if not f.rule.startswith("allow-")] == []


def _without(found: Checked) -> list[list[Diagnostic]]:
    """What is said of a version beside itself without lock files, but for that there are none."""
    findings = compat.compare(found, found).findings
    return [[finding for finding in findings if finding.rule != "oids-unknown"]]


def check_style(name: str, diagnostics: Diagnostics, style: str) -> None:
    """A style prints what a case finds, with the tags of its rule."""
    text = print_findings(diagnostics, style)
    assert text.endswith("\n")
    if style == "json":
        rule = name.partition(".")[0]
        tags = list(compat.RULES[rule].tags)
        if "oid" in tags and not (cases.CASES.folder(name) / "old.ctrgen.lock").exists():
            tags.remove("oid")
        assert tags == _tags(json.loads(text), rule)
    if style == "github":
        assert len(text.splitlines()) == len(diagnostics.findings)


def _tags(log: dict[str, object], rule: str) -> object:
    found = next(f for f in log["findings"] if f["rule"] == rule)  # type: ignore[attr-defined]
    return found.get("tags", [])


# ---- the rules ----


def test_rules_are_whole() -> None:
    for rule in compat.CHANGES.values():
        assert rule.tags and set(rule.tags) <= set(compat.CATEGORIES), rule.id
        assert rule.tags == tuple(key for key in compat.CATEGORIES if key in rule.tags), rule.id
        assert rule.sentence.endswith(".") and (not rule.instead or rule.instead.endswith("."))
        assert rule.severity in (Severity.ERROR, Severity.WARNING)


def test_every_category_has_errors() -> None:
    for category in set(compat.CATEGORIES):
        rules = [rule for rule in compat.CHANGES.values() if category in rule.tags]
        assert any(rule.severity is Severity.ERROR for rule in rules), category


# ---- choosing and allowing ----


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    """Old and new: an item was removed."""
    old, new = write(tmp_path, "old.yaml", SMALL + ERRORS), write(tmp_path, "new.yaml", SMALL)
    return old, new


def test_exit_codes(two: tuple[str, str]) -> None:
    old, new = two
    assert breaking(new, "--against", old)[0] == 1
    assert breaking(new, "--against", new) == (0, "")
    assert breaking(old, "--against", new)[0] == 0  # one more item: a rebuild
    assert breaking(old, "--against", new, "--strict")[0] == 1
    assert breaking(new)[0] == 2
    assert breaking(new, "--against", old + "x")[0] == 2


def test_categories_can_be_chosen(two: tuple[str, str]) -> None:
    old, new = two
    for category in compat.CATEGORIES:
        expected = int(category in compat.CHANGES["item-removed"].tags and category != "oid")
        assert breaking(new, "--against", old, "--only", category)[0] == expected
    assert breaking(new, "--against", old, "--only", "semantics,c-api")[0] == 1
    code, text = breaking(new, "--against", old, "--only", "colour")
    assert code == 2 and "no category 'colour'" in text


def test_a_comment_allows_in_any_file(tmp_path: Path) -> None:
    part = "scopes:\n  global:\n    counters:\n"
    old = write(tmp_path, "old.yaml", SMALL + "include: [part.yaml]\n")
    write(tmp_path, "part.yaml", part + ERRORS)
    new = write(tmp_path, "new.yaml", SMALL + "include: [later.yaml]\n")
    text = part + ERRORS.replace("errors:", "faults:")
    write(tmp_path, "later.yaml", text)
    assert breaking(new, "--against", old)[0] == 1
    allowed = "# ctrgen: allow item-removed global.errors: was never right\n" + text
    write(tmp_path, "later.yaml", allowed)
    assert breaking(new, "--against", old)[0] == 0


def test_a_schema_with_errors_cannot_be_compared(tmp_path: Path) -> None:
    good, bad = write(tmp_path, "a.yaml", SMALL), write(tmp_path, "b.yaml", SMALL + "      x: {}\n")
    for pair in ((good, bad), (bad, good)):
        code, text = breaking(pair[0], "--against", pair[1])
        assert code == 2 and "b.yaml:7:7: error[missing-" in text


# ---- git ----


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose tag v1 has the item `errors` in an included file, and whose tree not."""
    folder = tmp_path / "repository"
    (folder / "schemas" / "parts").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "trunk", "repository")
    include = SMALL + "include: [parts/errors.yaml]\n"
    write(folder / "schemas", "gw.yaml", include)
    write(folder / "schemas" / "parts", "errors.yaml", "include: [../../more.yaml]\n")
    write(folder, "more.yaml", "scopes:\n  global:\n    counters:\n" + ERRORS)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    git(folder, "tag", "v1")
    (folder / "more.yaml").unlink()
    write(folder / "schemas" / "parts", "errors.yaml", "description: None.\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("against", ["v1", "git:v1", "HEAD", "v1:schemas/gw.yaml", "refs/tags/v1"])
def test_a_revision_with_its_includes(repository: Path, against: str) -> None:
    before = _tree(repository)
    code, text = breaking("schemas/gw.yaml", "--against", against)
    assert code == 1
    place = f"{against.removeprefix('git:').partition(':')[0]}:more.yaml"
    assert f"counter 'global.errors' ({place}:4:7) was removed" in text
    git(repository, "show", place)
    assert "schemas/gw.yaml:4:3: error[item-removed]" in text
    assert _tree(repository) == before


def _tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file but git's caches, with its time and content."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_revision_from_within_a_folder(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "schemas" / "parts")
    for against in ("v1", "v1:schemas/gw.yaml", "v1:../gw.yaml"):
        assert breaking("../gw.yaml", "--against", against)[0] == 1


def test_a_name_of_a_file_and_of_a_revision(repository: Path) -> None:
    write(repository, "trunk", SMALL)
    code, text = breaking("schemas/gw.yaml", "--against", "trunk")
    assert code == 2
    assert "'trunk' is both a file and a revision" in text
    assert "hint: write ./trunk or git:trunk" in text
    assert breaking("schemas/gw.yaml", "--against", "./trunk")[0] == 0
    assert breaking("schemas/gw.yaml", "--against", "git:trunk")[0] == 1


@pytest.mark.parametrize(
    ("schema", "against", "expected"),
    [
        ("schemas/gw.yaml", "v2", "there is no revision 'v2' and no file 'v2'"),
        ("schemas/gw.yaml", "git:v2", "there is no revision 'v2'"),
        ("schemas/gw.yaml", "", "--against is empty"),
        ("schemas/gw.yaml", "--help-me", "there is no revision"),
        ("schemas/gw.yaml", "git:--output=x", "there is no revision '--output=x'"),
        ("schemas/gw.yaml", "v1:none.yaml", "'none.yaml' is not in revision 'v1'"),
        ("schemas/gw.yaml", "v1:schemas", "'schemas' is not in revision 'v1'"),
        ("schemas/new.yaml", "v1", "if it had another name: --against v1:OLD/PATH"),
        ("-", "-", "only one of the two"),
        ("-", "v1", "the standard input is in no revision"),
    ],
)
def test_what_cannot_be_found(repository: Path, schema: str, against: str, expected: str) -> None:
    write(repository, "schemas/new.yaml", SMALL)
    code, text = breaking(schema, f"--against={against}")
    assert code == 2 and expected in text
    assert "Traceback" not in text
    assert not (repository / "x").exists()


def test_a_new_version_that_is_missing_is_said_to_be(repository: Path) -> None:
    for against in ("v1", "v9", "schemas/gw.yaml"):
        code, text = breaking("none.yaml", "--against", against)
        assert code == 2 and "none.yaml:1:1: error[unreadable-file]" in text
        assert "revision" not in text


def test_rules_about_what_is_allowed_are_in_the_reference() -> None:
    page = schemadoc.expand((ROOT / "docs" / "evolution.md").read_text("utf-8"))
    assert all(f"| `{rule}` |" in page for rule in compat.RULES)


def test_includes_outside_of_the_repository_are_missing(repository: Path) -> None:
    write(repository / "schemas", "gw.yaml", SMALL + "include: [../../outside.yaml]\n")
    write(repository.parent, "outside.yaml", "description: Outside.\n")
    git(repository, "commit", "-q", "-a", "-m", "two")
    code, text = breaking("schemas/gw.yaml", "--against", "HEAD")
    assert code == 2 and "HEAD:schemas/gw.yaml:7:11: error[include-missing]" in text


def test_the_lock_file_is_read_at_the_revision(repository: Path) -> None:
    schema, locked = repository / "schemas" / "gw.yaml", repository / "schemas" / "gw.ctrgen.lock"
    schema.write_text(schema.read_text("utf-8") + "snmp: {}\n")
    assert build(BuildRequest(str(schema), str(repository / "out"))).exit_code == 0
    git(repository, "add", "schemas")
    git(repository, "commit", "-q", "-m", "locked")
    text = locked.read_text("utf-8")
    pkts, moved = re.findall(r"^(object (\S+)\.1 \S+ .* global\.pkts .*)$", text, re.MULTILINE)[0]
    locked.write_text(text.replace(pkts, pkts.replace(f"{moved}.1", f"{moved}.77")), "utf-8")
    code, printed = breaking("schemas/gw.yaml", "--against", "HEAD", "--only", "oid")
    assert code == 1 and "error[oid-moved]" in printed
    locked.unlink()
    code, printed = breaking("schemas/gw.yaml", "--against", "HEAD")
    assert code == 1 and "error[lock-lost]" in printed
    locked.write_text(text.replace(pkts, f"<<<<<<< ours\n{pkts}"), "utf-8")
    code, printed = breaking("schemas/gw.yaml", "--against", "HEAD")
    assert code == 2 and "error[lock-syntax]" in printed


def test_the_standard_input_goes_by_the_old_lock_file(repository: Path) -> None:
    write(repository, "schemas/gw.yaml", SMALL + "snmp: {}\n")
    assert build(BuildRequest("schemas/gw.yaml", "out")).exit_code == 0
    result = ctrgen("breaking", "-", "--against", "schemas/gw.yaml", input=SMALL + "snmp: {}\n")
    assert (result.exit_code, result.output) == (0, "")
    result = ctrgen("breaking", "-", "--against", "schemas/gw.yaml", input=SMALL)
    assert result.exit_code == 1 and "error[mib-withdrawn]" in result.output


def test_without_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    code, text = breaking(write(tmp_path, "a.yaml", SMALL), "--against", "HEAD")
    assert code == 2 and "in no git repository" in text


def test_without_git(two: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file as the old version needs none."""
    old, new = two
    monkeypatch.setenv("PATH", str(tmp_path))
    assert breaking(new, "--against", old)[0] == 1
    code, text = breaking(new, "--against", "HEAD~1")
    assert code == 2 and "there is no git" in text


# ---- OIDs that nobody knows ----


def test_identical_files_without_an_old_lock_break_nothing(tmp_path: Path) -> None:
    """The schema has a history: what a first build would give out is not what was published."""
    first = SMALL + ERRORS + "snmp: {}\n"
    new = write(tmp_path, "new.yaml", first)
    for text in (first, first.replace(PKTS, "") + f"# {PKTS}", first):
        write(tmp_path, "new.yaml", text)
        assert build(BuildRequest(new, str(tmp_path / "out"))).exit_code == 0
    old = write(tmp_path, "old.yaml", first)
    code, text = breaking(new, "--against", old)
    assert code == 0 and "note[oids-unknown]: there is no " in text and "error" not in text
    assert "old.ctrgen.lock, so OIDs are not compared" in text
    assert breaking(new, "--against", old, "--only", "c-api,semantics") == (0, "")
    assert breaking(new, "--against", old, "--only", "oid") == (0, text)
    write(tmp_path, "new.yaml", first.replace(ERRORS, ""))
    code, text = breaking(new, "--against", old)
    assert code == 1 and "error[item-removed]" in text and ", oid" not in text


def test_what_was_never_published_breaks_no_oid(tmp_path: Path) -> None:
    old, new = write(tmp_path, "old.yaml", SMALL), write(tmp_path, "new.yaml", SMALL)
    assert breaking(new, "--against", old) == (0, "")
    write(tmp_path, "new.yaml", SMALL + "snmp: {}\n")
    assert breaking(new, "--against", old) == (0, "")
    assert build(BuildRequest(new, str(tmp_path / "out"))).exit_code == 0
    code, text = breaking(new, "--against", old)
    assert code == 0 and f"nothing of {old} is published, so OIDs are not compared" in text


# ---- the documentation ----


def test_the_page_shows_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "evolution.md").read_text("utf-8")
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (comment,) = re.findall(r"^# ctrgen: allow .*$", page, re.MULTILINE)
    text = (ROOT / "schemas" / "ep.yaml").read_text("utf-8")
    (tmp_path / "schemas").mkdir()
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "old.yaml", text)
    for name in ("old.ctrgen.lock", "schemas/ep.ctrgen.lock"):
        write(tmp_path, name, (ROOT / "schemas" / "ep.ctrgen.lock").read_text("utf-8"))
    fewer = re.sub("max: 1000.*", "max: 900", text)
    schema = write(tmp_path, "schemas/ep.yaml", fewer)
    printed = breaking("schemas/ep.yaml", "--against", "old.yaml")[1]
    assert re.sub(":[0-9]+:", ":N:", printed) == re.sub(":[0-9]+:", ":N:", shown)
    write(tmp_path, "schemas/ep.yaml", f"{comment}\n{fewer}")
    assert breaking(schema, "--against", "old.yaml")[0] == 0
