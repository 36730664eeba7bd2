# SPDX-License-Identifier: BSD-3-Clause
"""The whole flow in one readable function each: `check` to findings, `build` to files."""
