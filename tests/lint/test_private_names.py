# SPDX-License-Identifier: BSD-3-Clause
"""What is shipped and generated uses no name that DPDK keeps for itself."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.paths import ROOT

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
