# SPDX-License-Identifier: BSD-3-Clause
"""The command line: verbs, options and exit codes, a module for each family of verbs."""
