# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of lock files start from."""

from pathlib import Path

import pytest

from tests.mib.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)
