# SPDX-License-Identifier: BSD-3-Clause
"""All applications as one text in the format that a scraper asks for.

The metrics are those of `prometheus_client`; the text is made here, as its encoders take a second
for 50,000 series, and make doubles of whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prometheus_client import Metric

from . import request
from .metrics import Applications
from .server import Answer

OPENMETRICS = f"{request.OPENMETRICS}; version=1.0.0; charset=utf-8"
"""What asks for OpenMetrics in a header `Accept`, and what it is."""
PLAIN = "text/plain; version=0.0.4; charset=utf-8"
"""The older format of Prometheus."""

_PLAIN_TYPES = {"info": "gauge", "stateset": "gauge"}
_PLAIN_SUFFIXES = {"counter": "_total", "info": "_info"}
_CREATED = "_created"


class Exposition:
    """Makes the text. Not for several threads at a time."""

    def __init__(self, applications: Applications) -> None:
        self.applications = applications

    def __call__(self, accept: str) -> Answer:
        """OpenMetrics where `accept` has it, else the older format of Prometheus."""
        open_metrics = request.accepted(accept) == request.OPENMETRICS
        encode, type_ = (openmetrics, OPENMETRICS) if open_metrics else (plain, PLAIN)
        return Answer(type_, "".join(encode(self.applications.collect())).encode())

    def text(self) -> str:
        """OpenMetrics."""
        return "".join(openmetrics(self.applications.collect()))


def openmetrics(metrics: Iterable[Metric]) -> Iterator[str]:
    """OpenMetrics 1.0.0, in pieces."""
    for metric in metrics:
        yield f"# HELP {metric.name} {_escaped(metric.documentation)}\n"
        yield f"# TYPE {metric.name} {metric.type}\n"
        yield from (line for _, line in _lines(metric))
    yield "# EOF\n"


def plain(metrics: Iterable[Metric]) -> Iterator[str]:
    """The older format, in pieces: it has fewer types, and when something was created is a metric
    of its own."""
    for metric in metrics:
        text = metric.documentation.replace("\\", r"\\").replace("\n", r"\n")
        name = metric.name + _PLAIN_SUFFIXES.get(metric.type, "")
        yield f"# HELP {name} {text}\n"
        yield f"# TYPE {name} {_PLAIN_TYPES.get(metric.type, metric.type)}\n"
        created = metric.name + _CREATED
        later = []
        for name, line in _lines(metric):
            if name == created:
                later.append(line)
            else:
                yield line
        if later:
            yield f"# HELP {created} {text}\n# TYPE {created} gauge\n"
            yield from later


def _lines(metric: Metric) -> Iterator[tuple[str, str]]:
    """The samples of a metric, with their names. Samples with the same labels share an object."""
    labels: object = None
    text = ""
    for sample in metric.samples:
        if sample.labels is not labels:
            labels, text = sample.labels, _labels(sample.labels)
        yield sample.name, f"{sample.name}{text} {sample.value!r}\n"


def _labels(labels: dict[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join([f'{key}="{_escaped(labels[key])}"' for key in sorted(labels)]) + "}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
