# SPDX-License-Identifier: BSD-3-Clause
"""What users of other tools write: one mistake gives one error, which says where and what to do."""

from pathlib import Path

import pytest

from ctrgen.findings.printers import print_findings
from ctrgen.frontends import yaml
from ctrgen.frontends.resolve import validate
from ctrgen.model.language import habits
from ctrgen.pipeline.check import check
from tests.pipeline.imitations import GOOD, RIGHT, TABLE, Wrong

NAMES = [f"{wrong.tool}: {wrong.mistake}" for wrong in TABLE]


def judge(path: Path, wrong: Wrong) -> str:
    """What is not as it should be about the findings of a wrong schema; empty when all is well."""
    path.write_bytes(wrong.text.encode(wrong.encoding))
    diagnostics = check(str(path)).diagnostics
    printed = print_findings(diagnostics)
    if [finding.rule for finding in diagnostics.findings] != [wrong.rule]:
        return f"not {wrong.rule} alone:\n{printed}"
    (finding,) = diagnostics.findings
    if wrong.says not in f"{finding.message} {finding.hint}":
        return f"'{wrong.says}' is not said:\n{printed}"
    if wrong.at and (finding.span.line, finding.span.column) != wrong.place:
        return f"not at {wrong.place}:\n{printed}"
    if wrong.right:
        path.write_text(wrong.repaired, "utf-8")
        if check(str(path)).diagnostics.failed:
            return f"wrong after what the hint says:\n{printed}"
    return "" if diagnostics.exit_code == 1 else f"no error:\n{printed}"


def test_the_schema_without_a_mistake_is_clean(tmp_path: Path) -> None:
    path = tmp_path / "gw.yaml"
    path.write_text(GOOD)
    assert check(str(path)).diagnostics.findings == []
    assert len(TABLE) >= 110 and len({wrong.text for wrong in TABLE}) == len(set(NAMES)) == len(
        TABLE
    )


@pytest.mark.parametrize("wrong", TABLE, ids=NAMES)
def test_one_mistake_gives_one_error_that_says_what_to_do(wrong: Wrong, tmp_path: Path) -> None:
    problem = judge(tmp_path / "gw.yaml", wrong)
    assert not problem, problem


@pytest.mark.parametrize("data", RIGHT.values(), ids=list(RIGHT))
def test_what_other_tools_write_and_is_right(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "gw.yaml"
    path.write_bytes(data)
    checked = check(str(path))
    assert checked.diagnostics.findings == [], print_findings(checked.diagnostics)
    assert checked.module is not None


BUGS: dict[str, tuple[object, str, object]] = {
    "no habits": (habits, "SYNONYMS", {}),
    "no examples": (habits, "example", lambda _: ""),
    "a word for each error": (validate, "_said", lambda *_: set()),
    "no other tools": (habits, "foreign", lambda _: None),
    "all characters look right": (habits, "odd", lambda _: None),
    "no word in ASCII": (habits, "plain", lambda word: word),
    "a comment of C": (habits, "c_comment", lambda _: None),
    "no encodings": (yaml, "_encoding", lambda *_: ""),
    "values as they are read": (validate, "_written", lambda *_: ""),
}


@pytest.mark.parametrize("bug", BUGS)
def test_the_table_sees_what_is_not_said(
    bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*BUGS[bug])
    assert any(judge(tmp_path / "gw.yaml", wrong) for wrong in TABLE)
