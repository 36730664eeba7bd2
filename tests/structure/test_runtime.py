# SPDX-License-Identifier: BSD-3-Clause
"""The rooms of runtime/: the core knows no strategy, no part and no port, and no files need each
other in a circle."""

import re

import pytest

from ctrgen.backends import runtimeinfo
from tests.structure import runtime
from tests.support.capabilities import have_library, needs
from tests.support.cbuild import QUICK, Build

pytestmark = [pytest.mark.slow, needs("gcc", "nm")]

PARTS = [part for part in runtimeinfo.PARTS if part not in runtimeinfo.DPDK_PARTS]
STRATEGIES = re.compile(r"ctr_(held|narrow|pi|ring|wb)\.h")
"""The headers of strategies."""
OF_PARTS = re.compile(r"ctr_(agentx|bench|segment|telemetry|watch)\w*\.h")
OF_PORTS = re.compile(r"ctr_\w+_(posix|dpdk)\.h")
BEHIND = ("ctr_port.h",)
"""The header of the core behind which a port is."""


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> tuple[runtime.Needs, dict[str, str]]:
    """What objects need of each other, and the room of each."""
    folder = tmp_path_factory.mktemp("objects")
    parts = (part for part in PARTS if part != "agentx" or have_library("netsnmp-agent"))
    found = runtime.compiled(Build(parts=tuple(parts), flags=QUICK[:2]), folder)
    return runtime.needs(folder), {name: runtime.room(path) for name, path in found.items()}


def test_no_files_need_each_other_in_a_circle(
    objects: tuple[runtime.Needs, dict[str, str]],
) -> None:
    assert runtime.circles(objects[0]) == []


def test_references_run_one_way(objects: tuple[runtime.Needs, dict[str, str]]) -> None:
    """Strategies and parts know the core, part `xdp` a strategy; the core has its port by the
    functions of its headers."""
    crossings = runtime.crossings(*objects)
    allowed = {(above, below) for above in ("parts", "strategies") for below in ("core", "port")}
    allowed |= {("core", "port"), ("port", "core"), ("parts", "strategies")}
    assert crossings.keys() <= allowed, crossings
    assert all(name.startswith("ctr_xdp") for name in crossings["parts", "strategies"])


def test_the_core_includes_no_strategy_and_no_part() -> None:
    include = runtimeinfo.path() / "include"
    for source in runtimeinfo.room_sources("core"):
        names = set(runtime.included(source, (include, source.parent)))
        wrong = [name for name in names if STRATEGIES.fullmatch(name) or OF_PARTS.fullmatch(name)]
        assert not wrong, f"{source.name}: {wrong}"


def test_the_core_has_its_port_behind_one_header() -> None:
    include = runtimeinfo.path() / "include"
    headers = {*runtime.included(runtimeinfo.room_sources("core")[0], (include,))}
    of_core = [include / name for name in headers if name not in BEHIND]
    for path in (*runtimeinfo.room_sources("core"), *of_core):
        if OF_PORTS.fullmatch(path.name):
            continue
        text = path.read_text("utf-8")
        named = [name for name in re.findall(r'^#include "(.*)"$', text, re.MULTILINE)
                 if OF_PORTS.fullmatch(name)]  # fmt: skip
        assert not named and "CTR_PORT_DPDK" not in text, path.name


def test_circles_and_crossings_are_found() -> None:
    graph = {"a": {"b": "f"}, "b": {"c": "g"}, "c": {"b": "h"}, "d": {"a": "i"}}
    assert runtime.circles(graph) == [["b", "c"]]
    rooms = {"a": "core", "b": "core", "c": "parts", "d": "parts"}
    found = runtime.crossings(graph, rooms)
    assert found == {
        ("core", "parts"): ["b: g"], ("parts", "core"): ["c: h", "d: i"]
    }  # fmt: skip
