# SPDX-License-Identifier: BSD-3-Clause
"""Random and hostile input: docs/design.md says what is fuzzed, and how."""
