# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose index is an enumeration, as snmpwalk shows them with the MIB module at hand."""

from collections.abc import Iterator

import pytest

from tests.agentx import lab
from tests.agentx.snmp import GET, NO_INSTANCE, Oid
from tests.agentx.test_keys import tool
from tests.support.capabilities import needs, needs_agentx

pytestmark = [needs("snmpwalk"), needs_agentx]

DROP: Oid = (1, 3, 6, 1, 4, 1, 32473, 7, 1, 2, 1)
RING: Oid = (1, 3, 6, 1, 4, 1, 32473, 7, 1, 7, 1)


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[lab.Master]:
    folder = tmp_path_factory.mktemp("labels")
    with lab.serving(folder, "labels", (*DROP, 2, 1)) as (found, _):
        yield found


def walk(master: lab.Master, name: str) -> list[str]:
    """What snmpwalk prints of a column."""
    return tool(master, "snmpwalk", name, module="AGL-STATS-MIB")


def test_one_list(master: lab.Master) -> None:
    assert walk(master, "aglDropPkts") == [
        "aglDropPkts.vlan = Counter64: 10 packets",
        "aglDropPkts.ttlExpired = Counter64: 20 packets",
        "aglDropPkts.default = Counter64: 30 packets",
    ]


def test_two_dimensions(master: lab.Master) -> None:
    assert walk(master, "aglFaultPkts") == [
        f"aglFaultPkts.{port + 1}.{reason}.{direction} = "
        f"Counter64: {100 * port + 10 * r + d} packets"
        for port in (0, 1)
        for r, reason in enumerate(("crc", "short"))
        for d, direction in enumerate(("in", "out"))
    ]


def test_an_index_without_a_table(master: lab.Master) -> None:
    assert walk(master, "aglLanePkts") == [
        "aglLanePkts.1.1 = Counter64: 0 packets",
        "aglLanePkts.1.2 = Counter64: 7 packets",
        "aglLanePkts.2.1 = Counter64: 0 packets",
        "aglLanePkts.2.2 = Counter64: 8 packets",
    ]


def test_a_time_is_shown_as_uptime(master: lab.Master) -> None:
    found = dict(line.split(" = Timeticks: (") for line in walk(master, "aglLaneLast"))
    ticks = {row: int(text.partition(")")[0]) for row, text in found.items()}
    assert 0 < ticks.pop("aglLaneLast.2.1") < 100 * 3600
    assert set(ticks.values()) == {0}, "what was never touched"
    assert f"aglLaneId.2.1 = Counter64: {2**64 - 2}" in walk(master, "aglLaneId")


def test_peaks_are_shown_as_gauges(master: lab.Master) -> None:
    (depth,) = (line for line in walk(master, "aglLaneDepth") if "Depth.2.1" in line)
    assert depth == "aglLaneDepth.2.1 = Gauge32: 4 packets"
    assert "aglLaneDeepest.2.1 = Gauge32: 9 packets" in walk(master, "aglLaneDeepest")
    burst = walk(master, "aglLaneBurst")
    assert f"aglLaneBurst.2.1 = Counter64: {2**64 - 4} packets" in burst
    assert "aglLaneBurst.1.1 = Counter64: 0 packets" in burst
    gap = walk(master, "aglLaneGap")
    assert "aglLaneGap.2.1 = Counter64: 250 ns" in gap
    assert f"aglLaneGap.1.1 = Counter64: {2**64 - 1} ns" in gap


def test_rows_inside_of_augmented_ones(master: lab.Master) -> None:
    assert walk(master, "aglNicPkts") == [
        "aglNicPkts.1 = Counter64: 0 packets",
        "aglNicPkts.2 = Counter64: 5 packets",
    ]
    assert walk(master, "aglRingPkts") == [
        "aglRingPkts.1.1 = Counter64: 0 packets",
        "aglRingPkts.1.2 = Counter64: 0 packets",
        "aglRingPkts.2.1 = Counter64: 6 packets",
        "aglRingPkts.2.2 = Counter64: 0 packets",
    ]


def test_an_enumeration_that_was_never_set_has_no_instance(master: lab.Master) -> None:
    """RFC 2578, 7.1.1: only the named numbers may be present as a value."""
    assert walk(master, "aglRingMode") == [
        "aglRingMode.1.2 = INTEGER: waiting(2)",
        "aglRingMode.2.2 = INTEGER: polling(1)",
    ]
    mode = (*RING, 3)
    for row, expected in (((1, 1), NO_INSTANCE), ((1, 2), None), ((2, 1), NO_INSTANCE)):
        _, (bind,) = master.manager.ask(GET, [(*mode, *row)])
        assert (bind.tag == NO_INSTANCE) == (expected == NO_INSTANCE)


def test_a_label_whose_value_is_0_is_there_from_the_start(master: lab.Master) -> None:
    assert walk(master, "aglRingPower") == [
        "aglRingPower.1.1 = INTEGER: down(0)",
        "aglRingPower.1.2 = INTEGER: down(0)",
        "aglRingPower.2.1 = INTEGER: down(0)",
        "aglRingPower.2.2 = INTEGER: up(1)",
    ]


def test_a_walk_goes_on_behind_what_is_missing(master: lab.Master) -> None:
    """Through the whole row, holes and all: each column after the other, each row once."""
    found = [line.partition(" = ")[0] for line in walk(master, "aglRingTable")]
    rows = ("1.1", "1.2", "2.1", "2.2")
    columns = {"Pkts": rows, "Mode": ("1.2", "2.2"), "Power": rows, "Age": rows}
    columns["DiscontinuityTime"] = rows
    assert found == [f"aglRing{name}.{row}" for name, some in columns.items() for row in some]
