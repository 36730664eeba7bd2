# SPDX-License-Identifier: BSD-3-Clause
"""Findings: positions, rules, the collector, the printers and suggestions."""
