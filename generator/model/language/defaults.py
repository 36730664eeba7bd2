# SPDX-License-Identifier: BSD-3-Clause
"""Defaults of a schema that are not constants of its models."""

from .. import ir

DOCUMENTATION = 32473
"""Enterprise number that RFC 5612 keeps for documentation."""

ENTERPRISES = "1.3.6.1.4.1"
"""OID below which enterprises have theirs."""

ARC = [1]
"""Where a module is below its enterprise."""

INITIAL = ("2026-01-01", "Initial revision.")
"""Date and description of the revision that a module without revisions gets."""

MIDNIGHT = "T00:00"
"""The time of day of a revision that says none: with it, the date is the same."""

NOT_STATED = "Not stated."
"""The organization and the contact of a module that names none."""


def module_description(name: str) -> str:
    """Description of a module, from its name."""
    return f"Statistics of {name}."


def scope_description(name: str) -> str:
    """Description of a scope, from its name: `rx_queue` gives `Rx queue statistics.`."""
    if name == ir.GLOBAL:
        return "Module-wide statistics."
    words = name.replace("_", " ").strip()
    return f"{words[:1].upper()}{words[1:]} statistics."


def update_description(name: str) -> str:
    """Description of an update, from its name: `rx_packet` gives `Count one rx packet.`."""
    return f"Count one {name.replace('_', ' ')}."
