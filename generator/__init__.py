# SPDX-License-Identifier: BSD-3-Clause
"""ctrgen: generates data-plane statistics for DPDK applications from one schema."""

from __future__ import annotations

import importlib
from types import ModuleType

__version__ = "0.2.0"

FORMER = {"diagnostics": "findings.diagnostics", "ir": "model.ir", "render": "output.render"}
"""Modules that packages with backends import by the names they had up to now."""


def __getattr__(name: str) -> ModuleType:
    if name in FORMER:
        return importlib.import_module(f"{__name__}.{FORMER[name]}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
