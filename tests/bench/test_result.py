# SPDX-License-Identifier: BSD-3-Clause
"""The document: what is written is read, and its keys are described."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from ctrgen.tools.bench import result
from ctrgen.tools.bench.result import Result
from tests.bench import synth
from tests.pages.schemadoc import expand
from tests.support.paths import DOCS

PAGE = DOCS / "benchmark.md"


def test_what_is_written_is_read() -> None:
    made = synth.result(flows=(64, 1024))
    text = result.dump(made)
    assert Result.model_validate_json(text) == made
    assert list(json.loads(text))[:4] == ["format", "version", "made", "ctrgen"]
    assert "null" not in text


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: d.update(version=1),
        lambda d: d["points"][1]["at"].update(moon="full"),
        lambda d: d["points"][0]["rounds"][1].update(none=-1),
        lambda d: d["machine"].update(tsc_hz=float("inf")),
    ],
)
def test_what_is_no_result_is_not_made(edit: Callable[[dict[str, Any]], object]) -> None:
    made = synth.document(rounds=2)
    edit(made)
    with pytest.raises(ValidationError):
        Result.model_validate(made)


def test_the_page_names_every_key() -> None:
    page = expand(PAGE.read_text("utf-8"))
    whole = Result.model_json_schema()
    for name, model in {"Result": whole, **whole["$defs"]}.items():
        section = page.split(f"### {name}\n", 1)[1].split("\n### ", 1)[0]
        for key, entry in model["properties"].items():
            assert f"| `{key}` |" in section, f"{name}.{key}"
            assert entry["description"] in section, f"{name}.{key}"
