# SPDX-License-Identifier: BSD-3-Clause
"""The synchronization strategies as their folders describe them, and what they cost."""
