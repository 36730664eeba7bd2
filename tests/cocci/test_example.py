# SPDX-License-Identifier: BSD-3-Clause
"""The guide, as it was followed on an example of DPDK, step by step; and the examples that patches
were tried on."""

from pathlib import Path

import pytest

from tests.cocci.trial import EXAMPLES, row, tried
from tests.docs.test_docs import appear, told
from tests.support.capabilities import needs, needs_dpdk
from tests.support.paths import DOCS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.deep,
    pytest.mark.dpdk,
    needs_dpdk,
    needs("spatch", "cc", "patch", "timeout", "awk"),
]


def test_the_guide_works_on_an_example(
    examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLES", str(examples))
    expected, found = told("../tests/cocci/example.md", tmp_path)
    assert appear(expected, found) == [], "\n".join(found)


@pytest.mark.parametrize("name", EXAMPLES)
def test_patches_do_on_examples_what_the_guide_says(
    examples: Path, name: str, tmp_path: Path
) -> None:
    result = tried(examples, name, tmp_path / name)
    assert row(result) in (DOCS / "migrating.md").read_text("utf-8"), result.errors
