# SPDX-License-Identifier: BSD-3-Clause
"""What the extra `ctrgen[bench]` installs: nothing that measuring needs."""

from __future__ import annotations

from importlib.util import find_spec

from ..findings.usage import UsageError

COMPARISON = ("numpy", "scipy")
PAGE = ("matplotlib",)
"""Packages that a comparison of two results needs, and the page with plots."""


def lacking(packages: tuple[str, ...]) -> str:
    """What to do about packages that are not installed; empty when all are."""
    missing = [name for name in packages if find_spec(name) is None]
    if not missing:
        return ""
    return f"{' and '.join(missing)} not installed: pip install 'ctrgen[bench]'"


def require(packages: tuple[str, ...], without: str) -> None:
    """Raises UsageError when packages are not installed; `without` says what cannot be done."""
    missing = lacking(packages)
    if missing:
        raise UsageError(f"{without}: {missing}")
