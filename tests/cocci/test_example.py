# SPDX-License-Identifier: BSD-3-Clause
"""The guide, as it was followed on an example of DPDK, step by step; and the examples that patches
were tried on. Where DPDK's source is at hand: EXAMPLES names its folder, or it is in the cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cocci.trial import EXAMPLES, row, tried
from tests.docs.test_docs import appear, told
from tests.support.capabilities import needs, needs_dpdk
from tests.support.paths import DOCS


def examples() -> Path | None:
    """The folder `examples` of DPDK's source."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ctrgen" / "field"
    named = os.environ.get("EXAMPLES") or os.environ.get("CTRGEN_FIELD")
    found = [Path(named)] if named else []
    found += sorted(cache.glob("*/examples"))
    return next((path for path in found if (path / "packet_ordering").is_dir()), None)


pytestmark = [
    pytest.mark.slow,
    pytest.mark.deep,
    pytest.mark.dpdk,
    needs_dpdk,
    needs("spatch", "cc", "patch", "timeout", "awk"),
    pytest.mark.skipif(
        examples() is None, reason="no source of DPDK: set EXAMPLES, or ./dev field"
    ),
]


def test_the_guide_works_on_an_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLES", str(examples()))
    expected, found = told("migrating-example.md", tmp_path)
    assert appear(expected, found) == [], "\n".join(found)


@pytest.mark.parametrize("name", EXAMPLES)
def test_patches_do_on_examples_what_the_guide_says(name: str, tmp_path: Path) -> None:
    folder = examples()
    assert folder is not None
    result = tried(folder, name, tmp_path / name)
    assert row(result) in (DOCS / "migrating.md").read_text("utf-8"), (result.left, result.errors)
