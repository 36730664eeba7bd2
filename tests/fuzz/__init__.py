# SPDX-License-Identifier: BSD-3-Clause
"""Random and hostile input: docs/fuzzing.md says what is fuzzed, and how."""
