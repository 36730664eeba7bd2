# SPDX-License-Identifier: BSD-3-Clause
"""ctrgen: generates data-plane statistics for DPDK applications from one schema."""

from __future__ import annotations

__version__ = "0.1.0"
