# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen export`: running applications for Prometheus, and a page with their values."""

from __future__ import annotations

import gc
import heapq
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING

from ...findings.usage import UsageError, pip_install
from .metrics import Applications
from .model import NOTHING_FOUND, Limits, LiveError, Sources
from .server import Answer, Edition, Page, Server, always
from .targets import Targets
from .watch import Row, Rows, Watch, as_json, watched

if TYPE_CHECKING:
    from .otlp import Pusher, Sender

_SWITCH = 0.0005  # seconds for which a thread of Python keeps others waiting; 0.005 unless set

INTERVAL = "OTEL_METRIC_EXPORT_INTERVAL"
"""Variable of the environment that states how often metrics are sent."""

LEFT_OUT = "without instances that have counted nothing, unless --all (ctrgen_instances_left_out)"

FRESH = 0.9  # seconds for which values are shown again: many pages cost as much as one
MOST_EXACT = 2**53  # the greatest whole number of JavaScript (Number.MAX_SAFE_INTEGER)
MOST_SHOWN = 500  # limit of instances of a scope in a page: the fastest ones
Place = tuple[str, str, str]  # a scope: application, module, scope


@dataclass(frozen=True)
class What:
    """What is exported: the applications at `targets`, each with up to `series` series; with
    `every`, also instances that were never touched. `names` are those of this server other than
    addresses (`Server`). All is sent to the collector `otlp` too, if there is one."""

    targets: Sequence[str]
    series: int
    every: bool = False
    limits: Limits = field(default_factory=Limits)
    names: Sequence[str] = ()
    otlp: str = ""

    def open(self) -> Targets:
        """The applications."""
        return Targets(self.targets, every=self.every)


def once(what: What, say: Callable[[str], None]) -> tuple[str, bool]:
    """All applications as OpenMetrics, and whether any has statistics; `say` reports why others
    have none. Raises UsageError."""
    with what.open() as found:
        applications = Applications(found.found, what.series, what.limits)
        text = applications.text()
        for name, why in applications.reasons.items():
            say(f"{name}: {why}")
        if not applications.shown and not applications.reasons:
            say(NOTHING_FOUND)
        return text, applications.shown > 0


def push_once(what: What) -> None:
    """Send all applications once. Raises UsageError, and LiveError if there are none, or if they
    cannot be sent."""
    with what.open() as found, closing(_sender(found, what)) as sender:
        if not sender.send():
            raise LiveError(NOTHING_FOUND)


def serve(what: What, listen: str, say: Callable[[str], None]) -> None:
    """Serve all applications until SIGINT or SIGTERM, and send them; `say` reports the address,
    what is left out, and failures of sending. Raises UsageError."""
    gc.enable()  # unlike other verbs, this one runs long
    sys.setswitchinterval(_SWITCH)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with what.open() as found, what.open() as sent:
        answers: dict[str, Page] = {
            "/": page,
            "/values.json": Values(found.found, what.limits),
            "/metrics": Applications(found.found, what.series, what.limits),
        }
        with Server(listen, answers, what.names) as server, suppress(KeyboardInterrupt):
            say(server.url)
            if not what.every:
                say(LEFT_OUT)
            with closing(_pusher(sent, what, say)) if what.otlp else nullcontext():
                server.serve_forever()


def _pusher(targets: Targets, what: What, say: Callable[[str], None]) -> Pusher:
    """The thread that reads and sends by itself."""
    sender, interval = _sender(targets, what), _interval()
    from .otlp import Pusher

    return Pusher(sender, interval, say)


def _interval() -> float:
    """Seconds between two sends, by the variable of OpenTelemetry's specification."""
    text = os.environ.get(INTERVAL, "60000")
    if not (text.isdecimal() and 1000 <= int(text) <= 86_400_000):
        raise UsageError(f"{INTERVAL}={text} is not from 1000 to 86400000 (milliseconds)")
    return int(text) / 1000


def _sender(targets: Targets, what: What) -> Sender:
    try:
        from . import otlp
    except ModuleNotFoundError as error:
        hint = pip_install("otlp")
        raise UsageError("--otlp takes the SDK of OpenTelemetry", hint) from error
    return otlp.Sender(what.otlp, targets, what.series, otlp.PATIENCE, what.limits)


def page() -> Edition:
    """The page, which asks for the values itself."""
    text = resources.files("ctrgen.templates").joinpath("live/page.html").read_bytes()
    answer = Answer("text/html; charset=utf-8", text)
    return always(answer)


class Values:
    """Values of all applications as JSON. Not for several threads at a time."""

    def __init__(self, sources: Sources, limits: Limits | None = None) -> None:
        self._sources, self._watch = sources, Watch(limits=limits)
        self._made, self._answer = 0.0, Answer("", b"")

    def __call__(self) -> Edition:
        """The values of now, or of a moment ago."""
        if not self._answer.body or time.monotonic() - self._made >= FRESH:
            found, slower = fastest(self._watch.look(self._sources()), MOST_SHOWN)
            document = as_json(([_exact(row) for row in rows] for rows in found), self._watch)
            for (application, module, scope), more in slower.items():
                modules = document["applications"][application]["modules"]
                modules[module]["scopes"][scope]["more"] = more
            text = json.dumps(document, separators=(",", ":"))
            self._answer = Answer("application/json", text.encode())
            self._made = time.monotonic()
        return always(self._answer)


def fastest(instances: Sequence[Rows], most: int) -> tuple[list[Rows], dict[Place, int]]:
    """The `most` instances of each scope whose first counter is fastest, or largest; and the number
    of the others."""
    places: dict[Place, list[Rows]] = defaultdict(list)
    for rows in instances:
        places[rows[0].application, rows[0].module.name, rows[0].scope.name].append(rows)
    left: list[Rows] = []
    for found in places.values():
        best = {id(rows) for rows in heapq.nlargest(most, found, key=_speed)}
        left += [rows for rows in found if id(rows) in best]
    return left, {p: len(found) - most for p, found in places.items() if len(found) > most}


def _speed(rows: Rows) -> tuple[float, int]:
    row = next(row for row in rows if row.item is watched(row.scope))
    return row.rate or 0.0, row.value if isinstance(row.value, int) else 0


def _exact(row: Row) -> Row:
    """A row whose value a browser reads as it is: as text, if it has no such number."""
    if isinstance(row.value, int) and abs(row.value) > MOST_EXACT:
        return row._replace(value=f"{row.value:,}")
    return row
