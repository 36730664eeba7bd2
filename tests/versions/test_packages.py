# SPDX-License-Identifier: BSD-3-Clause
"""What users install, in fresh root folders where there are any: see docs/design.md."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.planted import Edit, copy_of

from . import packages, systems

BUGS = {
    "a template is left out": (
        Edit("pyproject.toml", '"ctrgen.templates" = ["**/*"]', '"ctrgen.templates" = ["c/**/*"]'),
        r"^ctrgen: ",
    ),
    "a dependency is not named": (
        Edit(".ci/debian/control", "${modules:Depends}, ", ""),
        r"^ctrgen: ModuleNotFoundError: No module named 'click'",
    ),
    "one port is not installed": (
        Edit(".ci/debian/ctrgen.install", "usr/lib/*/pkgconfig\n", "usr/lib/*/pkgconfig/*posix*\n"),
        r"^./dev deb: dh_missing: error: missing files",
    ),
    "byte code is not taken away": (
        Edit(".ci/debian/rules", "\tdh_python3 --no-guessing-deps", "\ttrue"),
        r"^removing the packages leaves /usr/lib/ctrgen",
    ),
}
"""Bugs by what they do, and what is said of them."""

CERTIFICATES = "/etc/ssl/certs"


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    """A folder that does not stay: root folders are large."""
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


def tried(suite: str, work: Path, project: Path = ROOT) -> packages.Result:
    """The result in one Debian, if its root folders are there."""
    if not packages.there(suite):
        pytest.skip(f"no root folders of Debian {suite}: tests/versions/chroots.sh")
    return packages.result(suite, work, project)


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize("suite", systems.SUITES)
def test_what_users_install_works(suite: str, work: Path) -> None:
    result = tried(suite, work)
    assert result.green, result.text


@pytest.mark.slow
@pytest.mark.deep
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, work: Path) -> None:
    edit, says = BUGS[bug]
    project = copy_of(ROOT, work / "planted", ".git", ".venv", ".cache", "tests", "generated")
    path = project / edit.path
    path.write_text(edit.applied(path.read_text("utf-8")), "utf-8")
    result = tried("bookworm", work, project)
    assert not result.green and re.search(says, result.text), result.text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
@pytest.mark.parametrize("shared", [CERTIFICATES, "/etc/resolv.conf"])
def test_what_a_root_folder_shares_with_this_machine_cannot_be_written(
    shared: str, work: Path
) -> None:
    """A root folder of one program, the shell."""
    root, probe = work / "root", Path(shared)
    if not probe.exists():
        pytest.skip(f"no {shared}")
    libraries = subprocess.run(["ldd", "/bin/sh"], capture_output=True, text=True, check=True)
    for name in ("/bin/sh", *re.findall(r"(/\S+) \(", libraries.stdout)):
        (root / name[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(name, root / name[1:])
    for name in ("proc", "sys", "dev", "etc"):
        (root / name).mkdir()
    if probe.is_dir():
        probe /= "ctrgen-test"
    enter = Path(__file__).with_name("enter.sh")

    def run(script: str) -> subprocess.CompletedProcess[str]:
        words = ["sh", enter, root, ROOT, work, "/bin/sh", "-c", script]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    try:
        assert run(f"[ -e {shared} ] && : >{work}/there").returncode == 0
        assert "Read-only file system" in run(f": >>{probe}").stderr
    finally:
        if probe.name == "ctrgen-test":
            probe.unlink(missing_ok=True)


def test_a_debian_that_is_not_there_has_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTRGEN_CHROOTS", str(tmp_path))
    results = packages.every(["trixie"], tmp_path)
    assert [result.green for result in results] == [False]
    assert "| trixie |  | not tried: no root folders " in packages.table(results)


def test_what_remains_is_found(tmp_path: Path) -> None:
    for name in ("usr/lib/ctrgen/a/b", "usr/include/ctr-runtime/ctr.h", "usr/bin/other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "usr/lib/libctr-runtime-posix.so.0").symlink_to("nowhere")
    names = {"/usr/lib/ctrgen", "/usr/include/ctr-runtime", "/usr/lib/libctr-runtime-posix.so.0"}
    assert packages.remains(tmp_path) == names


def test_the_modules_of_the_package_are_the_pinned_ones() -> None:
    """What is put into the package for a Debian without pydantic and rich, hashes included."""
    code = "import modules; print(modules.needed()); print(modules.pinned({'pydantic', 'rich'}))"
    done = subprocess.run(
        ["python3", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
        env={"PYTHONPATH": ".ci/debian", "PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    needed, _, pins = done.stdout.partition("\n")
    assert "('pydantic', '2.7')" in needed and "('pyyaml', '6.0')" in needed
    names = re.findall(r"^([a-z0-9_-]+)==", pins, re.MULTILINE)
    assert {"pydantic", "pydantic-core", "rich", "pygments", "markdown-it-py", "mdurl"} < set(names)
    assert not {"click", "jinja2", "pytest", "numpy", "setuptools"} & set(names)
    assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\S)", pins) if "==" in block)
