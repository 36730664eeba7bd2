# SPDX-License-Identifier: BSD-3-Clause
"""Options that verbs in several modules have in common."""

from __future__ import annotations

import click

mib_path = click.option(
    "--mib-path",
    metavar="DIR",
    multiple=True,
    help="Folder with SMI modules that are built on; may be repeated.",
)
