# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page in a real browser: no errors, nothing fetched, every plot has a size."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from ctrgen.bench import report
from tests.bench import synth

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium"),
]

# A copy of the page says what the browser made of it.
PROBE = """
<script>
window.broken = [];
window.onerror = (message) => window.broken.push(String(message));
window.addEventListener("load", () => {
  const box = (one) => { const r = one.getBoundingClientRect(); return [r.width, r.height]; };
  const plots = [...document.querySelectorAll("svg.plot")];
  const outside = plots.flatMap((plot) => {
    const frame = plot.getBoundingClientRect();
    return [...plot.querySelectorAll("text, use, :not(defs) > path")]
      .filter((one) => { const r = one.getBoundingClientRect();
        return r.left < frame.left - 4 || r.right > frame.right + 4 ||
               r.top < frame.top - 4 || r.bottom > frame.bottom + 4; })
      .map((one) => one.textContent.trim()); });
  const overlaps = plots.flatMap((plot) => {
    const boxes = [...plot.querySelectorAll("text")].map((t) => [t, t.getBoundingClientRect()]);
    return boxes.flatMap(([a, r], i) => boxes.slice(i + 1)
      .filter(([b, s]) => r.left < s.right - 2 && s.left < r.right - 2 &&
                          r.top < s.bottom - 4 && s.top < r.bottom - 4)
      .map(([b]) => a.textContent + " / " + b.textContent)); });
  const said = { tables: document.querySelectorAll("table").length,
    marks: document.querySelector("main").innerText.match(/<\\/?(div|table|t[rdh]|p)\\b/g) ?? [],
    plots: plots.map((one) => [one.id, ...box(one)]), outside, overlaps,
    fetched: performance.getEntriesByType("resource").map((one) => one.name),
    broken: window.broken, wide: document.documentElement.scrollWidth > window.innerWidth,
    ink: getComputedStyle(document.querySelector(".plot text")).fill,
    page: getComputedStyle(document.body).backgroundColor };
  const found = document.createElement("pre");
  found.id = "probe";
  found.textContent = "PROBE" + JSON.stringify(said) + "END";
  document.body.append(found);
});
</script>
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    made = synth.result(
        overcommit=True,
        flows=(64, 1024, 65536, 1 << 20),
        strategies=(*synth.COSTS, *synth.PATTERNS),
    )
    report.write(made, folder)
    return folder / "bench.html"


def browse(path: Path, profile: Path, *options: str) -> tuple[str, str]:
    """What the browser prints, and what it logs."""
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--enable-logging=stderr",
        *options, path.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, done.stderr


DARK = ("--blink-settings=preferredColorScheme=0",)


@pytest.mark.parametrize(
    "options", [(), DARK, ("--window-size=500,900",)], ids=["light", "dark", "phone"]
)
def test_the_page_in_a_browser(page: Path, options: tuple[str, ...], tmp_path: Path) -> None:
    probed = tmp_path / "probed.html"
    probed.write_text(page.read_text("utf-8").replace("</head>", PROBE + "</head>"), "utf-8")
    text, log = browse(probed, tmp_path / "profile", "--dump-dom", *options)
    assert "CONSOLE" not in log, log
    match = re.search("PROBE({.*})END", text)
    assert match is not None, text[-2000:]
    said = json.loads(match[1].replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
    assert said["broken"] == [] and said["fetched"] == []
    assert [plot[0] for plot in said["plots"]] == [
        "plot-cores", "plot-latency", "plot-flows",
    ]  # fmt: skip
    assert all(width > 300 and height > 100 for _, width, height in said["plots"])
    assert said["tables"] > len(said["plots"]) and said["marks"] == []
    assert said["outside"] == []
    assert said["overlaps"] == []
    assert not said["wide"], "only tables may scroll sideways"
    light, dark = luminance(said["ink"]), luminance(said["page"])
    assert (light > dark) == (options == DARK)
    assert (max(light, dark) + 0.05) / (min(light, dark) + 0.05) > 7, "contrast"


def luminance(colour: str) -> float:
    """Relative luminance, as the accessibility guidelines of the W3C define it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_screenshot_shows_marks_of_several_colours(page: Path, tmp_path: Path) -> None:
    shot = tmp_path / "shot.png"
    options = (f"--screenshot={shot}", "--window-size=1000,1400")
    browse(page, tmp_path / "profile", *options)
    assert {(0, 104, 163), (179, 71, 0), (0, 122, 89)} <= colours(shot)


def colours(path: Path) -> set[tuple[int, int, int]]:
    """The colours of a PNG file of 8 bits per channel, without interlacing."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack_from(">IIBB", body)
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    size = {2: 3, 6: 4}[colour]
    rows, above, found = zlib.decompress(packed), bytearray(width * size), set()
    for y in range(height):
        start = y * (width * size + 1)
        row = unfiltered(
            rows[start], bytearray(rows[start + 1 : start + 1 + width * size]), above, size
        )
        found |= {(row[i], row[i + 1], row[i + 2]) for i in range(0, len(row), size)}
        above = row
    return found


def unfiltered(kind: int, row: bytearray, above: bytearray, size: int) -> bytearray:
    """A line of a PNG file without its filter."""
    for i in range(len(row)):
        left = row[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        if kind == 4:
            guess = left + above[i] - corner
            row[i] = (row[i] + min((left, above[i], corner), key=lambda v: abs(guess - v))) & 255
        else:
            row[i] = (row[i] + (0, left, above[i], (left + above[i]) // 2)[kind]) & 255
    return row
