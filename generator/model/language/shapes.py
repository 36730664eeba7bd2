# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of names and texts, which rules demand of schemas and the JSON Schema shows to editors."""

MAX_LABELS = 1024
"""Most labels of a dimension: more are numbers, not names."""
MODULE = r"[a-z][a-z0-9_]*"
MAX_NAME = 63
"""Longest name that C compilers must distinguish, and the longest SMI label but one."""
UNIT = r"[!#-\[\]-~\u00b5\u2126\u03a9\u00b0]+"
"""One plain word, or a UCUM unit with the signs for micro, ohm and degree."""
MAX_UNIT = 32
MAX_TEXT = 1000
"""Characters of a description: as a C string in UTF-8 it stays below the 4095 octets of C99."""
