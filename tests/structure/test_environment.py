# SPDX-License-Identifier: BSD-3-Clause
"""Tests do not see what somebody's environment says about MIB modules."""

import sys

from tests.support.paths import ROOT
from tests.support.process import MODULES, succeed

SHOW = "import os, tests.conftest; print(sorted(os.environ))"


def test_modules_of_somebody_are_forgotten() -> None:
    rubbish = dict.fromkeys(MODULES, "/nonexistent")
    shown = succeed(sys.executable, "-c", SHOW, cwd=ROOT, env=rubbish)
    assert "PATH" in shown
    assert not [name for name in MODULES if repr(name) in shown]
