# SPDX-License-Identifier: BSD-3-Clause
"""Parts of the runtime that only some applications need, in generated meson projects, an installed
runtime, and CMake."""

import shlex
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build
from tests.packaging.ports import EAL, SCHEMA, installed, without_ctrgen
from tests.packaging.test_cmake import configure, make, project
from tests.support.capabilities import needs
from tests.support.process import succeed
from tests.support.strategies import USUAL

pytestmark = [pytest.mark.slow, needs("meson", "ninja")]

MAIN = """\
#include "one_stats.h"
#include "ctr_openmetrics.h"
#include "ctr_segment.h"
#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#include "ctr_telemetry.h"
#endif

int main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &one_stats_module };
	const struct ctr_openmetrics_options options = { .modules = modules, .num_modules = 1 };
	struct ctr_segment *segment;
	int rc;

#ifdef CTR_PORT_DPDK
	if (rte_eal_init(argc, argv) < 0)
		return 1;
#else
	(void)argc;
	(void)argv;
#endif
	if (one_stats_init() != 0)
		return 2;
#ifdef CTR_PORT_DPDK
	if (argc == 0)
		return CALLS;
#endif
	rc = ctr_segment_create(&segment, modules, 1, 0);
	if (rc == 0)
		ctr_segment_close(segment);
	rc = rc != 0 ? rc : ctr_openmetrics_start("127.0.0.1:0", &options);
	ctr_openmetrics_stop();
	return rc == 0 ? 0 : 3;
}
"""
CALLS = "ctr_telemetry_register(modules[0], 0)"
MESON = """\
project('app', 'c', default_options: ['c_std=gnu11'])
one = dependency('one_stats', default_options: ['port={port}', 'with={parts}'])
test('app', executable('app', 'main.c', dependencies: one), args: {args})
"""
WRAP = "[wrap-file]\ndirectory = one_stats\n\n[provide]\ndependency_names = one_stats\n"
PARTS = {"posix": ("segment", "openmetrics"), "dpdk": ("segment", "openmetrics", "telemetry")}

PACKAGES = ("ctr-runtime-segment-posix", "ctr-runtime-openmetrics-posix")


def write(folder: Path) -> None:
    """A schema and an application."""
    (folder / "one.yaml").write_text(SCHEMA.format(sync=USUAL))
    (folder / "main.c").write_text(MAIN.replace("CALLS", CALLS))


def words(port: str) -> tuple[str, ...]:
    """What the application is started with."""
    return EAL if port == "dpdk" else ()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("vendor", [True, False], ids=["vendored", "installed-ctrgen"])
def test_meson(port: str, vendor: bool, tmp_path: Path) -> None:
    write(tmp_path)
    out = tmp_path / "subprojects" / "one_stats"
    request = BuildRequest(
        str(tmp_path / "one.yaml"), str(out), vendor_runtime=vendor, only=("c", "meson"),
        parts=PARTS[port] if vendor else (),
    )  # fmt: skip
    assert build(request).exit_code == 0
    (out.parent / "one_stats.wrap").write_text(WRAP)
    parts, args = ",".join(PARTS[port]), str(list(words(port)))
    (tmp_path / "meson.build").write_text(MESON.format(port=port, parts=parts, args=args))
    succeed("meson", "setup", "build", cwd=tmp_path)
    succeed("meson", "test", "-C", "build", cwd=tmp_path)


@pytest.mark.deep
@needs("pkg-config", "cmake")
def test_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = installed(tmp_path, "posix", options=("-Dwith=segment,openmetrics",))
    monkeypatch.setenv("PKG_CONFIG_PATH", str(prefix / "lib/pkgconfig"))
    write(tmp_path)
    request = BuildRequest(str(tmp_path / "one.yaml"), str(tmp_path / "out"), only=("c", "meson"))
    assert build(request).exit_code == 0
    flags = succeed("pkg-config", "--cflags", "--libs", *PACKAGES)
    command = ["gcc", "main.c", "out/one_stats.c", "-Iout", *shlex.split(flags), "-o", "app"]
    succeed(*command, f"-Wl,-rpath,{prefix}/lib", cwd=tmp_path)
    succeed(tmp_path / "app")
    words = ("meson", "setup", "-Dwith=segment,openmetrics", "b", "out")
    text = succeed(*words, cwd=tmp_path, env=without_ctrgen(), merged=True)
    assert all(f"{package} found: YES" in text for package in PACKAGES)
    cmake(tmp_path, "posix", prefix / "lib" / "cmake" / "ctrgen", "segment,openmetrics")


@needs("pkg-config", "net-snmp-config")
@pytest.mark.parametrize("parts", ["agentx", "segment"])
def test_the_agent_is_left_out_if_no_installed_runtime_has_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: str
) -> None:
    prefix = installed(tmp_path, "posix", options=(f"-Dwith={parts}",))
    monkeypatch.setenv("PKG_CONFIG_PATH", str(prefix / "lib/pkgconfig"))
    write(tmp_path)
    only = ("c", "meson", "mib", "agentx")
    request = BuildRequest(str(tmp_path / "one.yaml"), str(tmp_path / "out"), only=only)
    assert build(request).exit_code == 0
    succeed("meson", "setup", "b", "out", cwd=tmp_path, env=without_ctrgen())
    succeed("meson", "compile", "-C", "b", cwd=tmp_path)
    assert (tmp_path / "b/libone_stats_agentx.a").exists() == (parts == "agentx")


def cmake(folder: Path, port: str, package: Path, parts: str, *more: str) -> None:
    """Build and run the application."""
    components = f"COMPONENTS {' '.join(PARTS[port])}"
    project(folder, "threads", f"PORT {port} WITH {parts}", components=components)
    write(folder)
    assert (done := configure(folder, package=package, more=more)).returncode == 0, done.stdout
    assert (done := make(folder)).returncode == 0, done.stdout
    succeed(folder / "build" / "app", *words(port))


@pytest.mark.one_in(2)
@needs("cmake")
def test_cmake(port: str, tmp_path: Path) -> None:
    write(tmp_path)
    unity = ("-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror")
    parts = {"posix": "segment WITH openmetrics", "dpdk": "segment,openmetrics WITH telemetry"}
    cmake(tmp_path, port, runtimeinfo.cmake(), parts[port], *unity)


def test_every_part_is_known_everywhere() -> None:
    options = (runtimeinfo.path() / "meson_options.txt").read_text("utf-8")
    package = (runtimeinfo.cmake() / "ctrgenConfig.cmake").read_text("utf-8")
    parts = sorted(set(runtimeinfo.PARTS) - {"agentx", "bench"})
    assert all(f"'{part}'" in options for part in parts)
    listed = package.partition("set(_ctrgen_parts ")[2].partition(" CACHE")[0]
    assert set(parts) == set(listed.split())
