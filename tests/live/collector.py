# SPDX-License-Identifier: BSD-3-Clause
"""A collector of OTLP/HTTP on loopback, which keeps what it is sent."""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest as Request,
)
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceResponse as Response,
)

Attributes = tuple[tuple[str, str], ...]


class Collector:
    """Listens at `port`, or any. It answers with `status`, and `rejected` data points."""

    def __init__(self, port: int = 0) -> None:
        self.requests: list[Request] = []
        self.paths: set[str] = set()
        self.status = 200
        self.rejected = 0
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                collector.paths.add(self.path)
                if collector.status == 200:
                    collector.requests.append(Request.FromString(body))
                reply = Response()
                reply.partial_success.rejected_data_points = collector.rejected
                reply.partial_success.error_message = "no\x1broom" if collector.rejected else ""
                answer = reply.SerializeToString()
                self.send_response(collector.status)
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, *what: object) -> None:
        self.close()

    def metrics(self) -> dict[tuple[str, str], Any]:
        """The metrics of all requests by application and name; those in pieces put together."""
        found: dict[tuple[str, str], Any] = {}
        for request in self.requests:
            for resource in request.resource_metrics:
                name = dict(attributes(resource.resource.attributes))["service.name"]
                for scope in resource.scope_metrics:
                    assert scope.scope.name == "ctrgen"
                    for metric in scope.metrics:
                        have = found.setdefault((name, metric.name), metric)
                        if have is not metric:
                            have.MergeFrom(type(metric)(**only_points(metric)))
        return found


def only_points(metric: Any) -> dict[str, Any]:
    """The points of a metric as what makes another one."""
    kind = metric.WhichOneof("data")
    return {kind: {"data_points": getattr(metric, kind).data_points}}


def attributes(pairs: Any) -> Attributes:
    """Attributes as pairs, sorted."""
    return tuple(sorted((pair.key, pair.value.string_value) for pair in pairs))


def numbers(metric: Any) -> dict[Attributes, float]:
    """The values of a metric by their attributes."""
    kind = metric.WhichOneof("data")
    found = {}
    for point in getattr(metric, kind).data_points:
        which = point.WhichOneof("value")
        assert attributes(point.attributes) not in found
        found[attributes(point.attributes)] = getattr(point, which)
    return found
