# SPDX-License-Identifier: BSD-3-Clause
"""What the checks of C, of words and of hosts find."""

import re
import subprocess

import pytest

from tests.lint import words
from tests.support.paths import ROOT
from tests.support.process import succeed

from .c_style import findings

# ---- what the check of the C's style finds ----

FORMATTED = "int\nsum(int a,\n    int b)\n{\n\treturn a +\n\t       b;\n}\n"


@pytest.mark.parametrize(
    ("edits", "found"),
    [
        ({"    int b": "\t\tint b", "\t       b": "\t\t\tb"}, []),  # how far one goes in is free
        ({"\t       b": "                b"}, [(6, "should be: b;")]),
        ({"\treturn": "\t\treturn"}, [(5, "should be: return a +")]),
        ({"int\nsum": "int sum"}, [(1, "should be: int / sum(int a,")]),
    ],
)
def test_differences_are_found(edits: dict[str, str], found: list[tuple[int, str]]) -> None:
    text = FORMATTED
    for old, new in edits.items():
        text = text.replace(old, new)
    assert list(findings(text, FORMATTED)) == found


def test_generated_code_has_on_one_line_what_the_style_has_on_several() -> None:
    text = "int sum(int a, int b)\n{ return a + b; }\n"
    formatted = "int\nsum(int a, int b)\n{\n\treturn a + b;\n}\n"
    assert list(findings(text, formatted, dense=True)) == []
    assert list(findings(text, formatted)) != []
    for wrong in (text.replace("a + b", "a+b"), text.replace("{ return", "{return")):
        assert list(findings(wrong, formatted, dense=True)) != []


def test_long_lines_are_found_but_for_texts() -> None:
    code, text = "\tx = " + "y" * 100 + ";\n", '\tf("' + "y" * 100 + '");\n'
    assert list(findings(code, code)) == [(1, "more than 100 columns")]
    assert list(findings(text, text)) == []


# ---- words that the field does not use ----

PLANTED = {
    "docstring": ("generator/x.py", '"""Reads it.\n\nNobody   waits."""\n', 3),
    "comment": ("generator/x.py", "x = 1\ny = 2  # what the\n# what a lcore has\n", 3),
    "message": ("generator/x.py", 'error(f"{name}: nobody has it")\n', 1),
    "comment of a template": ("templates/x.c.j2", "{# Read\n   anew. #}\n/* nobody */\n", 2),
    "C in a template": ("templates/x.c.j2", "anew = 1;\n/** Held\n * back. */\n", 2),
    "header": ("runtime/x.h", "/** Told once. */\nint told; /**< Of it. */\n", 1),
    "text of a program": ("runtime/x.c", 'int x;\nputs("nobody reads");\n', 2),
    "page": ("docs/x.md", "```c\nnobody();\n```\nThe `anew` of\nthat moment beside it.\n", 5),
    "schema": ("schemas/x.yaml", "a: b\nc: {description: Those that are gone.}\n", 2),
}


@pytest.mark.parametrize("where", PLANTED)
def test_a_planted_word_is_found(where: str) -> None:
    name, text, line = PLANTED[where]
    assert f"{name}:{line}:" in "".join(words.findings(name, text))


@pytest.mark.parametrize(
    "name, text",
    [
        ("generator/x.py", 'said = told["nobody"]  # a table\nx = re.compile(r"a nobody b")\n'),
        ("runtime/x.h", "int nobody; /* ctr_drain_tokens and told() of `anew` */\n"),
        ("docs/x.md", "`nobody` [guide](anew.md) <anew>\n\n```text\ntold\n```\n"),
        ("docs/x.md", "It is meant for readers. <!-- wording: ok -->\n"),
        ("CHANGELOG.md", "## [Unreleased]\n- New.\n\n## [0.1]\n- Told anew.\n"),
    ],
)
def test_names_code_and_what_is_allowed_are_not(name: str, text: str) -> None:
    assert [*words.findings(name, text)] == []


def test_there_are_files_of_all_kinds() -> None:
    found = {name.partition(".")[2] for name in words.files()}
    assert {"md", "py", "c", "h", "c.j2", "yaml"} <= found


# ---- no file names the host of a package registry ----

HOSTS = (
    "npmjs org", "npmjs com", "yarnpkg com",
    "debian org", "debian net", "ubuntu com",
    "pypi org", "pypi python org", "pythonhosted org",
    "crates io", "rubygems org", "golang org",
    "maven org", "maven apache org",
)  # fmt: skip
"""Domains, with spaces for dots: this file names none either."""

REGISTRY = "(?:registry|deb|ftp|archive|snapshot|security|files|index|static|proxy|sum|repo1?)"
"""What comes before a domain that has other hosts as well, such as that of a project's pages."""
ALONE = ("npmjs", "yarnpkg", "pypi", "pythonhosted", "crates", "rubygems")

NAMED = re.compile(
    "|".join(
        (r"\b" if host.startswith(ALONE) else rf"\b{REGISTRY}\.(?:[\w-]+\.)*")
        + re.escape(host.replace(" ", "."))
        + r"\b"
        for host in HOSTS
    ),
    re.IGNORECASE,
)


def named(text: str) -> list[str]:
    """Hosts of registries in a text."""
    return NAMED.findall(text)


def test_no_file_names_the_host_of_a_registry() -> None:
    try:
        names = succeed("git", "ls-files", "-z", cwd=ROOT).split("\0")
    except (pytest.fail.Exception, subprocess.SubprocessError):
        pytest.skip("no git, or no clone")
    paths = [ROOT / name for name in names if name and (ROOT / name).is_file()]
    assert len(paths) > 100
    found = {
        str(path.relative_to(ROOT)): hosts
        for path in paths
        if (hosts := named(path.read_bytes().decode("latin-1")))
    }
    assert not found, f"packages come through npm, apt, pip: {found}"


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_seen(host: str) -> None:
    url = f"https://{'.'.join(('registry', *host.split()))}/a/-/a-1.0.tgz"
    assert named(f'URL = "{url}"')
    assert not named("npm, apt, pip, pypi, debian; docs.debian.example.org, notpypi.organic")
