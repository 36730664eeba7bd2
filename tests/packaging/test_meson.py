# SPDX-License-Identifier: BSD-3-Clause
"""The generated meson.build and that of the runtime: alone, as subprojects, installed."""

from pathlib import Path

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from tests.packaging.ports import SCHEMA, counts, installed, without_ctrgen, write
from tests.support.capabilities import have_library, needs, needs_dpdk
from tests.support.process import succeed
from tests.support.strategies import USUAL

pytestmark = [pytest.mark.slow, needs("meson", "ninja")]

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


def named(module: str) -> str:
    """The schema `one` under another name."""
    return SCHEMA.format(sync=USUAL).replace("module: one", f"module: {module}")


def generate(folder: Path, module: str, vendor: bool) -> Path:
    schema = folder / f"{module}.yaml"
    schema.write_text(named(module))
    out = folder / "subprojects" / f"{module}_stats"
    parts = ("segment",) if vendor else ()
    request = BuildRequest(str(schema), str(out), vendor_runtime=vendor, parts=parts)
    assert build(request).exit_code == 0
    (folder / "subprojects" / f"{module}_stats.wrap").write_text(WRAP.format(name=out.name))
    return out


@pytest.mark.one_in(2)
@pytest.mark.parametrize("unity", ["off", "on"])
def test_two_subprojects_have_a_vendored_runtime_each(unity: str, tmp_path: Path) -> None:
    generate(tmp_path, "one", True)
    generate(tmp_path, "two", True)
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "meson.build").write_text(PARENT)
    path = without_ctrgen()
    words = ("meson", "setup", "build", f"-Dunity={unity}", "-Done_stats:werror=true")
    more = "-Done_stats:with=segment"
    succeed(*words, more, cwd=tmp_path, env=path)
    succeed("meson", "test", "-C", "build", cwd=tmp_path, env=path)


BESIDE_DPDK = """\
project('app', 'c', default_options: ['c_std=gnu11'])
one = dependency('one_stats', default_options: ['port=posix', 'beside_dpdk=true'])
executable('app', 'main.c', dependencies: [one, dependency('libdpdk')])
"""


@needs_dpdk
def test_plain_threads_beside_dpdk(tmp_path: Path) -> None:
    """Of a program with DPDK; tests/packaging/test_ports.py has those that are refused."""
    generate(tmp_path, "one", True)
    write(tmp_path, "after")
    (tmp_path / "meson.build").write_text(BESIDE_DPDK)
    succeed("meson", "setup", "build", cwd=tmp_path)
    succeed("ninja", "-C", "build", cwd=tmp_path)
    counts(tmp_path / "build" / "app", "after")


def test_without_a_runtime_it_says_what_to_do(tmp_path: Path) -> None:
    out = generate(tmp_path, "one", False)
    path = without_ctrgen()
    text = succeed("meson", "setup", tmp_path / "build", cwd=out, env=path, fails=True, merged=True)
    assert "generate again with: ctrgen build one.yaml --vendor-runtime" in " ".join(text.split())


@pytest.mark.one_in(2)
@needs("pkg-config")
def test_an_installed_runtime_is_found_by_pkg_config(
    port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PKG_CONFIG_PATH", str(installed(tmp_path, port) / "lib/pkgconfig"))
    flags = succeed("pkg-config", "--cflags", f"ctr-runtime-{port}", cwd=tmp_path)
    assert f"-DCTR_PORT_{port.upper()}=1" in flags
    out = generate(tmp_path, "one", False)
    path = without_ctrgen()
    succeed("meson", "setup", tmp_path / "build", f"-Dport={port}", cwd=out, env=path)
    succeed("ninja", "-C", tmp_path / "build", cwd=out, env=path)


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


@pytest.mark.deep
@pytest.mark.skipif(not have_library("netsnmp-agent"), reason="no libsnmp-dev")
@pytest.mark.parametrize("vendor", [True, False], ids=["vendored", "installed"])
def test_the_subagents_of_two_modules(vendor: bool, tmp_path: Path) -> None:
    only = ("c", "meson", "agentx")
    for number, module in enumerate(("one", "two"), 1):
        schema = tmp_path / f"{module}.yaml"
        schema.write_text(named(module) + f"snmp: {{arc: [{number}]}}\n")
        out = tmp_path / "subprojects" / f"{module}_stats"
        request = BuildRequest(str(schema), str(out), vendor_runtime=vendor, only=only)
        assert build(request).exit_code == 0
        names = f"{out.name}, {out.name}_agentx"
        (out.parent / f"{out.name}.wrap").write_text(
            WRAP.format(name=out.name).replace(f"names = {out.name}", f"names = {names}")
        )
    (tmp_path / "main.c").write_text(AGENT)
    (tmp_path / "meson.build").write_text(AGENT_PARENT)
    path = without_ctrgen() if vendor else None
    succeed("meson", "setup", "build", cwd=tmp_path, env=path)
    succeed("meson", "test", "-C", "build", cwd=tmp_path, env=path)


def test_an_agent_that_was_not_generated_is_missed(tmp_path: Path) -> None:
    out = generate(tmp_path, "one", True)
    text = succeed("meson", "setup", "build", "-Dagentx=enabled", cwd=out, fails=True, merged=True)
    assert "generate it with the backend agentx as well" in text
    succeed("meson", "setup", "again", cwd=out)
