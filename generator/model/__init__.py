# SPDX-License-Identifier: BSD-3-Clause
"""The model that all backends use: representation, layout in memory, names."""
