# SPDX-License-Identifier: BSD-3-Clause
"""The document: what is written is read, and what cannot be read is said for people."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.tools.bench import result
from ctrgen.tools.bench.result import Result
from tests.bench import synth
from tests.pages.schemadoc import expand
from tests.support.paths import DOCS

PAGE = DOCS / "benchmark.md"


def test_what_is_written_is_read() -> None:
    made = synth.result(overcommit=True, flows=(64, 1024))
    text = result.dump(made)
    assert result.parse(text) == made
    assert result.dump(result.parse(text)) == text


def test_the_text_begins_with_what_it_is() -> None:
    text = result.dump(synth.result(rounds=2))
    assert list(json.loads(text))[:4] == ["format", "version", "made", "ctrgen"]
    assert "null" not in text


def test_null_is_absent() -> None:
    made = synth.document(rounds=2)
    for point in made["points"]:
        del point["hardware"]
    assert Result.model_validate(made) == synth.result(rounds=2)


def change(edit: Callable[[dict[str, Any]], object]) -> str:
    made = synth.document(rounds=2)
    edit(made)
    return json.dumps(made)


WHOLE = result.dump(synth.result(rounds=2))
BROKEN = {
    "cut": (WHOLE[:2000], "ends too early"),
    "empty": ("", "ends too early"),
    "cut-in-a-word": (WHOLE[: WHOLE.index("xample")], "ends too early"),
    "true-version": (change(lambda d: d.update(version=True)), "version: the version"),
    "not-json": ("ctrgen: 1\n", "not JSON: expected value at line 1 column 1"),
    "other-json": ("[]", "is not a result of `ctrgen bench`"),
    "other-format": ('{"format": "pcap"}', "is not a result of `ctrgen bench`"),
    "deep": ("[" * 100_000, "not JSON: recursion limit"),
    "newer": (change(lambda d: d.update(version=2, more=1)), "version 2 of the format"),
    "no-version": (change(lambda d: d.pop("version")), "version: the version"),
    "unknown": (change(lambda d: d["points"][1]["at"].update(moon="full")), "points[1].at.moon"),
    "negative": (change(lambda d: d["points"][0]["rounds"][1].update(none=-1)), "rounds[1].none"),
    "infinite": (change(lambda d: d["machine"].update(tsc_hz=float("inf"))), "machine.tsc_hz"),
    "missing": (change(lambda d: d.pop("points")), "points: field required"),
    "stranger": (change(lambda d: d["strategies"].pop()), "not in strategies"),
    "same-place": (change(lambda d: d["points"].append(d["points"][0])), "at the same place"),
    "same-round": (change(lambda d: d["points"][0]["rounds"][1].update(round=0)), "round twice"),
}


def test_a_file_that_was_cut_anywhere_is_said_to_be() -> None:
    for end in range(len(WHOLE) - 2):
        with pytest.raises(UsageError, match="ends too early"):
            result.parse(WHOLE[:end])


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_said(name: str, tmp_path: Path) -> None:
    text, said = BROKEN[name]
    path = tmp_path / "bench.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        result.load(path)
    assert said in caught.value.message
    assert caught.value.message.startswith(str(path))
    assert caught.value.hint
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("length", range(0, len(WHOLE) - 2, 97))
def test_a_file_cut_off_anywhere_is_refused(length: int) -> None:
    with pytest.raises(UsageError):
        result.parse(WHOLE[:length])


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        result.load(tmp_path / "none.json")
    with pytest.raises(UsageError, match="is a directory"):
        result.load(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="is not text"):
        result.load(tmp_path / "binary")


def test_the_page_names_every_key() -> None:
    page = expand(PAGE.read_text("utf-8"))
    whole = Result.model_json_schema()
    for name, model in {"Result": whole, **whole["$defs"]}.items():
        section = page.split(f"### {name}\n", 1)[1].split("\n### ", 1)[0]
        for key, entry in model["properties"].items():
            assert f"| `{key}` |" in section, f"{name}.{key}"
            assert entry["description"] in section, f"{name}.{key}"
