# SPDX-License-Identifier: BSD-3-Clause
"""Raw schema to intermediate representation: every default filled in, every name looked up."""
