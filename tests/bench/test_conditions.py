# SPDX-License-Identifier: BSD-3-Clause
"""What reports say of the circumstances: pages, page faults, pipelines."""

import csv
import io

from ctrgen.tools.bench.compare import compare
from ctrgen.tools.bench.report import sentences, tables
from ctrgen.tools.bench.result import Result
from tests.bench import columns, synth

PAGES = {
    "asked": "on",
    "hugetlbfs": True,
    "allocated": {"per_core": 1.0, "shared_lock": 1.0},
    "data": {"per_core": 0.0, "shared_lock": 0.4},
}


def test_pages_and_page_faults_are_said() -> None:
    made = synth.document(rounds=4)
    before = Result.model_validate(made)
    assert "Pages" not in dict(sentences.facts(before)) and not before.huge
    assert not any("page fault" in line for line in sentences.sentences(before))
    made["pages"] = PAGES
    made["points"][0]["rounds"][1]["faults"] = 12
    made["points"][1]["rounds"][0]["faults"] = 0
    after = Result.model_validate(made)
    assert dict(sentences.facts(after))["Pages"] == (
        "huge (hugetlbfs); on huge ones: 100 % of what is allocated and 0 to 40 % of static data"
    )
    made["pages"] = {"hugetlbfs": False}  # where the system tells nothing
    assert dict(sentences.facts(Result.model_validate(made)))["Pages"] == "small (--no-huge)"
    (said,) = (line for line in sentences.sentences(after) if "page fault" in line)
    assert said == (
        f"1 measurement had page faults, 12 at most ({made['points'][0]['strategy']}, 1 lcore): "
        "their time is in the figures."
    )
    assert compare(before, after).differs == ["huge pages: no before, yes after"]


def test_a_pipeline_is_told_in_words_and_compared() -> None:
    """In tables, in the CSV, and between two runs."""
    made = synth.document(rounds=6)
    piped = [
        {**point, "at": {**point["at"], "scheduler": "pipeline"}}
        for point in made["points"]
        if point["at"]["lcores"] == 2
    ]
    made["points"] += piped
    found = Result.model_validate(made)
    assert any(
        "pipelines of two stages over rte_ring" in " ".join((table.title, *table.head))
        for table in tables.tables(found)
    )
    lines = csv.DictReader(io.StringIO(columns.text(found)))
    assert sum(line["scheduler"] == "pipeline" for line in lines) == len(piped)
    changes = compare(found, found).changes
    assert sum(c.at.scheduler == "pipeline" for c in changes) == len(piped)
