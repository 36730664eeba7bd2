# SPDX-License-Identifier: BSD-3-Clause
"""Rules of SMIv2, those included that no other tool checks, over what a module will hold."""

from __future__ import annotations

from . import module, names, objects  # noqa: F401  (registers the rules)
from .candidate import RULES, Candidate

__all__ = ["RULES", "Candidate"]
