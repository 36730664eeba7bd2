# SPDX-License-Identifier: BSD-3-Clause
"""What everything behind the front half stands on: representation, layout in memory, names."""
