# SPDX-License-Identifier: BSD-3-Clause
"""Names in C: none of DPDK's own, and none twice in the runtime."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support.paths import ROOT
from tests.support.planted import Edit

# ---- what is shipped and generated uses no name that DPDK keeps for itself ----

PRIVATE = re.compile(r"\b__(?:rte|RTE)_\w+")
FOLDERS = ("runtime/include", "runtime/src", "templates", "generated")


def private_names(files: Iterable[Path]) -> list[str]:
    """`FILE:LINE: NAME` of each use."""
    return [
        f"{path.name}:{number}: {name}"
        for path in files
        if path.suffix in (".c", ".h", ".j2")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for name in PRIVATE.findall(line)
    ]


def test_no_private_name_of_dpdk() -> None:
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.*"))]
    assert len(files) > 100
    assert private_names(files) == []


@pytest.mark.parametrize(
    "line", ["x = __RTE_QSBR_CNT_THR_OFFLINE;", "char own[8] __rte_cache_aligned;", "__rte_unused"]
)
def test_a_planted_line_is_seen(tmp_path: Path, line: str) -> None:
    path = tmp_path / "planted.j2"
    path.write_text(f"rte_lcore_id();\n{line}\n")
    (found,) = private_names([path])
    assert found.startswith("planted.j2:2: __")


# ---- sources of the runtime can be compiled as one file ----

DECLARED = (
    r"^static\b[^;={}()]*?\b(\w+)(?:\[.*\])* ?(?:CTR_\w+(?:\(.*\))?)?\s*[=;,]",
    r"^static\b[^;={}()]*?\b(\w+)\(",
    r"^\} ([a-z]\w*)(?:\[.*\])*\s*[=;,]",
    r"^[ \t]*#[ \t]*define (\w+)",
    r"^((?:struct|union|enum) \w+) \{",
)
"""How a source declares a name of its own: variables and functions in column 0, macros, types."""
ENUM = re.compile(r"^enum[^(;{]*\{(.*?)\}", re.DOTALL | re.MULTILINE)
NOISE = re.compile(r"/\*.*?\*/|__attribute__\(\(.*?\)\)|= [^,\n]*(?=,)", re.DOTALL)

PARAMETERS = ("GUARDED", "GUARDED_ONE", "GUARDED_BLOCK")
"""Macros for ctr_guarded.h, which undefines them."""


FOR_SOURCES = ("ctr_narrow_read.h",)
"""Headers that are for one C file: their names are as its own."""


def own_names(text: str) -> set[str]:
    """The names that a source has for itself; types as `struct NAME`."""
    code = NOISE.sub("", text)
    names = {name for each in DECLARED for name in re.findall(each, code, re.MULTILINE)}
    names.update(name for body in ENUM.findall(code) for name in re.findall(r"[A-Z]\w+", body))
    return names - {"_GNU_SOURCE", *PARAMETERS}


def clashes(sources: Iterable[tuple[str, str]]) -> list[str]:
    """`NAME: FILE, FILE` of each name that several sources have."""
    places: dict[str, list[str]] = {}
    for file, text in sources:
        for name in own_names(text):
            places.setdefault(name, []).append(file)
    return sorted(f"{name}: {', '.join(at)}" for name, at in places.items() if len(at) > 1)


def sources(port: str) -> list[tuple[str, str]]:
    """All that a port can be built with."""
    dpdk = runtimeinfo.DPDK_PARTS
    parts = [part for part in runtimeinfo.PARTS if port == "dpdk" or part not in dpdk]
    paths: list[Path] = runtimeinfo.sources(port, *parts)
    paths += [runtimeinfo.path() / "include" / name for name in FOR_SOURCES]
    return [(f"{path.parent.name}/{path.name}" if path.parents[1].name == "parts" else path.name,
             path.read_text("utf-8")) for path in paths]  # fmt: skip


@pytest.mark.parametrize("port", runtimeinfo.PORTS)
def test_no_name_is_in_two_sources(port: str) -> None:
    assert clashes(sources(port)) == []


@pytest.mark.parametrize(
    ("file", "edit"),
    [
        ("ctr_pi.c", Edit("", "pi_once", "forks_once")),
        ("ctr_source.c", Edit("", "went_back", "pi_take")),
        ("ctr_pi.c", Edit("", "PI_TRIES", "RECORD_TRIES")),
        ("agentx/ctr_agentx.c", Edit("", "} agent = {", "} claims = {")),
        ("ctr_narrow_read.h", Edit("", "narrow_words", "read_words")),
        ("bench/bench_traffic.c", Edit("", "LEAST_PACKETS", "WARM_MS")),
    ],
)
def test_a_planted_clash_is_seen(file: str, edit: Edit) -> None:
    edited = [
        (name, edit.applied(text) if name == file else text) for name, text in sources("dpdk")
    ]
    (found,) = clashes(edited)
    assert file in found
