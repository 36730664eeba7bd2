# SPDX-License-Identifier: BSD-3-Clause
"""Folders that benchmarks run in."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one schema after the other is built: what they share is built once."""
    return tmp_path_factory.mktemp("plainly")


@pytest.fixture
def plain(workplace: Path, tmp_path: Path) -> Path:
    """A folder to run in with PLAINLY."""
    (workplace / "build").mkdir(exist_ok=True)
    (tmp_path / "build").symlink_to(workplace / "build")
    return tmp_path
