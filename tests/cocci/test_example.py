# SPDX-License-Identifier: BSD-3-Clause
"""Examples of DPDK that patches are tried on."""

from pathlib import Path

import pytest

from tests.cocci.trial import EXAMPLES, row, tried
from tests.support.capabilities import needs, needs_dpdk
from tests.support.paths import DOCS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.deep,
    pytest.mark.dpdk,
    needs_dpdk,
    needs("spatch", "cc"),
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_patches_do_on_examples_what_the_guide_says(
    examples: Path, name: str, tmp_path: Path
) -> None:
    result = tried(examples, name, tmp_path / name)
    assert row(result) in (DOCS / "migrating.md").read_text("utf-8"), result.errors
