# SPDX-License-Identifier: BSD-3-Clause
"""ctrgen: generates the C that counts, reads and resets data-plane statistics."""

__version__ = "0.1.0"
