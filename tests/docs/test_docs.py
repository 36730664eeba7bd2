# SPDX-License-Identifier: BSD-3-Clause

"""docs/ is true: generated parts are current, links lead somewhere, what is shown works.

A fenced block with a file name behind its language is that file; one of `sh`
is run, unless what its second word names (cmake, dpdk, meson, dpdk+meson) is missing; one of
`text` is what the commands before it print, where `...` stands for anything.
"""

import functools
import importlib
import json
import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.check import check
from tests import golden
from tests.pages import schemadoc
from tests.support.capabilities import have, have_dpdk, needs
from tests.support.cbuild import WARNINGS
from tests.support.paths import DOCS, GENERATED, ROOT
from tests.support.planted import copy_of
from tests.support.process import succeed

PAGES = sorted(DOCS.rglob("*.md"))
FENCE = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STRICT = ("-std=gnu11", "-O2", *WARNINGS)
LANGUAGES = ("c", "cmake", "jinja", "make", "meson", "python", "toml", "yaml")
"""Languages of blocks that can be files."""


class Block(NamedTuple):
    """A fenced block: language, second word, text."""

    language: str
    word: str
    text: str


def ids(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = (DOCS / page).read_text("utf-8")
    return [Block(m[1], m[2] or "", m[3]) for m in FENCE.finditer(text)]


def files(page: str, folder: Path) -> list[Path]:
    """Write the files that a page shows; which they are."""
    written = []
    for block in blocks(page):
        if block.language in LANGUAGES and block.word:
            path = folder / block.word
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
            written.append(path)
    return written


def has(what: str) -> bool:
    """Whether blocks that need `what` can be run."""
    meson = ("meson", "ninja", "pkg-config")
    make = ("make", "cc")
    programs = {"dpdk": (), "meson": meson, "make": make, "cmake": ("cmake", *make), "": ("cc",)}
    return all(have(*programs[part]) for part in what.split("+")) and (
        "dpdk" not in what or have_dpdk()
    )


run = functools.partial(succeed, merged=True)


def appear(expected: list[str], printed: list[str]) -> list[str]:
    """The first of the expected lines that does not come, in order, among the printed ones.

    Runs of spaces count as one: columns are as wide as what is installed.
    """
    left = iter([re.sub(" +", " ", line) for line in printed])
    for line in (re.sub(" +", " ", line) for line in expected):
        pattern = ".*".join(re.escape(part) for part in line.split("..."))
        if not any(re.fullmatch(pattern, other) for other in left):
            return [line]
    return []


# ---- every page ----


REFRESH = """
import json, pathlib, sys
from tests.pages.schemadoc import refresh
print(json.dumps([refresh(pathlib.Path(path).read_text("utf-8")) for path in sys.argv[1:]]))
"""


@pytest.fixture(scope="module")
def refreshed() -> dict[Path, str]:
    """Every page as `./dev golden` makes it, in a process where no test has declared rules."""
    texts = run(sys.executable, "-c", REFRESH, *PAGES, cwd=ROOT)
    return dict(zip(PAGES, json.loads(texts), strict=True))


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_generated_parts_are_current(page: Path, refreshed: dict[Path, str]) -> None:
    text = page.read_text("utf-8")
    assert refreshed[page] == text, "if this is meant, `./dev golden` makes it again"
    assert len(re.findall("^<!-- generated", text, re.M)) == len(schemadoc.PART.findall(text))


def test_parts_that_pages_leave_out_are_printed() -> None:
    text = "".join(page.read_text("utf-8") for page in PAGES)
    names = schemadoc.PRINTED.findall(text)
    assert names and all(f"`./dev reference {name}`" in text for name in names)
    printed = run(sys.executable, "-m", schemadoc.__name__, *names, cwd=ROOT)
    assert "| `unknown-key` | error |" in printed


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", page.read_text("utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), f"{page.name}: no {target}"
        if anchor:
            assert anchor in anchors(other), f"{page.name}: no heading for {target}"


def test_the_index_names_every_page() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    targets = set(re.findall(r"\]\(([^)#]+)", index))
    assert {ids(page) for page in PAGES} - {"README.md"} <= targets


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent == DOCS], ids=ids)
def test_a_page_says_first_for_whom_it_is(page: Path) -> None:
    title, _, first = page.read_text("utf-8").splitlines()[:3]
    assert title.startswith("# ") and first.startswith("For "), first


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_schemas_have_no_findings(page: Path, tmp_path: Path) -> None:
    shown = [b for b in blocks(ids(page)) if b.language == "yaml" and "\nmodule:" in b.text]
    for number, block in enumerate(shown):
        path = tmp_path / (block.word or f"{number}.yaml")
        path.write_text(block.text, "utf-8")
        assert print_findings(check(str(path)).diagnostics) == ""


@pytest.mark.slow
@needs("cc")
def test_the_example_of_the_readme_compiles(tmp_path: Path) -> None:
    shown = {block.language: block.text for block in blocks("../README.md")}
    (tmp_path / "gw.yaml").write_text(shown["yaml"], "utf-8")
    (tmp_path / "count.c").write_text(shown["c"], "utf-8")
    said = run("ctrgen", "build", "gw.yaml", "-o", "out", cwd=tmp_path)
    assert {*re.findall(r"\w\[([\w-]+)\]: ", said)} <= {"documentation-enterprise"}
    flags = run("ctrgen", "runtime", "--cflags", cwd=tmp_path).split()
    run("cc", *STRICT, *flags, "-Iout", "-c", "count.c", "out/gw_stats.c", cwd=tmp_path)


COUNTS = {"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14}


def test_the_readme_counts_the_strategies() -> None:
    """As `ctrgen strategies` lists them."""
    listed = json.loads(run("ctrgen", "strategies", "--format", "json", cwd=ROOT))
    text = (ROOT / "README.md").read_text("utf-8").lower()
    found = re.findall(rf"\b({'|'.join(COUNTS)})\s+strategies\b", text)
    assert found and {COUNTS[word] for word in found} == {len(listed)}


# ---- the guide ----


def told(page: str, folder: Path) -> tuple[list[str], list[str]]:
    """What a page says that its commands print, and what they print. Nobody looks at how fast its
    programs are: no compiler optimizes them, which is most of the time that they take."""
    script = ["set -eu", 'cc() { command cc "$@" -O0; }', "export CFLAGS=-O0 CXXFLAGS=-O0"]
    expected, shown = list[str](), True
    for block in blocks(page):
        if block.language == "sh" and block.word not in ("install", "no-run"):
            shown = has(block.word)
            script += [block.text] if shown else []
        elif block.language == "text":
            expected += block.text.splitlines() if shown else []
        elif block.word and block.language != "sh":
            script.append(f"cat > {block.word} <<'END_OF_FILE'\n{block.text}END_OF_FILE")
    return expected, run("bash", "-c", "\n".join(script), cwd=folder).splitlines()


@pytest.mark.slow
@needs("cc")
def test_the_guide_works(tmp_path: Path) -> None:
    far = re.compile(r"^so far: [0-9]+ packets$")  # a different number each time
    expected, found = ([far.sub("so far", line) for line in lines]
                       for lines in told("guide.md", tmp_path))  # fmt: skip
    assert "so far" in expected and appear(expected, found) == [], "\n".join(found)


def test_a_reader_has_counters_on_dpdk_after_few_words() -> None:
    """The README, and the guide up to its program for DPDK."""
    readme = (ROOT / "README.md").read_text("utf-8")
    guide = (DOCS / "guide.md").read_text("utf-8")
    first, found, _ = guide.partition("\n## 6. ")
    assert found and "rte_eal_init" in first and len(readme.splitlines()) <= 90
    assert len(guide.split()) <= 5000 and len((readme + first).split()) <= 6000


@pytest.mark.slow
@needs("cc")
def test_the_guides_programs_have_no_warnings(tmp_path: Path) -> None:
    sources = [path for path in files("guide.md", tmp_path) if path.suffix == ".c"]
    run("ctrgen", "init", "starter", cwd=tmp_path)
    schemas = [tmp_path / "starter" / "stats.yaml", *tmp_path.glob("*.yaml")]
    for schema in schemas:
        run("ctrgen", "build", schema, "-o", tmp_path / schema.stem, cwd=tmp_path)
    folders = [f"-I{schema.stem}" for schema in schemas]
    for source in sources:
        port = "dpdk" if source.stem == "l2fwd" else "posix"
        if port == "posix" or has("dpdk"):
            flags = run("ctrgen", "runtime", "--port", port, "--cflags", cwd=tmp_path).split()
            run("cc", *STRICT, *folders, *flags, "-c", source, cwd=tmp_path)


@pytest.mark.deep
@pytest.mark.slow
def test_the_guides_installation_works(tmp_path: Path) -> None:
    copy_of(ROOT, tmp_path / "clone", ".*", "generated", "tests")
    (block,) = [b for b in blocks("guide.md") if b.word == "install"]
    # What pip would download is there already, in the environment that runs the tests.
    site = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    offline = {"PYTHONPATH": site, "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    script = f"set -eu\n{block.text}\ncommand -v ctrgen"
    printed = run("bash", "-c", script, cwd=tmp_path / "clone", env=offline)
    assert printed.splitlines()[-1] == str(tmp_path / "clone/.venv/bin/ctrgen")


# ---- adding a backend ----


@pytest.mark.slow
@pytest.mark.one_in(2)
def test_the_example_backend_works(tmp_path: Path) -> None:
    package, site = tmp_path / "package", tmp_path / "site"
    files("design.md", package)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    pip += ["--no-index", "--disable-pip-version-check", "--target", str(site), str(package)]
    run(*pip, cwd=tmp_path)
    run("ctrgen", "init", ".", cwd=tmp_path)
    shown = blocks("design.md")
    (commands,) = [block.text for block in shown if block.word == "csv"]
    (expected,) = [block.text.splitlines() for block in shown if block.language == "text"]
    search = {"PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])}
    printed = run("bash", "-ec", commands, cwd=tmp_path, env=search).splitlines()
    assert appear(expected, printed) == []
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.name[0] != ".") == [
        "app.csv"
    ]

    counters = "".join(
        f"      c{n}: {{unit: packets, description: 'One, \"two\".'}}\n" for n in range(1001)
    )
    schema = tmp_path / "big.yaml"
    schema.write_text(f"ctrgen: 1\nmodule: big\nscopes:\n  global:\n    counters:\n{counters}")
    build = ("ctrgen", "build", schema, "-o", tmp_path / "big", "--only", "csv")
    refused = run(*build, cwd=tmp_path, fails=True, env=search)
    assert "big.yaml:1006:7: error[csv-too-many]: 1001 items" in refused


def test_a_backend_with_templates_renders() -> None:
    page = (DOCS / "design.md").read_text("utf-8")
    (line,) = re.findall(r"^from ctrgen\.backends import environment, normalise$", page, re.M)
    names: dict[str, Any] = {}
    exec(line, names)
    template = names["environment"]().from_string("{{ text | cstring }}  \n")
    assert names["normalise"](template.render(text='a "b"')) == 'a \\"b\\"\n'
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = importlib.import_module("ctrgen.backends").nonsense


# ---- the API reference ----


@pytest.mark.slow
@needs("doxygen")
@pytest.mark.parametrize(
    "name", ["router", "upf", *sorted(path.name for path in GENERATED.iterdir() if path.is_dir())]
)
def test_doxygen_has_no_warnings(name: str, tmp_path: Path) -> None:
    """The runtime, and as docs/Doxyfile has it the reference schema under a strategy, or a schema
    with every kind of item and storage."""
    text, header = (DOCS / "Doxyfile").read_text("utf-8"), f"generated/{name}/ep_stats.h"
    if name in ("router", "upf"):
        run("ctrgen", "build", ROOT / "schemas" / f"{name}.yaml", "-o", tmp_path, cwd=tmp_path)
        header = f"{tmp_path}/{name}_stats.h"
    text = text.replace(f"generated/{golden.WHOLE}/ep_stats.h", header)
    (tmp_path / "Doxyfile").write_text(text + f"OUTPUT_DIRECTORY = {tmp_path}\n", "utf-8")
    assert run("doxygen", tmp_path / "Doxyfile", cwd=ROOT) == ""
    assert f"{Path(header).stem.partition('_')[0]}_stats_" in "".join(
        path.read_text("utf-8") for path in (tmp_path / "doxygen").glob("*stats_8h.html")
    )
