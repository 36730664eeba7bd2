# SPDX-License-Identifier: BSD-3-Clause
"""What build systems need: what a build reads and writes, nothing made without need, no clashes."""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.output import depfile
from ctrgen.pipeline.build import BuildRequest, build
from tests.support.capabilities import needs
from tests.support.planted import Edit, planted
from tests.support.process import ctrgen, run, succeed

SCHEMA = """\
ctrgen: 1
module: MODULE
include: [more.yaml]
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets.}
"""
MORE = """\
ctrgen: 1
scopes:
  port:
    max: 4
    counters:
      errors: {unit: packets, description: Broken packets.}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a space in its name, which is the current one, with the schema `gw.yaml`."""
    folder = tmp_path / "my project"
    folder.mkdir()
    schema(folder, "gw")
    monkeypatch.chdir(folder)
    return folder


def schema(folder: Path, module: str, name: str = "", more: str = "") -> Path:
    path = folder / f"{name or module}.yaml"
    path.write_text(SCHEMA.replace("MODULE", module) + more)
    (folder / "more.yaml").write_text(MORE)
    return path


def times(folder: Path) -> Mapping[str, int]:
    return {str(p.relative_to(folder)): p.stat().st_mtime_ns for p in folder.rglob("*")}


# ---- what is read and written ----


def test_outputs_are_listed_and_not_written(home: Path) -> None:
    listed = ctrgen("build", "gw.yaml", "-o", "the out", "--list-outputs", "--vendor-runtime")
    assert (listed.exit_code, listed.stderr) == (0, "") and not (home / "the out").exists()
    build(BuildRequest("gw.yaml", "the out", vendor_runtime=True))
    written = (path for path in (home / "the out").rglob("*") if path.is_file())
    shown = sorted(os.path.relpath(path) for path in written if path.name[0] != ".")
    assert listed.stdout.splitlines() == shown
    assert any("ctr-runtime" in path for path in shown)
    few = ctrgen("build", "gw.yaml", "-o", "x", "--list-outputs", "--only", "c", "-q").stdout
    assert few == "x/gw_stats.c\nx/gw_stats.h\n"
    (home / "gw.yaml").write_text("nonsense: 1\n")
    wrong = ctrgen("build", "gw.yaml", "--list-outputs")
    assert (wrong.exit_code, wrong.stdout) == (1, "") and "unknown-key" in wrong.stderr


def test_a_depfile_names_what_was_read(home: Path) -> None:
    words = ("build", "gw.yaml", "-o", "the out", "--only", "c", "--depfile", "deps/gw #1.d")
    assert ctrgen(*words).exit_code == 0
    rule, *others = (home / "deps" / "gw #1.d").read_text().replace(" \\\n", "").split("\n\n")
    assert rule == "the\\ out/gw_stats.c the\\ out/gw_stats.h: gw.yaml more.yaml"
    assert [other.strip() for other in others] == ["gw.yaml:", "more.yaml:"]
    assert ctrgen(*words, "--stamp", "gw stamp").exit_code == 0
    assert (home / "deps" / "gw #1.d").read_text().startswith("gw\\ stamp: \\\n gw.yaml \\\n more")
    assert (home / "gw stamp").read_text() == ""


def test_a_depfile_names_the_lock_file_of_who_reads_it(home: Path) -> None:
    schema(home, "gw", more="snmp: {}\n")
    for only, read in (("mib", False), ("mib", True), ("c", False)):
        assert build(BuildRequest("gw.yaml", "out", only=(only,), depfile="d")).exit_code == 0
        assert ("gw.ctrgen.lock" in (home / "d").read_text()) is read


def test_names_are_written_as_make_reads_them() -> None:
    assert depfile.escaped("a b#c$d") == r"a\ b\#c$$d"
    assert depfile.escaped("a\\ b:c") == r"a\\\ b\:c"
    with pytest.raises(UsageError, match="no depfile can name"):
        depfile.escaped("a\nb")


@pytest.mark.parametrize("option", ["--depfile", "--stamp"])
def test_reports_overwrite_nothing_of_worth(home: Path, option: str) -> None:
    schema(home, "gw", more="snmp: {}\n")
    assert ctrgen("build", "gw.yaml").exit_code == 0
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for taken in (
        *("gw.yaml", "./more.yaml", "gw.ctrgen.lock", "out/gw_stats.h", "out/.ctrgen-manifest"),
        str(home / "out" / "meson.build"),
    ):
        done = ctrgen("build", "gw.yaml", option, taken)
        assert done.exit_code == 2 and option in done.stderr, taken
    assert ctrgen("build", "gw.yaml", "--depfile", "x", "--stamp", "./x").exit_code == 2
    os.mkfifo("pipe")
    for odd in ("out", "pipe"):  # as /dev/null, which root would replace
        done = ctrgen("build", "gw.yaml", option, odd)
        assert (done.exit_code, f"'{odd}' is not a regular file" in done.stderr) == (2, True)
    for mode in ("--check", "--diff", "--list-outputs"):
        done = ctrgen("build", "gw.yaml", option, "x", mode)
        assert done.exit_code == 2 and f"{option} goes with writing, not with {mode}" in done.stderr
    assert before == {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_after_an_error_there_is_neither_depfile_nor_stamp(home: Path) -> None:
    (home / "more.yaml").write_text("nonsense: 1\n")
    done = ctrgen("build", "gw.yaml", "--depfile", "d", "--stamp", "s")
    assert done.exit_code == 1
    assert not {"d", "s", "out"} & {path.name for path in home.iterdir()}


def test_quiet_prints_findings_alone(home: Path) -> None:
    loud, quiet = ctrgen("build", "gw.yaml"), ctrgen("build", "gw.yaml", "-q")
    assert "written" in loud.stdout and (quiet.stdout, quiet.stderr) == ("", "")
    schema(home, "gw", more="snmp: {}\n")
    done = ctrgen("build", "gw.yaml", "--quiet")
    assert done.stdout == "" and "warning[documentation-enterprise]" in done.stderr
    (home / "out" / "gw_stats.h").write_text("edited")
    for mode in ("--check", "--diff"):
        done = ctrgen("build", "gw.yaml", "-q", mode)
        assert (done.exit_code, done.stdout) == (1, "")


# ---- nothing rebuilt without need ----


@pytest.mark.parametrize("published", ["", "snmp: {enterprise: 32473}\n"])
def test_a_comment_changes_no_file(home: Path, published: str) -> None:
    path = schema(home, "gw", more=published)
    assert build(BuildRequest("gw.yaml", "out", vendor_runtime=True)).exit_code == 0
    before = times(home / "out"), times(home).get("gw.ctrgen.lock")
    path.write_text(f"# A comment.\n\n{path.read_text()}# And another one.\n")
    (home / "more.yaml").write_text(MORE.replace("    max: 4\n", "    max: 4   # ports\n"))
    assert build(BuildRequest("gw.yaml", "out", vendor_runtime=True)).exit_code == 0
    assert before == (times(home / "out"), times(home).get("gw.ctrgen.lock"))


MAKEFILE = """\
all: app.o
gw.stamp:
\tctrgen build gw.yaml -o out --only c -q --depfile gw.d --stamp gw.stamp
out/gw_stats.h out/gw_stats.c: gw.stamp ;
app.o: out/gw_stats.c
\tcp out/gw_stats.c app.o && echo compiled
-include gw.d
"""
NINJA = """\
rule generate
  command = ctrgen build gw.yaml -o out --only c -q --depfile gw.d
  depfile = gw.d
  restat = 1
rule copy
  command = cp $in $out && echo compiled
build out/gw_stats.c out/gw_stats.h: generate gw.yaml
build app.o: copy out/gw_stats.c
default app.o
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("tool", ["make", "ninja"])
def test_a_build_system_does_what_is_needed(home: Path, tool: str) -> None:
    """Compiled anew after a change of what is counted, in an included file too, and only then."""
    if run("which", tool).returncode != 0:
        pytest.skip(f"no {tool}")
    (home / "Makefile").write_text(MAKEFILE)
    (home / "build.ninja").write_text(NINJA)

    def compiled() -> bool:
        return "\ncompiled" in "\n" + succeed(tool, cwd=home)

    def edit(name: str, old: str, new: str) -> None:
        path = home / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    assert compiled() and not compiled()
    edit("gw.yaml", "ctrgen: 1\n", "ctrgen: 1  # the version\n")
    assert not compiled()
    edit("more.yaml", "Broken packets.", "Broken packets of a port.")
    assert compiled() and not compiled()
    edit("gw.yaml", "include: [more.yaml]", "include: [other.yaml]")
    (home / "more.yaml").rename(home / "other.yaml")
    succeed(tool, cwd=home)  # what was read before is gone, and no longer needed
    edit("other.yaml", "max: 4", "max: 8")
    assert compiled()
    edit("other.yaml", "max: 8", "max: nothing")
    succeed(tool, cwd=home, fails=True)
    edit("other.yaml", "max: nothing", "max: 16")
    assert compiled()


# ---- spaces ----


@needs("cc")
def test_paths_with_spaces_from_the_schema_to_the_program(home: Path) -> None:
    (home / "app.c").write_text(
        '#include "gw_stats.h"\n'
        "int main(void) {\n\tif (gw_stats_init() != 0)\n\t\treturn 2;\n"
        "\tgw_stats_inc_pkts();\n\treturn gw_stats_get_pkts() == 1 ? 0 : 1;\n}\n"
    )
    words = ("-o", "the out", "--vendor-runtime", "--depfile", "the out/gw.d", "-q")
    succeed("ctrgen", "build", "./gw.yaml", *words, cwd=home)
    flags = succeed("ctrgen", "runtime", "--cflags", "--sources", "--libs", cwd=home)
    script = f'cc app.c "the out/gw_stats.c" -I"the out" {flags.strip()} -o "the app"'
    succeed("sh", "-c", script, cwd=home)
    succeed(home / "the app")
    assert "my project" not in (home / "the out" / "gw_stats.h").read_text()


@pytest.mark.deep
@needs("cc", "meson", "ninja")
def test_an_installation_may_be_below_a_folder_with_a_space(home: Path) -> None:
    """The runtime that it brings is found by the shell, with eval, and by the generated project."""
    tree = planted(home, [Edit("runtime/include/ctr.h", "/* SPDX", "/*  SPDX")])
    assert " " in tree.succeed("runtime")
    lines = tree.succeed("runtime", "--sources", "--lines").splitlines()
    assert lines and all(Path(line).is_file() for line in lines)
    tree.succeed("init", home / "app")
    tree.succeed("build", home / "app" / "stats.yaml", "-o", home / "app" / "out", "-q")
    program = home / "bin" / "ctrgen"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m ctrgen "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{tree.environment()['PATH']}"
    shell = {"PYTHONPATH": str(tree.path), "PATH": path}
    compiler = "eval cc main.c out/app_stats.c -Iout -o example"
    for command in (
        f"{compiler} $(ctrgen runtime --cflags --sources --libs) && ./example",
        "meson setup build out && ninja -C build",
    ):
        succeed("sh", "-c", command, cwd=home / "app", env=shell)


# ---- two schemas, one folder ----


def test_two_schemas_in_one_folder_do_not_take_files_from_each_other(home: Path) -> None:
    schema(home, "cp")
    assert build(BuildRequest("gw.yaml", "out")).exit_code == 0
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    done = ctrgen("build", "cp.yaml", "-o", "out")
    assert done.exit_code == 1 and "out/meson.build:1:1: error[output-shared]" in done.stderr
    assert "a folder of its own" in done.stderr
    assert before == {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert ctrgen("build", "cp.yaml", "-o", "out", "--force").exit_code == 0
    assert "'cp_stats'" in (home / "out" / "meson.build").read_text()


def test_two_schemas_that_want_only_c_share_a_folder_and_a_runtime(home: Path) -> None:
    for name in ("gw", "cp"):
        schema(home, name, more="outputs: [c]\n")
    requests = [BuildRequest(f"{name}.yaml", "out", vendor_runtime=True) for name in ("gw", "cp")]
    for request in requests:
        assert build(request).exit_code == 0
    found, before = {path.name for path in (home / "out").iterdir()}, times(home / "out")
    assert {"gw_stats.h", "cp_stats.h", "gw_stats.c", "cp_stats.c", "ctr-runtime"} <= found
    for request in requests * 2:
        result = build(request)
        assert result.exit_code == 0 and result.diagnostics.findings == []
        assert times(home / "out") == before
        assert build(replace(request, mode="check")).text == ""


def test_two_schemas_of_one_name_are_not_taken_for_one(home: Path) -> None:
    for name in ("gw", "cp"):
        (home / name).mkdir()
        schema(home / name, name, "stats")
    assert build(BuildRequest("gw/stats.yaml", "out")).exit_code == 0
    done = ctrgen("build", "cp/stats.yaml", "-o", "out")
    assert done.exit_code == 1 and "out/gw_stats.h:1:1: error[output-shared]" in done.stderr
    assert (home / "out" / "gw_stats.h").exists() and not (home / "out" / "cp_stats.h").exists()
    done = ctrgen("build", "cp/stats.yaml", "-o", "out", "--force")  # the module was renamed
    assert done.exit_code == 0 and not (home / "out" / "gw_stats.h").exists()
