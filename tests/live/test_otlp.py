# SPDX-License-Identifier: BSD-3-Clause
"""Applications in OTLP: what a collector gets is what there is, item by item."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="no ctrgen[otlp]")

from ctrgen.tools.live import otlp
from ctrgen.tools.live.model import NOTHING_FOUND, LiveError
from ctrgen.tools.live.otlp import unit
from tests.live.collector import Collector, numbers
from tests.live.made import Gone, Made, instance, usual
from tests.support.process import ctrgen, until

PATIENCE = 60
UP = ("ctrgen.application.up",)


class Found:
    """Targets that are made up."""

    def __init__(self, **applications: Made) -> None:
        self.applications = applications

    def found(self) -> Iterator[tuple[str, Any]]:
        yield from self.applications.items()


def sent(series: int = 1000, **applications: Made) -> dict[tuple[str, str], Any]:
    """What a collector has of applications that are sent once."""
    with Collector() as collector:
        sender = otlp.Sender(collector.url, Found(**applications), series, PATIENCE)  # type: ignore[arg-type]
        sender.send()
        sender.close()
        assert collector.paths == {"/v1/metrics"}
        return collector.metrics()


def points(metric: Any) -> list[Any]:
    """The data points of a metric."""
    return list(getattr(metric, metric.WhichOneof("data")).data_points)


def session(number: int, **more: str) -> tuple[tuple[str, str], ...]:
    """The attributes of a session."""
    return tuple(sorted({"session": str(number), **more}.items()))


def test_one_of_everything() -> None:
    begin = time.time_ns()
    found = sent(a=usual())
    assert {name for name, _ in found} == {"a"}
    metric = {name: one for _, name, one in ((*key, one) for key, one in found.items())}
    pkts = metric["ep.session.pkts"]
    assert (pkts.description, pkts.unit) == ("Packets of the session.", "{packets}")
    assert pkts.sum.is_monotonic and pkts.sum.aggregation_temporality == 2, "cumulative"
    assert numbers(pkts) == {session(3): 7, session(9): float(2**64 - 1)}
    first, second = pkts.sum.data_points
    assert (first.start_time_unix_nano, second.start_time_unix_nano) == (1_700_000_000 * 10**9, 0)
    assert begin <= first.time_unix_nano <= time.time_ns()
    assert numbers(metric["ep.events"]) == {(): 8}
    load = metric["ep.session.load"]
    assert (load.WhichOneof("data"), load.unit) == ("gauge", "%")
    assert numbers(load) == {session(3): 50, session(9): 0}
    assert numbers(metric["ep.session.phase"]) == {
        session(3, phase="idle"): 0, session(3, phase="up"): 1,
    }  # fmt: skip
    assert numbers(metric["ep.session.peer"]) == {session(3, peer="a"): 1}
    assert numbers(metric["ep.session.up"]) == {session(3): 1, session(9): 0}
    sizes = metric["ep.session.sizes"]
    assert (sizes.unit, sizes.histogram.aggregation_temporality) == ("By", 2)
    point = sizes.histogram.data_points[0]
    assert list(point.explicit_bounds) == [64, 512]
    assert list(point.bucket_counts) == [1, 2, 4]
    assert (point.count, point.sum, point.start_time_unix_nano) == (7, 900, 1_700_000_000 * 10**9)
    assert not point.HasField("min") and not point.HasField("max")
    assert numbers(metric["ctrgen.application.up"]) == {(): 1}
    assert len(metric) == 9


def test_of_one_that_breaks_nothing_is_told() -> None:
    broken = usual()
    broken.broken = frozenset(["session"])
    found = sent(a=usual(), b=broken, c=Gone("not there"))
    up = {name: numbers(one)[()] for (name, what), one in found.items() if what in UP}
    assert up == {"a": 1, "b": 0, "c": 0}
    assert {name for name, what in found if what.startswith("ep.")} == {"a"}


def test_too_many_points_leave_out_instances() -> None:
    many = usual()
    many.instances["session"] *= 100
    found = sent(series=500, a=many, b=usual())
    left = numbers(found["a", "ctrgen.scope.left_out"])
    assert left == {(("module", "ep"), ("scope", "session")): 1}
    assert sum(len(points(one)) for (name, _), one in found.items() if name == "a") <= 500
    assert 0 < len(points(found["a", "ep.session.pkts"])) < 200 and ("a", "ep.events") in found
    assert ("b", "ep.session.pkts") in found


def test_many_points_are_several_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(otlp, "POINTS", 100)
    many = usual()
    many.instances["session"] = [
        instance(n, n * 10, 0, "up", "x", 1, 2, 3, 9, True) for n in range(300)
    ]
    with Collector() as collector:
        sender = otlp.Sender(collector.url, Found(a=many), 10_000, PATIENCE)  # type: ignore[arg-type]
        sender.send()
        sender.close()
        counts = [
            sum(len(getattr(m, m.WhichOneof("data")).data_points) for m in one.metrics)
            for request in collector.requests
            for resource in request.resource_metrics
            for one in resource.scope_metrics
        ]
        found = collector.metrics()
    assert len(counts) > 10 and max(counts) == 100
    wanted = {session(n): n * 10 for n in range(300)}
    assert numbers(found["a", "ep.session.pkts"]) == wanted


@pytest.mark.parametrize("text", ['"', "\n", "\0", "ü\u2028", "a" * 10_000, " "])
def test_attributes_of_any_text(text: str) -> None:
    found = sent(a=usual(text=text))
    (key,) = numbers(found["a", "ep.session.peer"])
    assert dict(key)["peer"] == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("packets", "{packets}"), ("bytes", "By"), ("By", "By"), ("ns", "ns"), ("1", "1"),
     ("", ""), ("%", "%"), ("Mbit/s", "Mbit/s"), ("µs", "µs")],
)  # fmt: skip
def test_units(text: str, wanted: str) -> None:
    assert unit(text) == wanted


@pytest.mark.parametrize("url", ["", "x", "ftp://a", "http://", "http://a:b", "http://a:70000"])
def test_what_is_no_collector(url: str) -> None:
    done = ctrgen("export", "--once", "--otlp", url, "x.seg")
    assert done.exit_code == 2
    assert "is no URL of a collector" in done.stderr or "is empty" in done.stderr


def test_one_that_cannot_be_reached_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(otlp, "PATIENCE", 0.1)
    with Collector() as collector:
        url = collector.url
    done = ctrgen("export", "--once", "--otlp", url, "/nothing/of/that/name")
    assert done.exit_code == 1
    assert done.stderr == f"ctrgen: {url}/v1/metrics: connection refused\n"


def test_there_is_nothing_to_send(tmp_path: Path) -> None:
    done = ctrgen("export", "--once", "--otlp", "http://127.0.0.1:1", tmp_path)
    assert (done.exit_code, done.stderr) == (1, f"ctrgen: {NOTHING_FOUND}\n")


def test_a_collector_that_is_down_for_a_while() -> None:
    """It is said once, and again when it is there; nothing is kept meanwhile."""
    with Collector() as collector:
        port = collector.port
    said: list[str] = []
    reads: list[int] = []
    made = usual()
    targets = Found(a=made)
    found = targets.found

    def counted() -> Iterator[tuple[str, Any]]:
        reads.append(1)
        return found()

    targets.found = counted  # type: ignore[method-assign]
    sender = otlp.Sender(f"http://127.0.0.1:{port}", targets, 1000, 0.2)  # type: ignore[arg-type]
    pusher = otlp.Pusher(sender, 0.05, said.append)
    until(lambda: len(reads) > 3)
    assert len(said) == 1, "once"
    assert f"http://127.0.0.1:{port}/v1/metrics: " in said[0] and "trying again every" in said[0]
    assert "refused" in said[0], "why"
    with Collector(port) as collector:
        until(lambda: len(said) > 1)
        first = collector.requests[0].resource_metrics
        assert len(first) == 1, "what could not be sent is not kept"
        pusher.close()
    assert said[1] == f"http://127.0.0.1:{port}/v1/metrics: takes metrics again"


def test_a_collector_that_never_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        sender = otlp.Sender(url, Found(a=usual()), 1000, 0.3)  # type: ignore[arg-type]
        with pytest.raises(LiveError, match=url):
            sender.send()
        sender.close()


def test_a_collector_that_refuses() -> None:
    with Collector() as collector:
        collector.status = 400
        sender = otlp.Sender(collector.url, Found(a=usual()), 1000, PATIENCE)  # type: ignore[arg-type]
        with pytest.raises(LiveError, match="400"):
            sender.send()
        sender.close()


@pytest.mark.parametrize(
    ("status", "rejected", "message"),
    [
        (200, 7, r"7 data points rejected: no\\u001broom"),
        (302, 0, "values are lost: redirected to http://127.0.0.1:9/elsewhere"),
        (307, 0, "values are lost: redirected to http://127.0.0.1:9/elsewhere"),
    ],
)
def test_a_collector_that_loses_points(status: int, rejected: int, message: str) -> None:
    """The SDK takes both for success."""
    with Collector() as collector:
        collector.status, collector.rejected = status, rejected
        sender = otlp.Sender(collector.url, Found(a=usual()), 1000, PATIENCE)  # type: ignore[arg-type]
        with pytest.raises(LiveError, match=message):
            sender.send()
        collector.status, collector.rejected = 200, 0
        assert sender.send()
        sender.close()
