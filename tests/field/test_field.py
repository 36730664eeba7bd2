# SPDX-License-Identifier: BSD-3-Clause
"""An example of DPDK, ported by patches: these apply, and the port counts what ethdev counts."""

import collections
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agentx.lab import Master
from tests.agentx.snmp import Oid
from tests.field import ports, runs, sources
from tests.field.ports import StalePatchError
from tests.field.runs import Run
from tests.support.capabilities import needs, needs_agentx, needs_dpdk
from tests.support.process import until
from tests.telemetry.lab import Asker

pytestmark = [needs_dpdk, needs("spatch"), pytest.mark.dpdk]

ROW: Oid = (1, 3, 6, 1, 4, 1, 32473, 1, 1, 2, 1)
"""l2fwdPortEntry, as l2fwd_stats.ctrgen.lock has it."""
PATCHES = ports.HERE / "l2fwd" / "port.cocci"
COLUMNS = {2: "tx", 3: "rx", 4: "dropped"}


def test_every_rule_changes_something(examples: Path, tmp_path: Path) -> None:
    source = ports.patched(examples, tmp_path / "port")
    text = "".join(path.read_text("utf-8") for path in source.glob("*.c"))
    assert "l2fwd_stats_init()" in text


def test_rules_have_names_of_their_own() -> None:
    text = PATCHES.read_text("utf-8")
    assert len(ports.rules(text)) == len(re.findall(r"(?m)^@.*\w.*@$", text)) > 0


def test_a_stale_rule_is_named(examples: Path, tmp_path: Path) -> None:
    """Another DPDK: what a rule looks for is written otherwise there."""
    other = tmp_path / "examples"
    for name in (ports.APP, ports.COMMON):
        shutil.copytree(examples / name, other / name)
    main = other / "l2fwd" / "main.c"
    text = main.read_text("utf-8")
    assert "port_statistics[portid].rx += nb_rx;" in text
    main.write_text(text.replace("port_statistics[portid].rx += nb_rx;", "count(portid, nb_rx);"))
    nothing = r"^port\.cocci: rule received changes nothing"
    with pytest.raises(StalePatchError, match=nothing):
        ports.patched(other, tmp_path / "port")


def test_a_rule_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    patches = tmp_path / "port.cocci"
    patches.write_text("@ broken @\nexpression e\n@@\n-e\n")
    with pytest.raises(StalePatchError, match=r"^port\.cocci: rule broken: "):
        ports.apply(patches, tmp_path)


# ---- where the source comes from ----


def test_sources_of_both_forms(tmp_path: Path) -> None:
    """What apt is told of sources is what the system has of packages."""
    more = tmp_path / "sources.list.d"
    more.mkdir()
    (tmp_path / "sources.list").write_text(
        "# deb no\ndeb [a=b] http://x bookworm main\ndeb-src http://y z\n"
    )
    (more / "one.sources").write_text(
        "Types: deb deb-src\nURIs: http://x\nSuites: a\n\nTypes: deb\nURIs: http://y\n"
    )
    found = sources.sources(tmp_path)
    assert found["sources.list"] == "deb-src [a=b] http://x bookworm main\n"
    assert found["one.sources"].count("Types: deb-src\n") == 2
    assert "Types: deb\n" not in found["one.sources"]


# ---- counts ----


@pytest.fixture(scope="module")
def l2fwd(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The port, of which all can be read."""
    return ports.build(examples, tmp_path_factory.mktemp("field"))


@pytest.fixture
def forwarding(l2fwd: Path, tmp_path: Path) -> Iterator[Run]:
    """It runs on two lcores, from a port that is always ready to a ring that is full, and back."""
    with Run(l2fwd, runs.arguments(2, "net_ring"), tmp_path) as found:
        found.wait()
        yield found


def test_resets_under_load_lose_nothing(forwarding: Run) -> None:
    """A hundred resets while packets are counted: what was taken and what is left is what ethdev
    counted, to the packet."""
    unequal, packets = runs.check(forwarding)
    assert unequal == []
    assert packets > 0
    counters = forwarding.counters()
    assert counters["port.rx"] > 100_000
    wrong = {**counters, "port.rx": counters["port.rx"] - 1}
    assert len(runs.differences(wrong, forwarding.devices())) == 1
    assert forwarding.finish() == 0


def asked(forwarding: Run) -> dict[str, int]:
    """What telemetry replies."""
    base = "/var/run" if os.geteuid() == 0 else os.environ.get("XDG_RUNTIME_DIR") or "/tmp"
    asker = Asker(Path(base) / "dpdk" / forwarding.prefix / "dpdk_telemetry.v2")
    found: collections.Counter[str] = collections.Counter()
    for name, value in asker.whole("/l2fwd/stats", "port").items():
        found[name.rpartition("/")[2]] += value
    asker.close()
    return found


def managed(master: Master) -> dict[str, int]:
    """What managers are told: columns of the table, summed up over its rows."""
    found: collections.Counter[str] = collections.Counter()
    for bind in master.manager.walk(ROW):
        name = COLUMNS.get(bind.name[len(ROW)])
        if name:
            assert isinstance(bind.value, int)
            found[name] += bind.value
    return found


@needs_agentx
def test_everyone_reads_while_packets_run(forwarding: Run, tmp_path: Path) -> None:
    """Telemetry and SNMP: between what the program says before and afterwards."""
    master = Master(tmp_path)
    try:
        until(lambda: all(forwarding.counters().values()))
        assert forwarding.do(f"agent {master.socket}") == ["0"]
        master.wait((*ROW, min(COLUMNS), 1), 60)
        for reader in (lambda: asked(forwarding), lambda: managed(master)):
            before = forwarding.counters()
            told = reader()
            after = forwarding.counters()
            for name in COLUMNS.values():
                assert 0 < before[f"port.{name}"] <= told[name] <= after[f"port.{name}"], name
    finally:
        master.stop()


@pytest.mark.deep
@pytest.mark.parametrize("workers", runs.WORKERS)
def test_the_port_counts_what_ethdev_counts(l2fwd: Path, tmp_path: Path, workers: int) -> None:
    with Run(l2fwd, runs.arguments(workers), tmp_path) as found:
        found.wait()
        unequal, packets = runs.check(found)
        assert unequal == []
        assert packets > 0


@pytest.mark.deep
def test_a_port_that_miscounts_is_seen(
    examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "field"
    shutil.copytree(ports.HERE, here)
    patches = here / "l2fwd" / "port.cocci"
    text = patches.read_text("utf-8")
    assert "add_rx(port, n)" in text
    patches.write_text(text.replace("add_rx(port, n)", "add_rx(port, n - 1)"), "utf-8")
    monkeypatch.setattr(ports, "HERE", here)
    with Run(ports.build(examples, tmp_path), runs.arguments(1), tmp_path) as found:
        found.wait()
        unequal, _ = runs.check(found)
    assert [text.split(":")[0] for text in unequal] == ["received"]
