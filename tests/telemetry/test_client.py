# SPDX-License-Identifier: BSD-3-Clause
"""The client, of applications that do what they should not."""

import contextlib
import json
import random
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ctrgen.tools.live import listing
from ctrgen.tools.live.model import LiveError
from ctrgen.tools.live.targets import Targets
from ctrgen.tools.live.telemetry import Telemetry
from ctrgen.tools.live.wire import find

GREETING = {"version": "DPDK 99", "pid": 1, "max_output_len": 100_000}
COMMANDS = ["/", "/m/info", "/m/list", "/m/scope", "/m/lcore", "/other/list", "/no/such/list"]
INFO = {"module": "m", "description": "What", "description/1": " it is.", "layout": "1",
        "start_unix_ns": 5_000_000_000, "views/0": "raw", "lcores/3": 3}  # fmt: skip
LINES = [
    "scope flow dynamic lcores", "strategy per_core", "text A flow", "more .", "index flow 10",
    "item hits counter u64 64", "unit By", "item mode state enum 0", "label 1 on",
    "item name state string 0", "later WHATEVER",
]  # fmt: skip
STATS = {"1/hits": 7, "1/mode": "on", "1/name": "x", "1/name/1": "y\\x0a",
         "/since/1": 6_000_000_000, "3/hits": 9, "3/mode": "", "3/name": ""}  # fmt: skip
REPLIES: dict[str, Any] = {
    "/": COMMANDS, "/m/info": INFO, "/m/list": {"lines": LINES}, "/m/stats,flow": STATS,
}  # fmt: skip

Answer = Callable[[str], bytes | None]


def reply(replies: dict[str, Any]) -> Answer:
    """Answers as the library does."""

    def answer(command: str) -> bytes:
        return json.dumps({command.split(",")[0]: replies.get(command)}).encode()

    return answer


@contextlib.contextmanager
def serving(answer: Answer, greeting: bytes | None = None) -> Iterator[Path]:
    """A socket that answers each command, or None: closes the connection."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rte" / "dpdk_telemetry.v2:1"
        path.parent.mkdir()
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(str(path))
            listener.listen(5)
            thread = threading.Thread(target=_serve, args=(listener, answer, greeting))
            thread.start()
            try:
                yield path
            finally:
                listener.shutdown(socket.SHUT_RDWR)
                thread.join()


def _serve(listener: socket.socket, answer: Answer, greeting: bytes | None) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            with client, contextlib.suppress(OSError):
                client.settimeout(30)
                client.send(json.dumps(GREETING).encode() if greeting is None else greeting)
                while command := client.recv(2048):
                    told = answer(command.decode())
                    if told is None:
                        break
                    client.send(told)


def read(path: Path) -> list[Any]:
    """All instances of the first scope."""
    source = Telemetry(path, timeout=20)
    try:
        (module,) = source.modules()
        return list(source.read(module, module.scopes[0]))
    finally:
        source.close()


def test_an_application() -> None:
    with serving(reply(REPLIES)) as path:
        source = Telemetry(path)
        assert source.name == "rte:1"
        (module,) = source.modules()
        (scope,) = module.scopes
        assert (module.description, module.views, scope.description) == (
            "What it is.", ("raw",), "A flow."
        )  # fmt: skip
        first, second = source.read(module, scope)
        assert (first.indexes, first.names, first.values, first.since) == (
            (1,), ("1",), (7, "on", "xy\n"), 6.0
        )  # fmt: skip
        assert (second.values, second.since) == ((9, None, ""), 5.0)
        assert source.lcores(module) == ("3",)
        source.close()
        assert list(source.read(module, scope)) == [first, second]  # connects again
        source.close()


def test_pages() -> None:
    pages = {
        "/m/stats,flow": {"1/hits": 7, "/next": "flow,4"},
        "/m/stats,flow,4": {"1/mode": "on", "1/name": "n", "2/hits": 8, "/next": "flow,7"},
        "/m/stats,flow,7": {"3/hits": 9, "3/mode": "on", "3/name": ""},
        "/m/list": {"lines": LINES[:3], "/next": "3"},
        "/m/list,3": {"lines": LINES[3:]},
    }
    with serving(reply({**REPLIES, **pages})) as path:
        rows = read(path)
    # The second one ended before all of it was read.
    assert [(row.indexes, row.values) for row in rows] == [
        ((1,), (7, "on", "n")),
        ((3,), (9, "on", "")),
    ]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an error": ({"/m/stats,flow": {"/error": "no scope"}}, "no scope"),
    "null": ({"/m/stats,flow": None}, "is not known"),
    "a list": ({"/m/stats,flow": [1]}, "is not known"),
    "an item is missing": ({"/m/stats,flow": {"1/hits": 7}}, "lacks items"),
    "no such index": ({"/m/stats,flow": {"10/hits": 7}}, "has no 10/hits"),
    "no index": ({"/m/stats,flow": {"hits": 7}}, "has no hits"),
    "a negative index": ({"/m/stats,flow": {"-1/hits": 7}}, "has no -1/hits"),
    "a fraction": ({"/m/stats,flow": {"1/hits": 7.5}}, "cannot be 7.5"),
    "true": ({"/m/stats,flow": {**STATS, "1/hits": True}}, "cannot be True"),
    "too large": ({"/m/stats,flow": {**STATS, "1/hits": 2**64}}, "hits is no u64"),
    "negative": ({"/m/stats,flow": {**STATS, "1/hits": -1}}, "hits is no u64"),
    "text for a number": ({"/m/stats,flow": {**STATS, "1/hits": "7"}}, "hits is no u64"),
    "a number for text": ({"/m/stats,flow": {**STATS, "1/mode": 7}}, ""),
    "out of order": ({"/m/stats,flow": dict(reversed(STATS.items()))}, "not in order"),
    "no end": ({"/m/stats,flow": {**STATS, "/next": "flow"}}, "does not come to an end"),
    "round and round": (
        {"/m/stats,flow": {"/next": "flow,1"}, "/m/stats,flow,1": {"/next": "flow,1"}},
        "does not come to an end",
    ),
    "a strange end": ({"/m/stats,flow": {**STATS, "/next": 7}}, "does not come to an end"),
    "a text without end": (
        {"/m/stats,flow": {f"1/name/{n}": 127 * "x" for n in range(600)}}, "cannot be",
    ),
    "no layout": ({"/m/info": {"module": "m"}}, "does not tell its layout"),
    "no lines": ({"/m/list": {"lines": [1]}}, "has no lines"),
    "a bad line": ({"/m/list": {"lines": ["scope x"]}}, "cannot be so"),
    "a label of nothing": ({"/m/list": {"lines": ["scope a b c", "label 1 x"]}}, "cannot be so"),
    "a bad number": ({"/m/list": {"lines": ["scope a b c", "index x y"]}}, "cannot be so"),
    "an unknown type": ({"/m/list": {"lines": ["scope a b c", "item a b c 1"]}}, "cannot be so"),
    "no commands": ({"/": {"a": 1}}, "does not tell its commands"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_wrong_replies(what: str) -> None:
    replies, message = WRONG[what]
    with serving(reply({**REPLIES, **replies})) as path, pytest.raises(LiveError) as error:
        read(path)
    assert message in str(error.value)


RAW: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "no JSON"),
    "no UTF-8": (b"\xff", "no JSON"),
    "nested": (b"[" * 10_000, "no JSON"),
    "no object": (b"7", "no object"),
    "another command": (b'{"/x": 1}', "not to /"),
    "too long": (b'{"/": "' + 200_000 * b"x" + b'"}', "longer than it may be"),
}


@pytest.mark.parametrize("what", RAW)
def test_foreign_replies(what: str) -> None:
    text, message = RAW[what]
    with serving(lambda command: text) as path, pytest.raises(LiveError, match=message):
        read(path)


@pytest.mark.parametrize(
    "greeting",
    [b"HTTP/1.1 400 Bad", b"[]", b"{}", b'{"max_output_len": 1e9}', b'{"max_output_len": -1}',
     b'{"max_output_len": 99999999999}', 5000 * b" "],
)  # fmt: skip
def test_foreign_greetings(greeting: bytes) -> None:
    with serving(reply(REPLIES), greeting) as path, pytest.raises(LiveError):
        read(path)


def test_a_half_dead_socket(tmp_path: Path) -> None:
    """Nobody accepts, nobody answers, nobody is there, and the connection ends."""
    path = tmp_path / "dpdk_telemetry.v2"
    with pytest.raises(LiveError, match="No such file"):
        Telemetry(path).modules()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(path))
        listener.listen(5)
        with pytest.raises(LiveError, match="no answer in time"):
            Telemetry(path, timeout=0.2).modules()
    with pytest.raises(LiveError, match="refused"):
        Telemetry(path).modules()
    with serving(lambda command: None) as path, pytest.raises(LiveError, match="closed"):
        read(path)


def test_another_layout() -> None:
    replies = dict(REPLIES)
    with serving(lambda command: reply(replies)(command)) as path:
        source = Telemetry(path)
        (module,) = source.modules()
        assert len(list(source.read(module, module.scopes[0]))) == 2
        replies["/m/info"] = {**INFO, "layout": "2"}
        with pytest.raises(LiveError, match="another layout"):
            list(source.read(module, module.scopes[0]))
        replies["/m/list"] = {"lines": [*LINES, "scope more static whole"]}
        (other,) = source.modules()
        assert [scope.name for scope in other.scopes] == ["flow", "more"]
        source.close()


def test_sockets_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(reply(REPLIES)) as path:
        folder = path.parent.parent
        (folder / "dpdk").symlink_to(folder)
        (path.parent / "dpdk_telemetry.v2").write_text("stale")
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
        assert [p for p in find() if p.is_relative_to(folder)] == [
            folder / "dpdk" / "rte" / path.name
        ]


def test_any_lines() -> None:
    """Whatever is listed, it is a list of scopes or a LiveError."""
    words = ["scope", "index", "value", "part", "item", "label", "histogram", "bound", "unit", "as"]
    words += ["display"]
    words += ["text", "more", "later"]
    texts = ["", "a", "1", "-1", "a b c", "a 1 2", "a counter u64 64", "1 x", "\\x", "\\xff", "é"]
    chance = random.Random(1)
    made = 0
    for _ in range(3000):
        lines = ["scope a static whole"] if chance.random() < 0.8 else []
        lines += [f"{chance.choice(words)} {chance.choice(texts)}" for _ in range(4)]
        with contextlib.suppress(LiveError):
            made += len(listing.scopes(lines))
    assert made > 10


def test_a_folder_with_other_sockets() -> None:
    """They do not become applications that are down, and are not asked."""
    with serving(reply(REPLIES)) as path, contextlib.ExitStack() as stack:
        for name, type_ in (("mp_socket", socket.SOCK_DGRAM), ("silent", socket.SOCK_SEQPACKET)):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX, type_))
            listener.bind(str(path.with_name(name)))
        path.rename(path.with_name("dpdk_telemetry.v2"))
        with Targets([str(path.parent)]) as targets:
            ((found, source),) = targets.found()
            assert found == "rte" and isinstance(source, Telemetry) and source.modules()
