# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen runtime --archive`: what it builds links, is cached by what it was built from, and is
there whole or not at all."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.ports import counts, generated, needed, write
from tests.support.capabilities import needs
from tests.support.planted import Edit, planted
from tests.support.process import ctrgen, environment, succeed

pytestmark = [pytest.mark.slow, needs("cc", "ar")]

APPLICATION = {"posix": "threads", "dpdk": "before"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache; flags that make a build short."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CFLAGS", "-O0")
    monkeypatch.setenv("PKG_CONFIG_PATH", "")
    return tmp_path / "cache" / "ctrgen"


def made(*words: str) -> Path:
    """The archive that is printed."""
    done = ctrgen("runtime", "--archive", *words)
    assert (done.exit_code, done.stderr) == (0, ""), done.stderr
    return Path(shlex.split(done.stdout)[0])


def refused(*words: str) -> str:
    """The message of a call without an archive."""
    done = ctrgen("runtime", "--archive", *words)
    assert (done.exit_code, done.stdout) == (2, ""), done.stdout
    return done.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize("compiler", [pytest.param(cc, marks=needs(cc)) for cc in ("gcc", "clang")])
def test_a_program_links(
    compiler: str, port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", compiler)
    application = APPLICATION[port]
    assert needed(application) == port
    sources = write(tmp_path, application)
    generated(tmp_path)
    done = ctrgen("runtime", "--port", port, "--cflags", "--archive", "--libs")
    program = tmp_path / "program"
    words = [f"-I{tmp_path / 'out'}", *shlex.split(done.stdout), "-o", program]
    succeed(compiler, *sources, tmp_path / "out" / "one_stats.c", *words)
    counts(program, application)


def test_it_is_built_once(cache: Path) -> None:
    first = made()
    when = first.stat().st_mtime_ns
    assert made() == first and first.stat().st_mtime_ns == when
    assert first.parent.parent == cache and [*first.parent.iterdir()] == [first]


COMPILER = """\
#!/bin/sh
case $1 in --version) echo %s && exit ;; esac
for last; do :; done
[ "$last" = -dumpmachine ] || : >"$last"
"""
"""Makes empty objects."""


def test_an_empty_archive_is_built_again() -> None:
    first = made()
    first.write_bytes(b"")
    assert made() == first and first.stat().st_size > 0


@needs("pkg-config")
def test_another_configuration_of_dpdk_is_another_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler, package = tmp_path / "compiler", tmp_path / "libdpdk.pc"
    compiler.write_text(COMPILER % "one")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("PKG_CONFIG_PATH", str(tmp_path))
    package.write_text(f"Name: D\nDescription: D\nVersion: 22.11\nCflags: -I{tmp_path}\n")
    paths = []
    for lcores in (128, 256):
        (tmp_path / "rte_build_config.h").write_text(f"#define RTE_MAX_LCORE {lcores}\n")
        paths.append(made("--port", "dpdk"))
    assert paths[0] != paths[1]


@pytest.mark.parametrize("part", ["bench", "telemetry"])
def test_a_part_that_needs_dpdk(part: str) -> None:
    assert f"the part '{part}' needs DPDK" in refused("--with", part)


def test_what_decides_its_content_decides_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(COMPILER % name)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("CC", str(tmp_path / "one"))
    paths = [made(), made("--with", "segment")]
    monkeypatch.setenv("CFLAGS", "-O0 -fno-omit-frame-pointer")
    paths.append(made())
    monkeypatch.setenv("CC", str(tmp_path / "two"))
    paths.append(made())
    tree = planted(
        tmp_path / "tree", [Edit("runtime/include/ctr_slots.h", "ctr_slots", "ctr_slots")]
    )
    paths.append(Path(tree.succeed("runtime", "--archive").strip()))
    assert paths[-1] == paths[-2], "the same content elsewhere"
    tree = planted(
        tmp_path / "other", [Edit("runtime/include/ctr_slots.h", "#ifndef", "\n#ifndef")]
    )
    paths[-1] = Path(tree.succeed("runtime", "--archive").strip())
    assert len(set(paths)) == len(paths)


def test_two_at_once_each_have_it(cache: Path) -> None:
    command = [sys.executable, "-m", "ctrgen", "runtime", "--archive"]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
        for _ in range(2)
    ]
    one, two = (Path(each.communicate()[0].strip()) for each in both)
    assert [each.returncode for each in both] == [0, 0] and one == two
    assert [*cache.rglob("*")] == [one.parent, one]
    assert "ctr_slots.o" in succeed("ar", "t", one).split()


def test_nothing_is_left_of_a_build_that_failed(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CFLAGS", "-O0 -DCTR_PORT_H")
    assert "cc cannot build the runtime" in refused()
    assert not [path for path in cache.rglob("*") if path.is_file()]
    monkeypatch.setenv("CFLAGS", "-O0")
    monkeypatch.setenv("AR", "false")
    assert "false cannot build the runtime" in refused()
    assert not [path for path in cache.rglob("*") if path.is_file()]
    monkeypatch.setenv("CC", str(tmp_path / "nothing"))
    assert "set CC to a C compiler" in refused()
    monkeypatch.setenv("CC", "'gcc")
    assert "$CC: No closing quotation" in refused()


def test_a_cache_that_cannot_be_written(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.parent.write_text("")
    text = refused()
    assert "cannot write" in text and "set XDG_CACHE_HOME" in text
    if os.geteuid() == 0:  # whom nothing stops but a file in the place of a folder
        return
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "closed"))
    found = made()
    found.parent.chmod(0o500)
    assert made() == found, "what is there is used"
    (tmp_path / "closed" / "ctrgen").chmod(0o500)
    monkeypatch.setenv("CFLAGS", "-O1")
    assert "cannot write" in refused()


def test_the_disk_of_the_cache_is_full(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(
        "#!/bin/sh\nfor last; do :; done\ncase $last in *.o) ;; *) exit 0 ;; esac\n"
        "echo \"Fatal error: can't write to $last: 'No space left on device'\" >&2; exit 1\n"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    ended = subprocess.Popen(["true"])
    ended.wait()
    left, running = (cache / "of-another" / f".build-{pid}-x" for pid in (ended.pid, os.getpid()))
    left.mkdir(parents=True)
    running.mkdir()
    text = refused()
    assert running.exists() and not left.exists(), "of a build that was killed"
    assert ": no space left on device\n" in text and "set XDG_CACHE_HOME" in text


def test_not_with_sources() -> None:
    assert "leave one out" in refused("--sources")
