# SPDX-License-Identifier: BSD-3-Clause
"""The breaking-change rules, grouped by topic, in the order of the table in docs/evolution.md."""

from . import (  # noqa: F401, I001
    scopes, labels, shown, keys, histograms, items, notifications, definitions, updates, names,
    storage, oids,
)  # fmt: skip
