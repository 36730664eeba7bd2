# SPDX-License-Identifier: BSD-3-Clause
"""Every way of installing ctrgen gives a command that works, data files included."""

import functools
import shlex
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.planted import copy_of
from tests.support.process import succeed
from tests.support.strategies import USUAL

DATA = ("runtime", "schemas", "templates")

pytestmark = pytest.mark.slow


run = functools.partial(succeed, env={"PYTHONPATH": None})
"""Runs a command outside of the project."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as a fresh clone has it."""
    target = tmp_path_factory.mktemp("packaging") / "clone"
    return copy_of(ROOT, target, ".*", "dist", "generated", "tests")


def data_files(folder: Path) -> set[str]:
    """What must be shipped, relative to the package."""
    return {
        f"{name}/{path.relative_to(folder / name).as_posix()}"
        for name in DATA
        for path in (folder / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tree: Path) -> Path:
    """A wheel built from a source distribution, as a package index gets it."""
    folder = tree.parent
    code = "import sys; from setuptools import build_meta as b; print(b.build_sdist(sys.argv[1]))"
    made = run(sys.executable, "-c", code, folder / "sdist", cwd=tree).split()[-1]
    shutil.unpack_archive(str(folder / "sdist" / made), str(folder / "unpacked"))
    (source,) = (folder / "unpacked").iterdir()
    code = code.replace("build_sdist", "build_wheel")
    made = run(sys.executable, "-c", code, folder / "wheel", cwd=source).split()[-1]
    return folder / "wheel" / made


def test_the_wheel_holds_every_file(tree: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"ctrgen/{name}" for name in data_files(tree)} <= names
    modules = (tree / "generator").rglob("*.py")
    wanted = {f"ctrgen/{path.relative_to(tree / 'generator').as_posix()}" for path in modules}
    assert wanted | {"ctrgen/py.typed"} <= names
    assert not [name for name in names if name.endswith((".pyc", ".o"))]
    assert all(name.startswith(("ctrgen/", "ctrgen-")) for name in names)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", ["wheel", "folder", "editable"])
def test_an_installation_works(way: str, tree: Path, wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=tmp_path)
    # What ctrgen depends on, and pip, come from the environment that runs the tests.
    site = next((environment / "lib").glob("python*/site-packages"))
    outer = [path for path in sys.path if path.endswith("site-packages")]
    (site / "outer.pth").write_text("".join(f"{path}\n" for path in outer))
    python = environment / "bin" / "python"
    what = {"folder": [tree], "editable": ["-e", tree], "wheel": [wheel]}[way]
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q"]
    pip += ["--no-deps", "--ignore-installed"]
    run(*pip, "--no-build-isolation", "--disable-pip-version-check", *what, cwd=tmp_path)

    ctrgen = environment / "bin" / "ctrgen"
    where = run(python, "-c", "import ctrgen; print(ctrgen.__file__)", cwd=tmp_path).strip()
    assert where.startswith(str(tree if way == "editable" else environment)), where
    assert run(ctrgen, "--version", cwd=tmp_path).startswith("ctrgen")
    assert USUAL in run(ctrgen, "strategies", cwd=tmp_path)
    code = "from ctrgen.findings.usage import pip_install as p; print(p('adopt'))"
    advice = shlex.split(run(python, "-c", code, cwd=tmp_path))
    assert advice[:2] == ["pip", "install"] and "tree-sitter" in advice[2]
    run(ctrgen, "init", "app", cwd=tmp_path)
    run(ctrgen, "build", "stats.yaml", "-o", "out", "--vendor-runtime", cwd=tmp_path / "app")
    run(ctrgen, "build", "stats.yaml", "-o", "out", "--vendor-runtime", "--check",
        cwd=tmp_path / "app")  # fmt: skip
    if shutil.which("cc"):
        flags = run(ctrgen, "runtime", "--cflags", "--sources", "--libs", cwd=tmp_path)
        assert str(Path(where).parent) in flags or way == "editable"
        command = f"cc main.c out/app_stats.c -Iout {flags.strip()} -o example && ./example"
        run("sh", "-c", command, cwd=tmp_path / "app")
