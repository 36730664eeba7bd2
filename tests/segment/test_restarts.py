# SPDX-License-Identifier: BSD-3-Clause
"""Applications that come, go, are killed, and come again with other items, while Python reads:
values or a LiveError, whatever moment it is."""

import itertools
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import LiveError
from ctrgen.tools.live.segment import Segment
from ctrgen.tools.live.targets import Targets
from tests.segment.lab import Application, application
from tests.segment.test_handover import program
from tests.support.cbuild import Workshop
from tests.support.strategies import USUAL


class Readers:
    """Threads that read until they are told to stop, and what went wrong in them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done = threading.Event()
        self.wrong: list[str] = []
        self.seen: set[str] = set()
        self.threads = [
            threading.Thread(target=self._run, args=(one,)) for one in (self._read, self._scrape)
        ]
        for thread in self.threads:
            thread.start()

    def _run(self, once: Callable[[], None]) -> None:
        while not self.done.is_set():
            try:
                once()
            except LiveError as error:
                self.seen.add(type(error).__name__)
            except Exception:
                self.wrong.append(traceback.format_exc())

    def _read(self) -> None:
        """Modules are kept for some time, as who shows them does."""
        source = Segment(self.path)
        modules = source.modules()
        for _ in range(5):
            for module in modules:
                for scope in module.scopes:
                    for instance in itertools.islice(source.read(module, scope), 100):
                        assert len(instance.values) == len(scope.items)
                        assert len(instance.names) == len(scope.names)
                        self.seen.add(module.name)

    def _scrape(self) -> None:
        with Targets([str(self.path.parent)]) as targets:
            exposition = Applications(targets.found)
            for _ in range(5):
                assert exposition.text().endswith("# EOF\n")

    def end(self) -> None:
        self.done.set()
        for thread in self.threads:
            thread.join()


def test_restarts(workshop: Workshop, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = tmp_path / "app.seg"
    programs = [
        application(workshop),
        *(program(workshop, name, USUAL) for name in ("before", "after")),
    ]
    readers = Readers(path)
    try:
        for number in range(300 if request.config.getoption("--long") else 24):
            app = Application(programs[number % 3], path)
            if number % 3 == 0:
                app.do("run", "start", "destroy", "rekey")
            else:
                app.answer()
            if number % 2:
                app.kill()
            else:
                assert app.end() == 0
    finally:
        readers.end()
    assert readers.wrong == [], readers.wrong[0]
    assert readers.seen >= {"all", "ho", "LiveError"}
