# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen runtime`: one line that a compiler accepts."""

import shlex
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.findings.usage import UsageError


def test_posix_line_is_in_the_order_of_a_linker() -> None:
    words = shlex.split(runtimeinfo.line("posix", True, True, True))
    assert words[0] == f"-I{runtimeinfo.path() / 'include'}"
    assert "-DCTR_PORT_POSIX=1" in words and words[-1] == "-pthread"
    sources = [word for word in words if word.endswith(".c")]
    assert sources == [str(path) for path in runtimeinfo.sources("posix")] and sources
    assert not any("/dpdk/" in word for word in sources)


def test_paths_are_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runtimeinfo, "path", lambda: tmp_path / "a b")
    assert runtimeinfo.line("posix", True, False, False).startswith(f"'-I{tmp_path}/a b/include' ")


def test_dpdk_folders_become_system_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"--cflags": ["-I/opt/dpdk", "-include", "rte_config.h"], "--libs": ["-lrte_eal"]}
    monkeypatch.setattr(runtimeinfo, "pkg_config", lambda argument: answers[argument])
    words = runtimeinfo.cflags("dpdk")
    assert words[-4:] == ["-isystem", "/opt/dpdk", "-include", "rte_config.h"]
    assert {"-DCTR_PORT_DPDK=1", "-DALLOW_EXPERIMENTAL_API"} <= set(words)
    assert runtimeinfo.line("dpdk", False, False, True) == "-lrte_eal"


@pytest.mark.parametrize(
    ("program", "reason"),
    [("no-such-pkg-config", "is not installed"), ("false", "does not find libdpdk")],
)
def test_without_dpdk_it_says_so(
    monkeypatch: pytest.MonkeyPatch, program: str, reason: str
) -> None:
    monkeypatch.setenv("PKG_CONFIG", program)
    with pytest.raises(UsageError, match=reason) as caught:
        runtimeinfo.line("dpdk", True, True, True)
    assert "libdpdk-dev" in caught.value.hint
    assert runtimeinfo.line("dpdk", False, True, False)  # sources need no DPDK


def test_an_unknown_port() -> None:
    with pytest.raises(UsageError, match="no port 'netmap'"):
        runtimeinfo.line("netmap", True, False, False)
