# SPDX-License-Identifier: BSD-3-Clause
"""The generated meson.build and that of the runtime: alone, as subprojects, installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("meson") and shutil.which("ninja")), reason="no meson or ninja"
    ),
]

SCHEMA = """\
ctrgen: 1
module: {module}
scopes:
  global:
    counters:
      pkts: {{unit: packets, description: Packets processed.}}
"""

MAIN = """\
#include "one_stats.h"
#include "two_stats.h"

int main(void)
{
	if (one_stats_init() != 0 || two_stats_init() != 0)
		return 1;
	one_stats_inc_pkts();
	two_stats_add_pkts(2);
	return one_stats_get_pkts() == 1 && two_stats_get_pkts() == 2 ? 0 : 2;
}
"""

PARENT = """\
project('app', 'c', default_options: ['werror=true', 'c_std=gnu11'])
app = executable('app', 'main.c', dependencies: [dependency('one_stats'), dependency('two_stats')])
test('app', app)
"""

WRAP = "[wrap-file]\ndirectory = {name}\n\n[provide]\ndependency_names = {name}\n"


def run(*command: str | Path, cwd: Path, path: str | None = None, fails: bool = False) -> str:
    environment = {**os.environ, **({"PATH": path} if path else {})}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert (done.returncode != 0) is fails, done.stdout
    return done.stdout


def generate(folder: Path, module: str, vendor: bool) -> Path:
    schema = folder / f"{module}.yaml"
    schema.write_text(SCHEMA.format(module=module))
    out = folder / "subprojects" / f"{module}_stats"
    assert build(BuildRequest(str(schema), str(out), vendor_runtime=vendor)).exit_code == 0
    (folder / "subprojects" / f"{module}_stats.wrap").write_text(WRAP.format(name=out.name))
    return out


def path_without_ctrgen() -> str:
    """The PATH without the folders that hold a ctrgen; skips when meson goes with them."""
    folders = os.environ["PATH"].split(os.pathsep)
    path = os.pathsep.join(f for f in folders if not (Path(f) / "ctrgen").exists())
    if not (shutil.which("meson", path=path) and shutil.which("ninja", path=path)):
        pytest.skip("meson and ctrgen are in the same folder")
    return path


def test_two_modules_as_subprojects_share_a_vendored_runtime(tmp_path: Path) -> None:
    generate(tmp_path, "one", True)
    generate(tmp_path, "two", True)
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "meson.build").write_text(PARENT)
    path = path_without_ctrgen()
    text = run("meson", "setup", "build", cwd=tmp_path, path=path)
    assert text.count("shared with another module") == 1
    run("meson", "test", "-C", "build", cwd=tmp_path, path=path)


def test_the_runtime_of_an_installed_ctrgen_is_found(tmp_path: Path) -> None:
    if shutil.which("ctrgen") is None:
        pytest.skip("ctrgen is not on the PATH")
    out = generate(tmp_path, "one", False)
    run("meson", "setup", tmp_path / "build", cwd=out)
    run("ninja", "-C", tmp_path / "build", cwd=out)


def test_without_a_runtime_it_says_what_to_do(tmp_path: Path) -> None:
    out = generate(tmp_path, "one", False)
    path = path_without_ctrgen()
    text = run("meson", "setup", tmp_path / "build", cwd=out, path=path, fails=True)
    assert "generate again with: ctrgen build one.yaml --vendor-runtime" in text


@pytest.mark.parametrize("port", runtimeinfo.PORTS)
def test_an_installed_runtime_is_found_by_pkg_config(
    port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pkg_config = shutil.which("pkg-config")
    if pkg_config is None:
        pytest.skip("no pkg-config")
    if port == "dpdk" and subprocess.run([pkg_config, "--exists", "libdpdk"]).returncode:
        pytest.skip("no libdpdk")
    source, prefix = tmp_path / "runtime", tmp_path / "prefix"
    shutil.copytree(runtimeinfo.path(), source)
    setup = ("meson", "setup", "build", f"-Dport={port}", "-Dwerror=true")
    run(*setup, f"--prefix={prefix}", "--libdir=lib", cwd=source)
    run("meson", "install", "-C", "build", cwd=source)
    monkeypatch.setenv("PKG_CONFIG_PATH", str(prefix / "lib/pkgconfig"))
    flags = run("pkg-config", "--cflags", f"ctr-runtime-{port}", cwd=tmp_path)
    assert f"-DCTR_PORT_{port.upper()}=1" in flags
    out = generate(tmp_path, "one", False)
    path = path_without_ctrgen()
    run("meson", "setup", tmp_path / "build", f"-Dport={port}", cwd=out, path=path)
    run("ninja", "-C", tmp_path / "build", cwd=out, path=path)


AGENT = """\
#include <stdio.h>

#include "one_stats_agentx.h"
#include "two_stats_agentx.h"

int main(int argc, char **argv)
{
	static const struct ctr_agentx_module *const all[] = { &one_stats_agentx, &two_stats_agentx };

	if (one_stats_init() != 0 || two_stats_init() != 0)
		return 1;
	if (ctr_agentx_start(all, 2, argc > 1 ? argv[1] : "unix:nobody.sock") != 0)
		return 2;
	ctr_agentx_stop();
	return 0;
}
"""

AGENT_PARENT = """\
project('app', 'c', default_options: ['werror=true', 'c_std=gnu11'])
app = executable('app', 'main.c',
  dependencies: [dependency('one_stats_agentx'), dependency('two_stats_agentx')])
test('app', app)
"""


def have_netsnmp() -> bool:
    pkg_config = shutil.which("pkg-config")
    return (
        pkg_config is not None
        and not subprocess.run([pkg_config, "--exists", "netsnmp-agent"], check=False).returncode
    )


@pytest.mark.skipif(not have_netsnmp(), reason="no libsnmp-dev")
@pytest.mark.parametrize("vendor", [True, False], ids=["vendored", "installed"])
def test_the_subagents_of_two_modules(vendor: bool, tmp_path: Path) -> None:
    if not vendor and shutil.which("ctrgen") is None:
        pytest.skip("ctrgen is not on the PATH")
    only = ("c", "meson", "agentx")
    for number, module in enumerate(("one", "two"), 1):
        schema = tmp_path / f"{module}.yaml"
        schema.write_text(SCHEMA.format(module=module) + f"snmp: {{arc: [{number}]}}\n")
        out = tmp_path / "subprojects" / f"{module}_stats"
        request = BuildRequest(str(schema), str(out), vendor_runtime=vendor, only=only)
        assert build(request).exit_code == 0
        names = f"{out.name}, {out.name}_agentx"
        (out.parent / f"{out.name}.wrap").write_text(
            WRAP.format(name=out.name).replace(f"names = {out.name}", f"names = {names}")
        )
    (tmp_path / "main.c").write_text(AGENT)
    (tmp_path / "meson.build").write_text(AGENT_PARENT)
    path = path_without_ctrgen() if vendor else None
    run("meson", "setup", "build", cwd=tmp_path, path=path)
    run("meson", "test", "-C", "build", cwd=tmp_path, path=path)


def test_an_agent_that_was_not_generated_is_missed(tmp_path: Path) -> None:
    out = generate(tmp_path, "one", True)
    text = run("meson", "setup", "build", "-Dagentx=enabled", cwd=out, fails=True)
    assert "generate it with the backend agentx as well" in text
    run("meson", "setup", "again", cwd=out)
