# SPDX-License-Identifier: BSD-3-Clause
"""Keys of 0.2 that have no effect any more: they are reported, and ignored."""

from ...findings.diagnostics import Severity, declare

RULE = "removed-key"
KEYS = ("comments", "writers", "yang_namespace")
TUNABLES = ("cpus", "full", "pad", "placement", "ways")
OUTPUTS = ("rte_metrics", "telegraf", "telemetry", "yang", "zabbix")
HINT = "remove it: docs/upgrading.md says what takes its place"

declare(RULE, Severity.WARNING, "Every key, tunable and output of a schema has an effect.")
