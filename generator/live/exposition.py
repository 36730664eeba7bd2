# SPDX-License-Identifier: BSD-3-Clause
"""All applications as one text in the format that a scraper asks for."""

from __future__ import annotations

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from .metrics import Applications
from .server import Answer

OPENMETRICS = "application/openmetrics-text; version=1.0.0"
"""What asks for OpenMetrics in a header `Accept`."""


class Exposition:
    """Makes the text. Not for several threads at a time."""

    def __init__(self, applications: Applications) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(applications)

    def __call__(self, accept: str) -> Answer:
        """OpenMetrics where `accept` has it, else the older format of Prometheus."""
        encode, type_ = choose_encoder(accept)
        return Answer(type_, encode(self._registry))

    def text(self) -> str:
        """OpenMetrics."""
        return self(OPENMETRICS).body.decode()
