# SPDX-License-Identifier: BSD-3-Clause
"""Tools: comparisons, costs, running applications, existing code."""
