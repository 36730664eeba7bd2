# SPDX-License-Identifier: BSD-3-Clause
"""The documentation as a site: `./dev site` builds it, with warnings as errors, and follows links.

The site needs no other host: pages and style sheets load nothing from one.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.support.paths import ROOT

LOADS = {"script", "img", "iframe", "source", "audio", "video", "embed", "object", "input", "use"}
"""Elements whose addresses a browser loads by itself; of `link`, all but what people follow."""

FOLLOWED = {"canonical", "prev", "next", "edit", "alternate"}
_SHEET = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)")


class Page(HTMLParser):
    """The anchors and links of a page, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = _SHEET.findall(text)
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        address = found.get("href") or found.get("src") or found.get("data") or ""
        if address:
            self.links.append(address)
        rels = set(found.get("rel", "").split())
        if tag in LOADS or (tag == "link" and not rels & FOLLOWED):
            self.loaded.append(address)


def problems(folder: Path) -> Iterator[str]:
    """Links of a built site that lead nowhere, and what it would load from elsewhere."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(folder)
        for address in page.loaded:
            if urlsplit(address).netloc:
                yield f"{name}: loads {address}"
        if name.name == "404.html":  # shown at any address: its links begin with /
            continue
        for address in dict.fromkeys(page.links):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{name}: no {address}"
            elif parts.fragment and unquote(parts.fragment) not in pages[target].ids | {"__skip"}:
                yield f"{name}: no anchor {address}"
    for sheet in sorted(folder.rglob("*.css")):
        for address in _SHEET.findall(sheet.read_text("utf-8")):
            yield f"{sheet.relative_to(folder)}: loads {address}"


def built(folder: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Build the site of the docs of a repository into a folder; warnings are errors."""
    config = root / "docs" / "site" / "mkdocs.yml"
    words = ["-m", "mkdocs", "build", "--strict", "-f", str(config), "-d", str(folder)]
    return subprocess.run(
        [sys.executable, *words], check=False, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, cwd=root, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip


def main() -> int:
    """Build it into build/site; the exit code."""
    folder = ROOT / "build" / "site"
    done = built(folder)
    print(done.stdout, end="")
    found = [] if done.returncode else list(problems(folder))
    print("".join(f"{one}\n" for one in found), end="")
    if done.returncode or found:
        return 1
    print(f"{folder}: {len(list(folder.rglob('*.html')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
