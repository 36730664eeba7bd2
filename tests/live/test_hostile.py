# SPDX-License-Identifier: BSD-3-Clause
"""The real exporter among hostile sockets and files: while they are there, each scrape of
a sound application arrives, whole."""

import contextlib
import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live import lab
from tests.support.cbuild import Workshop

GREETING = {"version": "DPDK 24.11", "pid": 1, "max_output_len": 1 << 20}
TIMEOUT = 3.0
"""Seconds that the exporter gives an application."""

Check = Callable[[], bool]
Hostile = Callable[[lab.Exporter, Path], contextlib.AbstractContextManager[Check]]
"""Does harm, and yields whether it still does after the scrapes."""


@contextlib.contextmanager
def sockets(
    folder: Path, names: list[str], answer: Callable[[socket.socket], None] | None
) -> Iterator[Check]:
    """Telemetry sockets that answer so; None: never, as a process that was stopped."""
    with contextlib.ExitStack() as stack:
        for name in names:
            listener = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            listener.bind(str(folder / name))
            listener.listen(64)
            if answer is not None:
                threading.Thread(target=serve, args=(listener, answer), daemon=True).start()
                stack.callback(listener.shutdown, socket.SHUT_RDWR)
        yield lambda: True


def serve(listener: socket.socket, answer: Callable[[socket.socket], None]) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=answering, args=(client, answer), daemon=True).start()


def answering(client: socket.socket, answer: Callable[[socket.socket], None]) -> None:
    with client, contextlib.suppress(OSError):
        client.send(json.dumps(GREETING).encode())
        client.recv(2048)
        answer(client)


def lists(client: socket.socket, text: str) -> None:
    """A module whose list goes on for ever, in replies as long as they may be."""
    client.send(json.dumps({"/": [f"/m/{word}" for word in WORDS]}).encode())
    number = 0
    while command := client.recv(2048).decode().partition(",")[0]:
        number += 1
        reply = {"layout": "1"} if command == "/m/info" else {"lines": [text], "/next": f"{number}"}
        client.send(json.dumps({command: reply}).encode())


WORDS = ("info", "list", "scope", "lcore")


def planted(count: int, name: str, answer: Callable[[socket.socket], None] | None) -> Hostile:
    """So many sockets in the folder of the application."""
    return lambda _, folder: sockets(folder, [f"{name}{n}" for n in range(count)], answer)


@contextlib.contextmanager
def cut(_: lab.Exporter, folder: Path) -> Iterator[Check]:
    """Segments that are cut short and made long again, also to a tebibyte, while they are read."""
    whole = (folder / "good.seg").read_bytes()
    stop = threading.Event()
    rounds = 0

    def harm() -> None:
        nonlocal rounds
        while not stop.is_set():
            for path, size in zip(paths, SIZES, strict=True):
                os.truncate(path, size)
                os.truncate(path, len(whole))
            rounds += 1
            time.sleep(0.01)

    paths = [folder / f"bad{n}.seg" for n in range(len(SIZES))]
    for path, size in zip(paths, SIZES, strict=True):
        path.write_bytes(whole)
        (folder / f"still-{path.name}").write_bytes(whole)
        os.truncate(folder / f"still-{path.name}", size)
    thread = threading.Thread(target=harm)
    thread.start()
    try:
        yield lambda: rounds > 0
    finally:
        stop.set()
        thread.join(lab.PATIENCE)


SIZES = (0, 1, 64, 4096, 1 << 16, 1 << 40)

HOSTILE: dict[str, Hostile] = {
    "a giant page": planted(2, "dpdk_telemetry.v2:", lambda client: lists(client, "x" * 900_000)),
    "a page without end": planted(2, "dpdk_telemetry.v2:", lambda client: lists(client, "x")),
    "sockets that never answer": planted(200, "dpdk_telemetry.v2:", None),
    "other sockets that never answer": planted(200, "other", None),
    "sockets that close in the middle": planted(20, "dpdk_telemetry.v2:", lambda _: None),
    "segments cut short": cut,
}


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        yield Path(name)


@pytest.fixture
def good(workshop: Workshop, folder: Path) -> Iterator[lab.Samples]:
    """The samples of an application that has stopped counting and goes on publishing."""
    app = lab.Application(lab.program(workshop, "posix"), folder / "good.seg")
    app.sent("stop")
    yield lab.expected("good", app.values())
    assert app.end() == 0


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_next_scrape_arrives(kind: str, good: lab.Samples, folder: Path) -> None:
    """Twice, while the hostile ones are there; the exporter's memory does not grow with them."""
    exporter = lab.Exporter(folder, timeout=TIMEOUT)
    try:
        assert lab.of("good", exporter.scrape()) == good
        before = exporter.memory()
        with HOSTILE[kind](exporter, folder) as still:
            for _ in range(2):
                samples = exporter.scrape()
                assert lab.of("good", samples) == good
                assert lab.up(samples)["good"] == 1
            assert still()
            assert threads(exporter) < 64
            assert exporter.memory() < before + (600 << 20)
        assert lab.of("good", exporter.scrape()) == good
    finally:
        assert exporter.end() == 0


def threads(exporter: lab.Exporter) -> int:
    return len(list(Path(f"/proc/{exporter.process.pid}/task").iterdir()))
