# SPDX-License-Identifier: BSD-3-Clause
"""Patches of runtime/cocci, and what they leave."""
