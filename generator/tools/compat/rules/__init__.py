# SPDX-License-Identifier: BSD-3-Clause
"""The breaking-change rules, grouped by topic, in the order of the table in docs/evolution.md."""

from . import scopes, labels, items, notifications, updates, oids  # noqa: F401, I001
