# SPDX-License-Identifier: BSD-3-Clause
"""Where the modules of these tests find those that they import."""

import pytest

from tests.support import smi as smi_modules


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))
