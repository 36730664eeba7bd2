# SPDX-License-Identifier: BSD-3-Clause
"""Makes a site of pages that are written for GitHub: hooks of MkDocs.

The order of the pages is that of docs/README.md. Files of the repository that pages link to become
pages too, so that no link leaves the site. The title of a fenced block is the file name after its
language. Drawings are put into their pages, where they have the colours of the theme.
"""

from __future__ import annotations

import logging
import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

log = logging.getLogger("mkdocs.hooks.pages")

ROOT = Path(__file__).resolve().parents[2]
BESIDE = "repository"
"""The folder of the site for files that are not below docs/."""

HOME = "README.md"
_RECORDS, _DECISIONS = ROOT / "docs" / "adr", ROOT / "docs" / "decisions.md"
"""Where decision records were, to which released sections of CHANGELOG.md link, and are now."""
_CODE = ".shown.md"
"""Ends the names of pages that show code or a folder."""

_FENCE = re.compile(r"^([ ]*)(```+)(.*?)^\1\2[ ]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_OPENING = re.compile(r"^([ ]*```+)(\w+)[ ]+(\S+)[ ]*$", re.MULTILINE)
_INDENTED = re.compile(r"^ {1,3}(?:[*-] |\d+\. |```)", re.MULTILINE)
_IMAGE = re.compile(r'<p><img alt="[^"]*" src="([^"]+\.svg)" ?/?></p>')
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{ (svg\..*?\}) \}")
_NAMED = re.compile(r"\[[\w/-]+\.md\]\(([^)\s]+)\)")
_PRINTED = re.compile(r"^<!-- printed: ([a-z]+) -->$", re.MULTILINE)
_SHOWN = {"h": "c", "j2": "jinja", "py": "python", "yml": "yaml"}
"""Languages of files by the ends of their names, where the two differ."""


def _outside(target: str) -> bool:
    """Whether a link is to a file of the repository."""
    return not re.match(r"[a-z]+:|#|/", target)


def _source(uri: str) -> Path:
    """The file of a page of the site."""
    inside = uri.removeprefix(f"{BESIDE}/")
    return ROOT / (inside.removesuffix(_CODE) if inside != uri else f"docs/{uri}")


def _uri(path: Path) -> str | None:
    """The page of a file or folder of the repository; None where there is nothing to show."""
    if path.parent == _RECORDS:
        path = _DECISIONS
    if path.is_dir():
        path = path / HOME if (path / HOME).is_file() else path
    if not path.exists() or not path.is_relative_to(ROOT):
        return None
    name = path.relative_to(ROOT).as_posix()
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    return f"{BESIDE}/{name}" + ("" if name.endswith(".md") else _CODE)


def _text(path: Path) -> str:
    """What a page shows: a page as it is, the names in a folder, a file as code."""
    if path.suffix == ".md":
        return path.read_text("utf-8")
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        names = sorted(p.name + "/" * p.is_dir() for p in path.iterdir() if p.name[0] not in "._")
        return f"# {name}/\n\n" + "".join(f"* `{one}`\n" for one in names)
    end = path.suffix.removeprefix(".")
    code = f"````{_SHOWN.get(end, end)}\n{path.read_text('utf-8')}````\n"
    return f"# {path.name}\n\n`{name}`\n\n{code}"


def _links(uri: str) -> dict[str, str]:
    """The links of a page to files of the repository, each with the page of the site for it."""
    source, found = _source(uri), {}
    if source.suffix != ".md":
        return found
    for _, target, _ in _LINK.findall(_FENCE.sub("", source.read_text("utf-8"))):
        path = target.partition("#")[0]
        if path and _outside(target):
            page = _uri(Path(os.path.normpath(source.parent / path)))
            if page is not None:
                found[path] = page
    return found


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The order of pages: a section for each heading of docs/README.md, with what it links to."""
    parts = re.split(r"^## +(.+)$", (ROOT / "docs" / HOME).read_text("utf-8"), flags=re.MULTILINE)
    nav: list[object] = [{"Home": HOME}]
    named, placed = _links(HOME), {HOME}
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        targets = [target.partition("#")[0] for _, target, _ in _LINK.findall(text)]
        pages = dict.fromkeys(named[target] for target in targets if target in named)
        if new := [page for page in pages if page not in placed]:
            nav.append({title: new})
            placed.update(new)
    config.nav = nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file outside of docs/ that a page links to."""
    todo = [file.src_uri for file in files.documentation_pages()]
    listed = set(_links(HOME).values())
    while todo:
        for uri in _links(todo.pop()).values():
            if uri.startswith(f"{BESIDE}/") and uri not in files.src_uris:
                place = InclusionLevel.UNDEFINED if uri in listed else InclusionLevel.NOT_IN_NAV
                text = _text(_source(uri))
                files.append(File.generated(config, uri, content=text, inclusion=place))
                todo.append(uri)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page as MkDocs reads it: links to pages of the site, file names as titles."""
    uri = page.file.src_uri
    if uri == HOME:
        markdown = _home(markdown)
    markdown = _PRINTED.sub(_table, markdown)
    plain = _FENCE.sub("", markdown)
    if _source(uri).suffix == ".md":
        for line in _INDENTED.findall(plain):
            log.warning("%s: indent by 4 what is in a list: %r", uri, line)
    if uri.endswith(_CODE):
        page.meta["search"] = {"exclude": True}
    if uri == HOME:
        page.meta["hide"] = ["navigation", "toc"]  # it is the page itself
        markdown = _NAMED.sub(_titles, markdown)
    named = _links(uri)

    def link(match: re.Match[str]) -> str:
        path, mark, anchor = match[2].partition("#")
        if path not in named:
            return match[0]
        to = posixpath.relpath(named[path], posixpath.dirname(uri) or ".")
        return f"{match[1]}{to}{mark}{anchor}{match[3]}"

    pieces, last = [], 0
    for fence in _FENCE.finditer(markdown):
        pieces += [_LINK.sub(link, markdown[last : fence.start()])]
        pieces += [_OPENING.sub(_titled, fence[0], count=1)]
        last = fence.end()
    return "".join([*pieces, _LINK.sub(link, markdown[last:])])


def _home(index: str) -> str:
    """The first page: the README up to where to read on, then docs/README.md."""
    readme = (ROOT / HOME).read_text("utf-8").partition("| You want to | Read |")[0]
    return readme.replace("](docs/", "](") + index.partition("\n")[2]


def _table(match: re.Match[str]) -> str:
    """A table that the page leaves to the site (`./dev reference`)."""
    command = [sys.executable, "-m", "tests.pages.schemadoc", match[1]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _titles(match: re.Match[str]) -> str:
    """A link of the first page that names a file: it says the title of that page."""
    source = ROOT / "docs" / match[1].partition("#")[0]
    title = source.read_text("utf-8").partition("\n")[0] if source.is_file() else ""
    return f"[{title[2:]}]({match[1]})" if title.startswith("# ") else match[0]


def _titled(match: re.Match[str]) -> str:
    """The first line of a fenced block: a name of a file becomes its title."""
    title = f' title="{match[3]}"' if re.search(r"[./]|^Makefile$", match[3]) else ""
    return f"{match[1]}{match[2]}{title}"


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Drawings in the page itself."""

    def drawn(match: re.Match[str]) -> str:
        source = Path(config.docs_dir) / Path(page.file.src_uri).parent / match[1]
        if not source.is_file():
            return match[0]
        image = _DARK.sub(r'[data-md-color-scheme="slate"] \1', source.read_text("utf-8"))
        return f'<div class="drawing" data-search-exclude>{image}</div>'

    return _IMAGE.sub(drawn, html)
