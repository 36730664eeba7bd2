# SPDX-License-Identifier: BSD-3-Clause
"""What the extra `ctrgen[bench]` installs: nothing that measuring needs."""

from __future__ import annotations

from importlib import import_module

from ..findings.installation import pip_install

COMPARISON = ("numpy", "scipy")
PAGE = ("matplotlib",)
"""Packages that a comparison of two results needs, and the page with plots."""


def lacking(packages: tuple[str, ...]) -> str:
    """Which packages cannot be imported, and what to do; empty when all can."""
    missing = []
    for name in packages:
        try:
            import_module(name)
        except ImportError:
            missing.append(name)
    return f"without {' and '.join(missing)}: {pip_install('bench')}" if missing else ""
