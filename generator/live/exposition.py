# SPDX-License-Identifier: BSD-3-Clause
"""All applications as one text in the format that a scraper asks for: OpenMetrics, or the older one
of Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import request
from .metrics import CREATED, Applications, Family, escaped
from .server import Answer, Edition

OPENMETRICS = f"{request.OPENMETRICS}; version=1.0.0; charset=utf-8"
"""What asks for OpenMetrics in a header `Accept`, and what it is."""
PLAIN = "text/plain; version=0.0.4; charset=utf-8"  # the older format of Prometheus

_PLAIN_TYPES = {"info": "gauge", "stateset": "gauge"}
_PLAIN_SUFFIXES = {"counter": "_total", "info": "_info"}


class Exposition:
    """Makes the text. Not for several threads at a time."""

    def __init__(self, applications: Applications) -> None:
        self.applications = applications

    def __call__(self) -> Edition:
        """The applications of now: OpenMetrics where a header `Accept` has it, else the older
        format of Prometheus."""
        families = list(self.applications.collect())

        def edition(accept: str) -> Answer:
            open_metrics = request.accepted(accept) == request.OPENMETRICS
            encode, type_ = (openmetrics, OPENMETRICS) if open_metrics else (plain, PLAIN)
            return Answer(type_, "".join(encode(families)).encode())

        return edition

    def text(self) -> str:
        """OpenMetrics."""
        return "".join(openmetrics(self.applications.collect()))


def openmetrics(families: Iterable[Family]) -> Iterator[str]:
    """OpenMetrics 1.0.0, in pieces."""
    for family in families:
        yield f"# HELP {family.name} {escaped(family.text)}\n"
        yield f"# TYPE {family.name} {family.type}\n"
        yield from family.lines
    yield "# EOF\n"


def plain(families: Iterable[Family]) -> Iterator[str]:
    """The older format, in pieces: it has fewer types, and when something was created is a metric
    of its own."""
    for family in families:
        text = family.text.replace("\\", r"\\").replace("\n", r"\n")
        name = family.name + _PLAIN_SUFFIXES.get(family.type, "")
        yield f"# HELP {name} {text}\n"
        yield f"# TYPE {name} {_PLAIN_TYPES.get(family.type, family.type)}\n"
        created, later = f"{family.name}{CREATED}", []
        for line in family.lines:
            if line.startswith(created):
                later.append(line)
            else:
                yield line
        if later:
            yield f"# HELP {created} {text}\n# TYPE {created} gauge\n"
            yield from later
