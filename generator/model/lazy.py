# SPDX-License-Identifier: BSD-3-Clause
"""Values that are computed at their first use."""

from functools import cached_property as cached_property
