# SPDX-License-Identifier: BSD-3-Clause
"""Text to files: the only template environment, and how files are written, compared and kept."""
