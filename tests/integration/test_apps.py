# SPDX-License-Identifier: BSD-3-Clause
"""The example applications: built on both ports, run, and compared with an independent count."""

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType
from typing import Any

import pytest

from tests.integration.apps import (
    CAPTURE,
    WITHOUT_DPDK,
    compile_app,
    ep_command,
    generate,
    run,
    succeed,
)
from tests.support import process
from tests.support.capabilities import needs, needs_dpdk
from tests.support.paths import APPS, SCHEMAS, example
from tests.support.strategies import LOSSY, STRATEGIES, UNLIKE, promise, usually

pytestmark = pytest.mark.slow


def load(name: str) -> ModuleType:
    """A script of the Example Protocol application, as a module."""
    spec = importlib.util.spec_from_file_location(name, APPS / "ep" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """The independent count of the capture."""
    counted: dict[str, Any] = load("count").count(CAPTURE.read_bytes())
    return counted


def test_capture_holds_what_a_classifier_must_tell_apart(expected: dict[str, Any]) -> None:
    """Thousands of packets of hundreds of sessions, and every kind of noise."""
    assert 200_000 < CAPTURE.stat().st_size < 600_000
    assert expected["total_pkts"] == 1753
    assert expected["total_bytes"] == 275096
    assert expected["ignored"] == {"other": 102, "malformed": 54, "unknown_session": 24}
    assert len(expected["session"]) == 260
    assert {"0", "999"} <= set(expected["session"])
    assert 0 < expected["sessions"] < len(expected["session"])


def test_independent_count_refuses_what_it_does_not_understand() -> None:
    """A count that skips what it cannot read would agree with anything."""
    count = load("count").count
    capture = CAPTURE.read_bytes()
    with pytest.raises(ValueError, match="not a pcap file"):
        count(b"\x0a\x0d\x0d\x0a" + capture[4:])
    with pytest.raises(ValueError, match="cut short"):
        count(capture[:32] + b"\x01\0\0\0" + capture[36:])


@pytest.mark.one_in(3)
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("strategy", usually([s for s in STRATEGIES if s not in LOSSY], UNLIKE))
def test_ep_counts_the_capture(strategy: str, tmp_path: Path, expected: dict[str, Any]) -> None:
    """Every value is that of the independent count; nothing is lost in resets under traffic."""
    binary = compile_app("ep", "dpdk", generate("ep", tmp_path, strategy))
    shutil.copy(CAPTURE, tmp_path)
    text = succeed(*ep_command(binary), cwd=tmp_path)
    assert json.loads((tmp_path / "counted.json").read_text()) == expected
    assert f"({strategy})" in text
    assert "Read and reset 200 times while 2 worker lcores counted" in text
    assert "Every count is right." in text
    assert ("lcore     1" in text) == (promise(strategy, "instances") == "lcores")


def test_upf_refuses_a_strategy_that_loses_counts(tmp_path: Path) -> None:
    """Its schema requires exact counts, and says so where `sync` is."""
    schema = example("upf")
    done = run("ctrgen", "build", schema, "--sync", LOSSY[0], "-o", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "upf.yaml" in done.stdout and f"'{LOSSY[0]}' does not meet 'exact'" in done.stdout
    assert not (tmp_path / "out").exists()


def demo(*options: str, env: process.Environment | None = None) -> CompletedProcess[str]:
    """Run the demonstration, from a folder that is not the project's."""
    command = (sys.executable, APPS / "ep" / "demo.py", *options)
    return process.run(*command, cwd=Path("/"), env=env, timeout=300, merged=True)


def files() -> set[Path]:
    """All files below schemas/, but for what Python caches."""
    return {path for path in SCHEMAS.rglob("*") if "__pycache__" not in path.parts}


@pytest.mark.deep
@pytest.mark.dpdk
@needs_dpdk
def test_demo_changes_strategy_by_one_line(tmp_path: Path, expected: dict[str, Any]) -> None:
    """Two strategies, one main.c, the same values as the independent count; a clean checkout."""
    before = files()
    done = demo("--work", str(tmp_path / "work"))
    assert done.returncode == 0, done.stdout
    assert f"- sync: {UNLIKE[0]}\n    + sync: {UNLIKE[1]}" in done.stdout
    line = f"{expected['total_pkts']} packets, {expected['total_bytes']} bytes"
    summary = done.stdout.split("=== The same main.c, the same values")[1]
    assert summary.count(line) == 3
    assert (tmp_path / "work" / "main.c").read_bytes() == (APPS / "ep" / "main.c").read_bytes()
    assert files() == before


def test_demo_without_dpdk() -> None:
    """It says that DPDK is missing, and shows the same with threads."""
    done = demo(env=WITHOUT_DPDK)
    assert done.returncode == 0, done.stdout
    assert "DPDK (libdpdk-dev 22.11 or later) is not installed" in done.stdout
    assert done.stdout.count("Every count is right.") == 2
    assert "=== The same main.c, the same values" in done.stdout


def test_demo_fails_when_values_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal totals are what it is there to prove."""
    module = load("demo")
    runs = iter(["  forwarded 1", "  forwarded 2"])
    monkeypatch.setenv("PATH", process.environment()["PATH"])
    monkeypatch.setattr(module.RouterOnPosix, "once", lambda self, demo: next(runs))
    with pytest.raises(SystemExit, match=f"under {UNLIKE[1]} the values are not as expected"):
        module.RouterOnPosix().all(module.Demo(tmp_path, "cc"), list(UNLIKE[:2]))


@pytest.mark.one_in(3)
@needs("meson", "ninja")
@pytest.mark.parametrize(
    ("app", "port"),
    [
        pytest.param("ep", "dpdk", marks=(pytest.mark.dpdk, needs_dpdk)),
        pytest.param("upf", "dpdk", marks=(pytest.mark.dpdk, needs_dpdk)),
        ("router", "posix"),
    ],
)
def test_meson_project(app: str, port: str, tmp_path: Path) -> None:
    """meson.build of the application takes the generated folder as a subproject."""
    for folder in (app, "common"):
        shutil.copytree(APPS / folder, tmp_path / folder)
    work = tmp_path / app
    generated = work / "subprojects" / f"{app}_stats"
    succeed("ctrgen", "build", example(app), "-o", generated, cwd=work)
    option = [] if app == "ep" else [f"-Dport={port}"]
    succeed("meson", "setup", "build", "--werror", *option, cwd=work)
    succeed("meson", "compile", "-C", "build", cwd=work)
    binary = work / "build" / f"{app}-app"
    command = ep_command(binary) if app == "ep" else [binary]
    assert "Every count is right." in succeed(*command, cwd=work)
