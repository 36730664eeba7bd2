# SPDX-License-Identifier: BSD-3-Clause
"""What stands on top: comparisons, costs, running applications, existing code."""
