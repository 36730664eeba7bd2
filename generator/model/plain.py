# SPDX-License-Identifier: BSD-3-Clause
"""A module as plain data."""

import dataclasses
from typing import Any

from .ir import Module


def to_json(module: Module) -> dict[str, Any]:
    """A module as plain data for JSON, without source positions."""
    return dataclasses.asdict(module, dict_factory=_plain)


def _plain(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = {name: value for name, value in fields if not name.endswith("span")}
    tunables = plain.pop("tunables", ())  # of a `Sync`
    return {**plain, **dict(tunables)}
