# SPDX-License-Identifier: BSD-3-Clause
"""Lock files as text, and their keys."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.publish import lock
from ctrgen.publish.lock import Key
from tests.mib.repository import ERRORS, FIRST, FLOW, Repository, revised
from tests.support import schemas
from tests.support.capabilities import needs_base_mibs

# ---- the lock file as a file ----


def test_check_mode_compares_the_lock_and_writes_nothing(repository: Repository) -> None:
    path = repository.folder / "ep.ctrgen.lock"
    result = repository.attempt(FIRST, "check")
    assert (result.exit_code, path.exists()) == (1, False)
    assert f"missing: {path}\n" in result.text
    repository.attempt(FIRST)
    changed = revised(FIRST + ERRORS, "2026-02-01")
    before = path.read_bytes()
    assert f"changed: {path}" in repository.attempt(changed, "check").text
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


def test_a_file_that_says_nothing_new_gives_the_same_lock_without_being_parsed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.build(FIRST)
    parsed, found = repository.lock(), Diagnostics()
    monkeypatch.setattr(lock, "parse", lambda *_: pytest.fail("it was parsed"))
    read = lock.load(str(repository.schema), found, first=lambda: parsed)
    assert (read.lock, found.failed) == (parsed, False)
    repository.build(FIRST)


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


def test_examples_have_a_lock_that_is_current(tmp_path: Path) -> None:
    """Those that are published; the others have none, and get none."""
    drafts = ("drops", "nic", "starter", "everything")
    for name, schema in schemas.sources(tmp_path).items():
        lock = schema.with_name(f"{name}.ctrgen.lock")
        before = None if name in drafts else lock.read_bytes()
        schemas.module(schema, tmp_path / f"out-{name}")
        if before is not None:
            assert lock.read_bytes() == before, "if this is meant, `./dev golden` writes it again"
        elif name in ("drops", "nic"):
            assert not lock.exists()


@needs_base_mibs
def test_a_type_may_have_the_name_of_an_object_in_another_case(tmp_path: Path) -> None:
    """SMI names are case-sensitive: shelfWidth and ShelfWidth; the second build read it wrongly."""
    source = Path(__file__).parents[1] / "frontends" / "smi" / "mibs" / "SHELF-MIB.txt"
    (tmp_path / source.name).write_bytes(source.read_bytes())
    schema = tmp_path / "shelf.yaml"
    schema.write_text(f"import: {source.name}\n", "utf-8")
    for _ in range(2):
        result = build(BuildRequest(str(schema), str(tmp_path / "out")))
        assert result.exit_code == 0, [found.message for found in result.diagnostics.findings]


# ---- keys of a lock file as objects and as text ----

WRITTEN = {
    "/objects": Key(role="objects"),
    "/type:EpPercent": Key(role="type", name="EpPercent"),
    "/compliance:deprecated": Key(role="compliance", name="deprecated"),
    "session": Key("session"),
    "session:obsolete": Key("session", name="obsolete"),
    "session/table": Key("session", role="table"),
    "session/index:ifIndex": Key("session", role="index", name="ifIndex"),
    "session.pkts": Key("session", "pkts"),
    "session.pkts/low": Key("session", "pkts", "low"),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_text_and_object(text: str) -> None:
    assert Key.parse(text) == WRITTEN[text]
    assert str(WRITTEN[text]) == text


@given(st.text(alphabet="ab./: \n", max_size=12))
def test_any_text_stays_what_it_is(text: str) -> None:
    """A lock file is written again with the keys that it had, whoever wrote them."""
    assert str(Key.parse(text)) == text


def test_parts() -> None:
    assert Key("session", "pkts", "low").part("type") == Key("session", "pkts", "type")
