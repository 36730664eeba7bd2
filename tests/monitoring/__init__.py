"""Tests of files for other systems of monitoring."""

HALF_OPEN, NO_ROUTE = '1/2 "open" \\ ✓', 'No "route" \\n ✓'
"""What people see of labels of mon.yaml."""
FILL = 'Fill "level" \\ ✓'
"""And of an item."""
