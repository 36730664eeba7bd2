# SPDX-License-Identifier: BSD-3-Clause
"""The documentation as a site: strict, with every page, and without other hosts."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.paths import DOCS
from tests.support.site import Page, built, problems

pytestmark = pytest.mark.skipif(find_spec("material") is None, reason="no mkdocs-material")

HOME = "# Home\n\nFor everyone.\n\n## All\n\n* [page](page.md) and [code](../lib/code.h)\n"
PAGE = "# Page\n\nBack [home](README.md#all), and to [a file](../lib/code.h) in [lib](../lib).\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = built(folder)
    assert done.returncode == 0, done.stdout
    return folder


@pytest.mark.slow
def test_every_link_leads_somewhere_and_nothing_comes_from_elsewhere(site: Path) -> None:
    assert list(problems(site)) == []


@pytest.mark.slow
def test_every_page_is_there_and_one_finds_it(site: Path) -> None:
    home = Page((site / "index.html").read_text("utf-8"))
    pages = [path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")]
    missing = {*pages} - {"README.html"} - {*home.links}
    assert missing == set()
    assert all((site / link).is_file() for link in pages if link != "README.html")
    assert "Why not 20 lines of C?" in (site / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_drawings_are_in_their_page(site: Path) -> None:
    page = (site / "strategies.html").read_text("utf-8")
    for drawing in sorted((DOCS / "drawings").glob("*.svg")):
        assert page.count(f'<title id="{drawing.stem}-title">') == 1


def small(folder: Path, home: str = HOME, page: str = PAGE) -> Path:
    """A repository with two pages, and a file beside them."""
    shutil.copytree(DOCS / "site", folder / "docs" / "site")
    (folder / "lib").mkdir()
    (folder / "lib" / "code.h").write_text("int one(void);\n", "utf-8")
    (folder / "README.md").write_text("# Project\n\nSee [page](docs/page.md).\n", "utf-8")
    (folder / "docs" / "README.md").write_text(home, "utf-8")
    (folder / "docs" / "page.md").write_text(page, "utf-8")
    return folder


def test_files_beside_the_docs_become_pages(tmp_path: Path) -> None:
    root = small(tmp_path / "r", page=f"{PAGE}\n```c one.c\nint a;\n```\n")
    done = built(tmp_path / "site", root)
    assert done.returncode == 0, done.stdout
    assert list(problems(tmp_path / "site")) == []
    page = Page((tmp_path / "site" / "page.html").read_text("utf-8"))
    assert {"repository/lib/code.h.shown.html", "repository/lib.shown.html"} <= {*page.links}
    assert '<span class="filename">one.c' in (tmp_path / "site" / "page.html").read_text("utf-8")


def test_faults_end_the_build(tmp_path: Path) -> None:
    faults = {
        "A [link](nowhere.md).": "nowhere.md",
        "A [link](../lib/gone.h).": "../lib/gone.h",
        "A [link](README.md#gone).": "README.md#gone",
        "* a list\n  * in a list": "indent by 4",
    }
    root = small(tmp_path / "r", page="\n\n".join([PAGE, *faults, ""]))
    (root / "docs" / "lost.md").write_text("# Lost\n", "utf-8")
    done = built(tmp_path / "site", root)
    assert done.returncode != 0
    warnings = [line for line in done.stdout.splitlines() if line.startswith("WARNING")]
    assert len(warnings) == len(faults) + 1, done.stdout
    for said in faults.values():
        assert any(said in line for line in warnings), said
    assert "lost.md" in done.stdout


def test_what_is_loaded_from_elsewhere_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<script src="https://example.com/x.js"></script><a href="https://example.com">fine</a>'
        '<a href="b.html">b</a><a href="#gone">c</a><style>@import "//example.com/y.css"</style>'
    )
    (tmp_path / "s.css").write_text("a { background: url('https://example.com/z.png') }")
    assert sorted(problems(tmp_path)) == [
        "a.html: loads //example.com/y.css",
        "a.html: loads https://example.com/x.js",
        "a.html: no anchor #gone",
        "a.html: no b.html",
        "s.css: loads https://example.com/z.png",
    ]
