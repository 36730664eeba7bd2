# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of a report as files of their own, for docs/charts."""

from __future__ import annotations

import re

from ctrgen.bench.report.drawing import COLOURS


def alone(svg: str) -> str:
    """A drawing as a file of its own: in light colours, with the page behind it."""
    light = {f"var(--{name})": colour for name, (colour, _) in COLOURS.items()}
    page = f'xmlns="http://www.w3.org/2000/svg" style="background: {light["var(--page)"]}"'
    text = re.sub(r"var\(--\w+\)", lambda colour: light[colour[0]], svg)
    return "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n" + text.replace(
        "<svg ", f"<svg {page} ", 1
    )
