# SPDX-License-Identifier: BSD-3-Clause
"""The page of the exporter in a real browser, without a screen; test_running.py compares its values
with those of an application."""

import dataclasses
import html
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.tools.live.exporter import FRESH, Values, page
from ctrgen.tools.live.server import Server
from tests.live.made import Gone, Made, instance, usual
from tests.live.test_watch import NARROW

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: ./dev setup")
HOSTILE = '<img src=x onerror="document.title=1">&amp;'


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    edge = dataclasses.replace(usual(text=HOSTILE), left_out={("ep", "port"): 1031})
    many = Made(NARROW, {"flow": [instance(n, n) for n in range(502)]})
    found = {"edge": edge, HOSTILE: usual(3), "gone": Gone("it is gone"), "many": many}
    server = Server("127.0.0.1:0", {"/": page, "/values.json": Values(found.items)})
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.url
    server.shutdown()
    thread.join(60)
    server.server_close()


def browse(folder: Path, *arguments: str) -> str:
    """What Chromium prints; its clock runs as fast as the page lets it."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={folder}", "--virtual-time-budget=4000", *arguments,
    ]  # fmt: skip
    return subprocess.run(
        command, capture_output=True, text=True, timeout=240, check=True, env={"HOME": str(folder)}
    ).stdout


def words_of(document: str) -> str:
    """The text of the page's main part."""
    main = document.partition("<main")[2].partition("</main")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


@needs_chromium
def test_what_the_page_shows(url: str, tmp_path: Path) -> None:
    document = browse(tmp_path, "--dump-dom", url)
    words = words_of(document)
    assert "18,446,744,073,709,551,615 packets" in words, "to the last digit"
    assert "it is gone" in words and "2 more, slower than these" in words
    assert "Without 1,031 of ep.port, which counted nothing (ctrgen export --all)." in words
    assert HOSTILE in words, "text of an application is no markup"
    assert "<img" not in document
    assert "ep: session" in words and "pkts session 3" in words
    assert re.search(r"<title>ctrgen: live counters</title>", document)


def test_the_page_asks_nobody_else() -> None:
    text = page()("").body.decode()
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", text)
    assert "default-src 'none'" in text


def test_values_are_made_once_for_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def found() -> list[tuple[str, object]]:
        looks.append(1)
        return [("edge", usual())]

    values = Values(found)  # type: ignore[arg-type]
    first = json.loads(values()("").body)
    assert values()("").body and len(looks) == 1
    monkeypatch.setattr("ctrgen.tools.live.exporter.time.monotonic", lambda: 1e12 + FRESH)
    values()("")
    assert len(looks) == 2
    session = first["applications"]["edge"]["modules"]["ep"]["scopes"]["session"]
    assert session["instances"][1]["values"]["pkts"] == "18,446,744,073,709,551,615"
