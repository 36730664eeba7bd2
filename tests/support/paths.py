# SPDX-License-Identifier: BSD-3-Clause
"""Where things are in the project."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GENERATED = ROOT / "generated"
SCHEMAS = ROOT / "schemas"
APPS = SCHEMAS / "apps"
EP = SCHEMAS / "ep.yaml"
"""The reference schema."""
EXAMPLES = ("ep", "upf", "router")
"""The example schemas that have an application."""


def example(name: str) -> Path:
    """The file of an example schema."""
    return SCHEMAS / f"{name}.yaml"
