# SPDX-License-Identifier: BSD-3-Clause
"""Hostile text in a schema or in a benchmark's result is refused, or stays text for all readers."""

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.findings.usage import UsageError
from ctrgen.output.staging import locate
from ctrgen.tools.bench import report
from ctrgen.tools.bench.compare import compare
from ctrgen.tools.bench.report import STYLES
from ctrgen.tools.bench.result import Result, parse
from tests.bench import synth
from tests.fuzz import hostile
from tests.fuzz.library import Library, compile_module
from tests.support import smi_tools
from tests.support.capabilities import have, needs
from tests.support.process import succeed
from tests.support.strategies import UNLIKE, USUAL

# ---- hostile text in a schema is refused ----

SYNCS = UNLIKE[::2]
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wcomment", "-Wno-trigraphs")
LATER = ("-Wno-unused-function", "-Wno-unused-const-variable", "-Wno-pragma-once-outside-header")
"""A header that is compiled as if it were a program."""
REFUSED = {"invisible-text", "empty-text", "control-character"}


def write(folder: Path, texts: list[str], sync: str | None = None) -> dict[str, str]:
    """Generate a schema with such texts, and put all of it below a folder."""
    made = hostile.generated(hostile.schema(texts), sync)
    for name, text in made.items():
        path = folder / locate(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return made


def test_text_is_refused_by_its_own_rules_or_accepted() -> None:
    for text in hostile.TEXTS:
        assert hostile.errors(hostile.schema([text])) <= REFUSED, text
    assert len(hostile.accepted()) > 0.8 * len(hostile.TEXTS)


@pytest.mark.deep
@pytest.mark.parametrize("sync", SYNCS)
def test_every_file_has_the_tokens_that_harmless_text_gives(sync: str) -> None:
    """C with trigraphs and without, SMI, meson; of every backend."""
    calm = hostile.generated(hostile.schema([hostile.harmless(0)]), sync)
    for text in hostile.accepted():
        made = hostile.generated(hostile.schema([text]), sync)
        assert list(made) == list(calm)
        for name in made:
            for trigraphs in (True, False):
                found = hostile.skeleton(name, made[name], trigraphs)
                assert found == hostile.skeleton(name, calm[name], trigraphs), (name, text)


@pytest.mark.parametrize(
    ("name", "kept", "escaped"),
    [("x.c", "/* a * / b */ int x;", "/* a */ b */ int x;"),
     ("x.h", 'x = "a\\"b" "c";', 'x = "a"b";'),
     ("x.c", "/* a ?? / */ int x;", "// a ??/\nint x;"),
     ("X-MIB", 'x "a b" -- c\ny', 'x "a" b "" y'),
     ("X-MIB", "x -- c\ny", "x -- c -- d\ny"),
     ("meson.build", "x = 'a\\'b' # c", "x = 'a'b' # c")],
)  # fmt: skip
def test_tokens_show_what_escapes(name: str, kept: str, escaped: str) -> None:
    assert hostile.skeleton(name, kept) != hostile.skeleton(name, escaped)


@needs("gcc")
def test_c_compiles_and_the_descriptor_holds_the_very_text(tmp_path: Path) -> None:
    """With trigraphs, without a warning; what generic readers print is what was written."""
    schema = tmp_path / "schema.yaml"
    texts = list(hostile.accepted())
    schema.write_text(hostile.schema(texts), "utf-8")
    made = compile_module(schema, USUAL, tmp_path / "out", (*WARNINGS, "-trigraphs"))
    module = hostile.checked(hostile.schema(texts)).module
    assert module is not None
    found = Library(made, module)
    for scope in module.scopes:
        described = found.scopes[scope.name]
        assert described.description.decode("utf-8") == scope.description
        for number, item in enumerate(scope.items):
            assert described.items[number].description.decode("utf-8") == item.description
    zones = [scope.description for scope in module.scopes if scope.name.startswith("zone")]
    assert [" ".join(text.split()) for text in zones] == [" ".join(t.split()) for t in texts]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "compiler", [pytest.param(name, marks=needs(name)) for name in ("g++", "clang", "clang++")]
)
def test_other_compilers_and_cpp(tmp_path: Path, compiler: str) -> None:
    made = write(tmp_path, list(hostile.accepted())[:20], "shared_lock")
    standard = ["-std=c++17", "-x", "c++"] if compiler.endswith("++") else ["-std=gnu11"]
    for name in made:
        if name.endswith("_hand.h") or (not name.endswith(".h" if "++" in compiler else ".c")):
            continue
        if "agentx" in name and not have("net-snmp-config"):
            continue
        port = "dpdk" if name.startswith("bench/") else "posix"
        try:
            flags = runtimeinfo.cflags(port)
        except UsageError:
            continue
        command = [compiler, *standard, "-trigraphs", "-fsyntax-only", *WARNINGS, *flags, *LATER]
        succeed(*command, f"-I{tmp_path}", tmp_path / name)


def test_smi_tools_find_the_same_objects(tmp_path: Path) -> None:
    smi_tools.needs("smilint")
    write(tmp_path, list(hostile.accepted()))
    (module,) = tmp_path.glob("*-MIB*")
    assert smi_tools.smilint(module) == ""
    assert smi_tools.pysmi(module) == "compiled"


SOURCES = ["a*/b.yaml", "a--b.yaml", "a??/.yaml", 'a"b.yaml', "a\nb.yaml", "a\\.yaml", "-x.yaml",
           "{{x}}.yaml", "a\u202eb.yaml", "a';b.yaml", "%s%n.yaml", "`x`.yaml"]  # fmt: skip


def test_names_of_files_stay_in_their_comments() -> None:
    calm = hostile.generated(hostile.schema([hostile.harmless(0)]))
    for source in SOURCES:
        made = hostile.generated(hostile.schema([hostile.harmless(0)]), source=source)
        for name, text in made.items():
            assert hostile.skeleton(name, text) == hostile.skeleton(name, calm[name]), source
            assert "\u202e" not in text


def test_a_very_long_text_is_refused_in_few_words() -> None:
    for size in (10_000, 1_000_000):
        found = hostile.checked(hostile.schema(["long " * (size // 5)]))
        assert {one.rule for one in found.diagnostics.findings} >= {"long-text"}
        assert sum(len(one.message) for one in found.diagnostics.findings) < 20_000


# ---- hostile text in the result of a benchmark stays text ----

CALM = "plain words"
EVIL = ["\n".join(hostile.TEXTS), "-".join(hostile.NAMES), "-1+1", "=1", "@x", "\t=1", "a\r\n=1",
        "a|b\\|c", "\u202ea"]  # fmt: skip


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where text is, in a document."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from leaves(child, (*at, key))
    elif isinstance(value, list):
        for number, child in enumerate(value[:1]):
            yield from leaves(child, (*at, number))
    elif isinstance(value, str):
        yield at


def put(document: dict[str, Any], at: tuple[Any, ...], text: str) -> dict[str, Any]:
    """The document with another text at one place; a strategy is renamed everywhere."""
    copy = json.loads(json.dumps(document))
    if at == ("strategies", 0):
        old = document["strategies"][0]
        return json.loads(json.dumps(document).replace(json.dumps(old), json.dumps(text)))  # type: ignore[no-any-return]
    inner = copy
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = text
    return copy  # type: ignore[no-any-return]


def accepted(document: dict[str, Any]) -> Result | None:
    """What is read from a file, None when it is refused in words."""
    try:
        return parse(json.dumps(document))
    except UsageError as error:
        assert error.message and not hostile.controls(error.message), error.message
        return None


DOCUMENT = json.loads(json.dumps(synth.document(rounds=2, strategies=("per_core", "shared_lock"))))
PLACES = [at for at in leaves(DOCUMENT) if accepted(put(DOCUMENT, at, CALM))]
"""Where a result holds free text."""


class Tags(HTMLParser):
    """The elements of a page with the names of their attributes, and no text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("/", tag))

    def handle_comment(self, data: str) -> None:
        self.found.append(("comment",))


def shape(name: str, text: str) -> Any:
    """What must not depend on free text, by the name of a report."""
    if name.endswith("html"):
        return Tags(text).found
    if name.endswith("csv"):
        return [len(row) for row in csv.reader(io.StringIO(text, newline=""))]
    if name.endswith("md"):
        lines = [re.sub(r"\\.", "", line) for line in text.split("\n")]
        return [(line[:2], line.count("|") if line[:1] == "|" else 0) for line in lines]
    return None


@pytest.mark.one_in(5)
@pytest.mark.parametrize("at", PLACES, ids=lambda at: ".".join(map(str, at)))
def test_reports_have_the_shape_that_harmless_text_gives(at: tuple[Any, ...]) -> None:
    calm = accepted(put(DOCUMENT, at, CALM))
    assert calm is not None
    before = {name: shape(name, write(calm)) for name, write in report.FILES.items()}
    for evil in EVIL:
        found = accepted(put(DOCUMENT, at, evil))
        if found is None:
            continue
        for name, write in report.FILES.items():
            text = write(found)
            assert shape(name, text) == before[name], (name, evil)
            if name.endswith("csv"):
                for row in csv.reader(io.StringIO(text, newline="")):
                    assert not any(re.match(r"[=+@\t\r]|-(?![\d.])", cell) for cell in row), row
            if name.endswith("md"):
                plain = re.sub(r"\\.", "", text)
                assert "<" not in plain and "](" not in plain
        assert not hostile.controls(report.terminal(report.summary(found))), evil


def test_names_of_strategies_are_such() -> None:
    """They become cells of a table that spreadsheets open."""
    assert accepted(put(DOCUMENT, ("strategies", 0), "own:buffer=1,x=a.b"))
    for evil in (*EVIL, *hostile.TEXTS, *hostile.NAMES, "=x", "a b", "x:y z", "x\n"):
        found = accepted(put(DOCUMENT, ("strategies", 0), evil))
        assert found is None or re.fullmatch(r"x+", evil), evil


@pytest.mark.deep
def test_comparisons_too() -> None:
    calm = accepted(DOCUMENT)
    assert calm is not None
    for at in PLACES:
        for evil in EVIL:
            found = accepted(put(DOCUMENT, at, evil))
            if found is None:
                continue
            try:
                made = compare(calm, found)
            except UsageError as error:
                assert not hostile.controls(error.message)
                continue
            for name, style in STYLES.items():
                text = style(made)
                if name == "json":
                    json.loads(text)
                else:
                    assert not hostile.controls(text), (at, evil)
