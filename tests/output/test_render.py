# SPDX-License-Identifier: BSD-3-Clause
"""The template environment: strict, and tidy about white space."""

import shutil
from importlib import resources
from pathlib import Path

import jinja2
import pytest

from ctrgen.output.render import (
    SWITCH,
    environment,
    meson_string,
    normalise,
    template_cache,
    wrap,
)
from tests.support.paths import ROOT


def test_an_unknown_value_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        environment().from_string("{{ no_such_value }}").render()


def test_nothing_is_escaped_behind_our_back() -> None:
    assert environment().from_string("{{ text }}").render(text="a < b & c") == "a < b & c"


def test_normalise() -> None:
    assert normalise("\n\n a \t\n\n\n\n\tb  \n\n\n") == " a\n\n\tb\n"
    assert normalise("") == "\n"


def test_wrap() -> None:
    text = "Packets that were received, counted before any check of what is in them. " * 2
    lines = wrap(text, " * ").split("\n")
    assert len(lines) > 2 and all(line.startswith(" * ") for line in lines)
    assert all(len(line) <= 72 for line in lines)
    assert " ".join(line[3:] for line in lines).split() == text.split()


def test_wrap_keeps_paragraphs_and_long_words() -> None:
    word = "x" * 100
    assert wrap(f"one\n\n{word}", " * ", "/** ") == f"/** one\n *\n * {word}"
    assert wrap("", " * ") == " *"


def test_meson_string() -> None:
    assert meson_string("it's \\") == "'it\\'s \\\\'"


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of this test alone."""
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    environment.cache_clear()
    return tmp_path / "ctrgen"


def rendered() -> str:
    environment.cache_clear()
    try:
        template = environment().get_template("meson/meson_options.txt.j2")
        return template.render(options={"version": "1", "source": "a", "command": "b"})
    finally:
        environment.cache_clear()


def test_the_cache_changes_nothing(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = rendered()
    files = [path for path in cached.rglob("*") if path.is_file()]
    assert len(files) == 1
    assert rendered() == first
    for junk in (b"", b"junk", files[0].read_bytes()[:-10]):
        files[0].write_bytes(junk)
        assert rendered() == first
    monkeypatch.setenv(SWITCH, "1")
    assert rendered() == first


def test_the_cache_knows_templates_by_their_text(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies elsewhere are not compiled again; a changed text is."""
    name, first = "meson/meson_options.txt.j2", rendered()
    copied = tmp_path / "templates" / name
    copied.parent.mkdir(parents=True)
    shutil.copy(ROOT / "templates" / name, copied)
    monkeypatch.setattr(resources, "files", lambda package: tmp_path / "templates")
    assert rendered() == first and len([*cached.iterdir()]) == 1
    copied.write_text(f"{copied.read_text('utf-8')}more\n", "utf-8")
    assert rendered() == f"{first}more\n" and len([*cached.iterdir()]) == 1


def test_a_cache_that_others_can_write_is_not_used(cached: Path) -> None:
    rendered()
    cached.chmod(0o777)
    assert template_cache() is None
    cached.chmod(0o700)
    assert template_cache() is not None


@pytest.mark.parametrize("base", ["/proc/none", "relative", "/dev/null"])
def test_a_cache_folder_that_cannot_be_had(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    assert template_cache() is None
    assert rendered()
