# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen top`: running applications in a terminal."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.live import Live

from .readers import Limits, Readers
from .screen import screen
from .targets import Targets
from .watch import MOST_SPREAD, Watch, as_json


def once(
    targets: Sequence[str], interval: float, limits: Limits, *, every: bool, as_data: bool,
    out: TextIO,
) -> int:  # fmt: skip
    """Look twice, `interval` seconds apart, and print the second; 1 if nothing could be read."""
    watch = Watch(spread=MOST_SPREAD if as_data else 0, readers=Readers(limits))
    with Targets(targets, every=every) as found:
        watch.look(found.found())
        time.sleep(interval)
        rows = watch.look(found.found())
    if as_data:
        json.dump(as_json(rows, watch), out, indent=1)
        out.write("\n")
    else:
        console = Console(file=out, highlight=False)
        console.print(screen(rows, watch, len(rows), console.width))
    return 0 if rows else 1


def run(targets: Sequence[str], interval: float, limits: Limits, *, every: bool) -> None:
    """Look again and again, until interrupted."""
    gc.enable()  # unlike other verbs, this one runs long
    watch, console = Watch(readers=Readers(limits)), Console(highlight=False)
    live = Live(console=console, screen=True, auto_refresh=False)
    with Targets(targets, every=every) as found, live:
        while True:
            rows = watch.look(found.found())
            live.update(screen(rows, watch, console.height - 4, console.width), refresh=True)
            time.sleep(interval)
