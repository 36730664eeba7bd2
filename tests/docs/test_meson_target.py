# SPDX-License-Identifier: BSD-3-Clause
"""The guide's `custom_target` of meson: generates in the build what an edit needs, and no more."""

from pathlib import Path

import pytest

from tests.docs.test_docs import blocks
from tests.support.capabilities import needs
from tests.support.process import ctrgen, run, succeed

pytestmark = [pytest.mark.slow, needs("cc", "meson", "ninja")]

MORE = "scopes:\n  more:\n    max: 2\n    counters:\n      lost: {unit: packets, description: D.}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The starter, an included file and the guide's meson.build, below a folder with a space."""
    folder = tmp_path / "my project"
    assert ctrgen("init", str(folder)).exit_code == 0
    schema = folder / "stats.yaml"
    text = schema.read_text("utf-8")
    schema.write_text(text.replace("\nmodule:", "\ninclude: [more.yaml]\nmodule:", 1), "utf-8")
    (folder / "more.yaml").write_text(f"ctrgen: 1\n{MORE}", "utf-8")
    (shown,) = (block.text for block in blocks("guide.md") if "custom_target(" in block.text)
    (folder / "meson.build").write_text(shown, "utf-8")
    succeed("meson", "setup", "build", cwd=folder)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def times(project: Path) -> list[int]:
    """When the program and the files that are generated were written."""
    names = ("example", "app_stats.c", "app_stats.h")
    return [(project / "build" / name).stat().st_mtime_ns for name in names]


def test_what_an_edit_builds(project: Path) -> None:
    build = ("ninja", "-C", "build")
    succeed(*build, cwd=project)
    assert "packets" in succeed(project / "build" / "example")
    before = times(project)
    for name in ("stats.yaml", "more.yaml"):
        edit(project / name, "ctrgen: 1", "# A comment.\nctrgen: 1")
        succeed(*build, cwd=project)
        assert times(project) == before, "a comment is compiled"
        assert "no work to do" in succeed(*build, cwd=project)
    edit(project / "more.yaml", "description: D.", "description: Packets lost.")
    succeed(*build, cwd=project)
    assert all(now > then for now, then in zip(times(project), before, strict=True))
    edit(project / "more.yaml", "max: 2", "maximum: 2")
    done = run(*build, cwd=project, merged=True)
    assert done.returncode != 0 and "more.yaml:5:5: error[unknown-key]" in done.stdout, done.stdout
    edit(project / "more.yaml", "maximum: 2", "max: 2")
    succeed(*build, cwd=project)
