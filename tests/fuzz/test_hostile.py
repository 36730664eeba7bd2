# SPDX-License-Identifier: BSD-3-Clause
"""Hostile text in a schema is refused, or stays text for all readers."""

from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.findings.usage import UsageError
from ctrgen.output.staging import locate
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
        assert described.description == scope.description
        for number, item in enumerate(scope.items):
            assert described.items[number].description == item.description
    zones = [scope.description for scope in module.scopes if scope.name.startswith("zone")]
    assert [" ".join(text.split()) for text in zones] == [" ".join(t.split()) for t in texts]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "compiler", [pytest.param(name, marks=needs(name)) for name in ("g++", "clang", "clang++")]
)
def test_other_compilers_and_cpp(tmp_path: Path, compiler: str) -> None:
    made = write(tmp_path, list(hostile.accepted())[:20], UNLIKE[1])
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
