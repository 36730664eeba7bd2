# SPDX-License-Identifier: BSD-3-Clause
"""ctrgen: generates data-plane statistics for DPDK applications from one schema."""

__version__ = "0.2.0"
