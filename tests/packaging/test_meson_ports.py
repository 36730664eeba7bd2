# SPDX-License-Identifier: BSD-3-Clause
"""A program of the wrong port does not build: the generated meson project, an installed runtime."""

import shlex
import subprocess
from pathlib import Path

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from tests.packaging.ports import ADVICE, counts, installed, needed, schema, write
from tests.support.capabilities import needs, needs_dpdk
from tests.support.process import run, succeed

pytestmark = [pytest.mark.slow, needs("meson", "ninja", "pkg-config"), needs_dpdk]

PROJECT = """\
project('app', 'c', default_options: ['c_std=gnu11'])
one = dependency('one_stats', fallback: 'one_stats', default_options: {options})
executable('app', {sources}, dependencies: [one, {more}])
"""


def subproject(
    folder: Path, application: str, options: list[str]
) -> subprocess.CompletedProcess[str]:
    """Build `build/app`, which has the generated project as a subproject."""
    sources = [source.name for source in write(folder, application)]
    out = folder / "subprojects" / "one_stats"
    request = BuildRequest(str(schema(folder)), str(out), only=("c", "meson"), vendor_runtime=True)
    assert build(request).exit_code == 0
    more = "dependency('libdpdk')" if needed(application) == "dpdk" else "dependency('threads')"
    text = PROJECT.format(options=options, sources=sources, more=more)
    (folder / "meson.build").write_text(text)
    succeed("meson", "setup", "build", cwd=folder)
    return run("ninja", "-C", "build", cwd=folder, merged=True)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("application", ["threads", "before", "apart"])
@pytest.mark.parametrize("port", ["posix", "dpdk"])
def test_a_subproject(application: str, port: str, tmp_path: Path) -> None:
    done = subproject(tmp_path, application, [f"port={port}"])
    if port == needed(application):
        assert done.returncode == 0, done.stdout
        counts(tmp_path / "build" / "app", application)
    elif port == "posix":
        assert done.returncode != 0 and ADVICE.search(done.stdout), done.stdout
    else:  # DPDK is there, and not started
        assert done.returncode == 0, done.stdout


@pytest.mark.deep
def test_plain_threads_beside_dpdk(tmp_path: Path) -> None:
    done = subproject(tmp_path, "after", ["port=posix", "beside_dpdk=true"])
    assert done.returncode == 0, done.stdout
    counts(tmp_path / "build" / "app", "after")


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runtime, installed for both ports."""
    return installed(tmp_path_factory.mktemp("installed"), "posix", "dpdk")


@pytest.mark.deep
@pytest.mark.parametrize("compiled", ["posix", "dpdk"])
@pytest.mark.parametrize("linked", ["posix", "dpdk"])
@pytest.mark.parametrize("application", ["threads", "apart"])
def test_an_installed_runtime(
    application: str,
    compiled: str,
    linked: str,
    prefix: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compiled with the flags of one port, linked with those of another."""
    monkeypatch.setenv("PKG_CONFIG_PATH", str(prefix / "lib/pkgconfig"))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(prefix / "lib"))
    sources = write(tmp_path, application)
    out = tmp_path / "out"
    assert build(BuildRequest(str(schema(tmp_path)), str(out), only=("c",))).exit_code == 0

    def flags(what: str, *names: str) -> list[str]:
        return shlex.split(succeed("pkg-config", what, *names))

    objects = []
    for source in (*sources, out / "one_stats.c"):
        apart = source.name == "eal.c"
        words = flags("--cflags", "libdpdk" if apart else f"ctr-runtime-{compiled}")
        objects.append(target := source.with_suffix(".o"))
        succeed("cc", "-std=gnu11", *words, f"-I{out}", "-c", source, "-o", target)
    libs = [f"ctr-runtime-{linked}"] + (["libdpdk"] if needed(application) == "dpdk" else [])
    program = tmp_path / "program"
    done = run("cc", *objects, *flags("--libs", *libs), "-o", program, merged=True)
    if {compiled, linked} == {needed(application)}:
        assert done.returncode == 0, done.stdout
        counts(program, application)
    elif application == "threads" and compiled == linked:
        assert done.returncode == 0, done.stdout
    else:
        assert done.returncode != 0 and ADVICE.search(done.stdout), done.stdout
