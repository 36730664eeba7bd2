# SPDX-License-Identifier: BSD-3-Clause
"""HTTP for scrapers and browsers: whole answers or none; no client can block another.

One thread serves all connections, another makes pages: once for all clients that wait. Where there
are `CONNECTIONS`, a new one takes the place of the one that has been silent longest.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import gzip
import resource
import select
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from http import HTTPStatus

from ..findings.usage import UsageError, reason
from .request import (
    RefusedError,
    Request,
    accepted,
    address,
    head,
    hostname,
    measured,
    names,
    parsed,
)  # fmt: skip

ASKING = 5.0  # seconds from the connection of a client to the end of its headers
TAKING = 20.0  # seconds that a client has to take the answer
CONNECTIONS = 512  # clients at a time; no more than half of the files that may be open
MOST_HELD = 64 << 20  # bytes of answers queued for clients, the latest answer excluded

_GZIP_FROM = 1024
_SENT = 1 << 17  # octets of a client's send buffer; the kernel's default is megabytes
_PIECE, _PIECES = 1 << 12, 64
_LINGER = 1.0  # seconds in which the rest of a request is read (RFC 9112, 9.6)
_PAUSE = 0.1  # seconds until the next look where no connection can be accepted


@dataclass(frozen=True)
class Answer:
    """The body of an answer, and its media type."""

    type: str
    body: bytes

    @cached_property
    def packed(self) -> bytes:
        """The body compressed, for clients that accept it; the body itself if it is short."""
        return gzip.compress(self.body, 1) if len(self.body) >= _GZIP_FROM else self.body


Edition = Callable[[str], Answer]
"""A page as it was made once, for a header `Accept`: `OPENMETRICS`, or an empty one for the usual
type."""
Page = Callable[[], Edition]  # makes a page


def always(answer: Answer) -> Edition:
    """The same answer for any header."""
    return lambda accept: answer


_Form = tuple[str, bool]  # the header `Accept`, and whether the answer is compressed


@dataclass(eq=False)
class _Client:
    """A connection: sends a request until it `waits`, then receives a `body`; in it `since`."""

    socket: socket.socket
    since: float = field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None
    waits: bool = False
    body: bytes | None = None

    def connected(self) -> bool:
        """Whether it has not closed its side; a client that takes an answer does not."""
        if self.socket.fileno() < 0:
            return False
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP)  # POLLHUP and POLLERR always
        return not poll.poll(0)

    def end(self) -> None:
        """Close the connection soon, whatever it waits for."""
        if self.task is not None:
            self.task.cancel()


@dataclass
class _Batch:
    """The clients that wait for a page, and its answers: None if making it failed."""

    answers: asyncio.Future[dict[_Form, Answer] | None]
    clients: list[_Client] = field(default_factory=list)
    forms: set[_Form] = field(default_factory=set)


class Server:
    """Serves `pages` by their paths at an address `HOST:PORT`; raises UsageError where it cannot.

    Pages are made one at a time, and none is older than the request. A request is answered if its
    `Host` is `localhost`, a loopback address, the address that was reached, or one of `names`: any
    other may be of another site (DNS rebinding). `serve_forever()` ends by `shutdown()`.
    """

    asking, taking, most_held = ASKING, TAKING, MOST_HELD

    def __init__(self, listen: str, pages: dict[str, Page], names: Sequence[str] = ()) -> None:
        self.pages = pages
        self._names = {"localhost", *map(str.lower, names)}
        self._clients: set[_Client] = set()
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most = CONNECTIONS if files < 0 else min(CONNECTIONS, files // 2)  # -1: no limit
        self._waiting: dict[Page, _Batch] = {}
        host, port = address(listen)
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
            self._socket.listen(2 * CONNECTIONS)
        except OSError as error:
            self._socket.close()
            hint = "choose another with --listen HOST:PORT; port 0 is any that is free"
            raise UsageError(f"cannot listen on {listen}: {reason(error)}", hint) from error
        self._socket.setblocking(False)
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._asked: asyncio.Queue[Page] = asyncio.Queue()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.server_close()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._socket.getsockname()[1])

    @property
    def url(self) -> str:
        """Where it is, for people."""
        host = str(self._socket.getsockname()[0])
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def serve_forever(self) -> None:
        """Serve clients until `shutdown()`. An exception of a page is no reason to end."""
        run = self._loop.run_until_complete
        work = (self._accept(), self._make(), self._ended.wait())
        tasks = {self._loop.create_task(one) for one in work}
        try:
            run(asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED))
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            run(asyncio.wait(tasks))

    def shutdown(self) -> None:
        """End `serve_forever()`. MT-safe."""
        self._loop.call_soon_threadsafe(self._ended.set)

    def server_close(self) -> None:
        """Close all, behind `serve_forever()`."""
        self._socket.close()
        self._loop.close()

    async def _accept(self) -> None:
        """Accept clients. While all others wait for pages, the next ones stay with the kernel."""
        while True:
            try:
                client = _Client((await self._loop.sock_accept(self._socket))[0])
            except OSError:  # no descriptor is free
                self._evict()
                await asyncio.sleep(_PAUSE)
                continue
            while len(self._clients) >= self.most and not self._evict():
                await asyncio.sleep(_PAUSE)
            self._clients.add(client)
            client.task = self._loop.create_task(self._serve(client))
            client.task.add_done_callback(partial(self._forget, client))
            await asyncio.sleep(0)  # what has arrived is read before the next client is accepted

    def _forget(self, client: _Client, _: object) -> None:
        client.socket.close()
        self._clients.discard(client)

    def _evict(self) -> bool:
        """End the longest silent connection: of those that ask, else of those that take."""
        silent = [client for client in self._clients if not client.waits or not client.connected()]
        if not silent:
            return False
        victim = min(silent, key=lambda client: (client.body is not None, client.since))
        victim.end()
        self._clients.discard(victim)
        return True

    async def _serve(self, client: _Client) -> None:
        """Answer one request."""
        with contextlib.suppress(OSError, asyncio.CancelledError):
            client.socket.setblocking(False)
            client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT)
            try:
                with self._within(client, self.asking):
                    request = await self._request(client)
                await self._answer(client, request)
            except RefusedError as refused:
                text = f"{refused.status.value} {refused.status.phrase}: {refused.why}\n".encode()
                await self._send(client, head(refused.status, "text/plain", len(text)) + text)
            await self._linger(client)

    @contextlib.contextmanager
    def _within(self, client: _Client, seconds: float) -> Iterator[None]:
        """The body, or the end of the connection when its time is over."""
        client.since = time.monotonic()
        timer = self._loop.call_later(seconds, client.end)
        try:
            yield
        finally:
            timer.cancel()

    async def _request(self, client: _Client) -> Request:
        """The request of a client. Raises RefusedError, or ConnectionError at an early end."""
        got = bytearray()
        while True:
            piece = await self._loop.sock_recv(client.socket, _PIECE)
            if not piece:
                raise ConnectionAbortedError
            before = max(0, len(got) - 3)
            got += piece
            ends = [got.find(end, before) for end in (b"\n\r\n", b"\n\n")]
            end = min((at for at in ends if at >= 0), default=-1)
            measured(got if end < 0 else got[:end])
            if end >= 0:
                return parsed(got[:end])

    def _page(self, client: _Client, request: Request) -> Page:
        """The page that a request names. Raises RefusedError."""
        if request.method not in ("GET", "HEAD"):
            raise RefusedError(HTTPStatus.NOT_IMPLEMENTED, "GET and HEAD only.")
        reached = str(client.socket.getsockname()[0])
        if not all(self.answers_to(host, reached) for host in request.all("host")):
            raise RefusedError(HTTPStatus.MISDIRECTED_REQUEST, "Name it with --host.")
        page = self.pages.get(request.path.partition("?")[0])
        if page is None:
            raise RefusedError(HTTPStatus.NOT_FOUND, "There is nothing at this path.")
        return page

    def answers_to(self, host: str, reached: str) -> bool:
        """Whether a header `Host` names this server, which a client has reached at an address."""
        try:
            return hostname(host) in self._names or names(host, reached)
        except ValueError:
            return False

    async def _made(self, client: _Client, page: Page, form: _Form) -> Answer | None:
        """The answer of a page, once it is made."""
        batch = self._waiting.get(page)
        if batch is None:
            batch = self._waiting[page] = _Batch(self._loop.create_future())
            self._asked.put_nowait(page)
        batch.clients.append(client)
        batch.forms.add(form)
        answers = await asyncio.shield(batch.answers)
        return answers[form] if answers else None

    async def _make(self) -> None:
        """Make the pages that clients wait for, one at a time, as applications are read."""
        while True:
            page = await self._asked.get()
            batch = self._waiting.pop(page)  # later requests wait for the next page
            if any(client.connected() for client in batch.clients):
                batch.answers.set_result(await self._in_thread(page, batch.forms))
            for client in batch.clients:
                if not batch.answers.done():
                    client.end()

    def _in_thread(
        self, page: Page, forms: set[_Form]
    ) -> asyncio.Future[dict[_Form, Answer] | None]:
        """The answers, which a thread makes. It ends with the process."""
        made: asyncio.Future[dict[_Form, Answer] | None] = self._loop.create_future()

        def run() -> None:
            answers = None
            try:
                answers = _made(page, forms)
            except Exception:
                traceback.print_exc()
            with contextlib.suppress(RuntimeError):  # the server was closed
                self._loop.call_soon_threadsafe(
                    lambda: None if made.done() else made.set_result(answers)
                )

        threading.Thread(target=run, daemon=True).start()
        return made

    async def _answer(self, client: _Client, request: Request) -> None:
        """Send a page or its headers; all clients share its octets. Raises RefusedError."""
        page = self._page(client, request)
        packed = "gzip" in request.first("accept-encoding")
        client.waits = True
        answer = await self._made(client, page, (accepted(request.first("accept")), packed))
        client.waits = False
        if answer is None:
            raise RefusedError(HTTPStatus.INTERNAL_SERVER_ERROR, "The page could not be made.")
        client.body = body = answer.packed if packed else answer.body
        first = head(HTTPStatus.OK, answer.type, len(body), body is not answer.body)
        del answer  # only what is sent stays
        self._bound(client)
        await self._send(client, first, b"" if request.method == "HEAD" else body)

    def _bound(self, latest: _Client) -> None:
        """End the oldest connections that take other answers, beyond `most_held`."""
        taking = {client for client in self._clients if client.body is not None}
        for victim in sorted(taking, key=lambda client: client.since):
            bodies = {id(client.body): len(client.body or b"") for client in taking}
            if sum(bodies.values()) - len(latest.body or b"") <= self.most_held:
                return
            if victim.body is not latest.body:
                victim.end()
                self._clients.discard(victim)
                taking.discard(victim)

    async def _send(self, client: _Client, *pieces: bytes) -> None:
        with self._within(client, self.taking):
            for piece in pieces:
                await self._loop.sock_sendall(client.socket, piece)
        client.body = None

    async def _linger(self, client: _Client) -> None:
        """Close our side, and read what else the client sends until it does so."""
        with self._within(client, _LINGER):
            client.socket.shutdown(socket.SHUT_WR)
            for _ in range(_PIECES):
                if not await self._loop.sock_recv(client.socket, _PIECE):
                    return


def _made(page: Page, forms: set[_Form]) -> dict[_Form, Answer]:
    """The answers of a page, made once; garbage collection would take a third of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        edition = page()
        answers = {accept: edition(accept) for accept, _ in forms}
        for accept, packed in forms:
            if packed:
                _ = answers[accept].packed
        return {form: answers[form[0]] for form in forms}
    finally:
        if collects:
            gc.enable()
