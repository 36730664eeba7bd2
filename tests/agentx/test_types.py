# SPDX-License-Identifier: BSD-3-Clause
"""Values whose SMI type differs from the type in C: addresses, dates, numbers with bounds."""

import datetime
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import GAUGE32, GET, INTEGER, IPADDRESS, NAME, OCTETS, Bind, Oid
from tests.support import smi_tools
from tests.support.capabilities import needs_agentx
from tests.support.cbuild import SANITIZED
from tests.support.planted import Edit, planted

pytestmark = needs_agentx

SCALARS: Oid = (1, 3, 6, 1, 4, 1, 32473, 9, 1, 1)
AGENT = "runtime/src/parts/agentx"
ADDRESS = bytes((192, 0, 2, 200))


def value(master: lab.Master, name: str) -> Bind:
    """The value of an object by its name in the module, such as `agtStatsSeen`."""
    text = (master.folder / "out" / "AGT-STATS-MIB.txt").read_text("ascii")
    place = text.partition(f"\n{name} OBJECT-TYPE")[2].partition("::= { agtStatsScalars ")[2]
    status, (bind,) = master.manager.ask(GET, [(*SCALARS, int(place.split()[0]), 0)])
    assert status == 0
    return bind


def now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)


BEGAN = now()
"""Before the application has."""


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[lab.Master]:
    folder = tmp_path_factory.mktemp("types")
    with lab.serving(folder, "types", (*SCALARS, 1, 0), flags=SANITIZED) as (found, _):
        yield found


def year_of(bind: Bind) -> bool:
    """Whether a date is of this year, or of the one before on the first day."""
    assert isinstance(bind.value, bytes)
    return abs(int.from_bytes(bind.value[:2], "big") - now().year) <= 1


@pytest.mark.parametrize(
    ("name", "tag", "wanted"),
    [
        ("agtStatsAddressType", INTEGER, 1),
        ("agtStatsAddress", OCTETS, ADDRESS),
        ("agtStatsPlain", IPADDRESS, ADDRESS),
        ("agtStatsNamed", IPADDRESS, ADDRESS),
        ("agtStatsForeign", IPADDRESS, ADDRESS),
        ("agtStatsModel", NAME, (1, 3, 6, 1, 4, 1, 32473, 2**32 - 1)),
        ("agtStatsMaker", NAME, (2, 999, 0)),
        ("agtStatsNobody", NAME, (0, 0)),
        ("agtStatsWrong", NAME, (0, 0)),
        ("agtStatsBeyond", NAME, (0, 0)),
        ("agtStatsStatus", INTEGER, 1),
        ("agtStatsSource", NAME, (1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 3)),
        ("agtStatsTaken", INTEGER, 7),
        ("agtStatsDelay", INTEGER, 2**31 - 1),
        ("agtStatsDoor", GAUGE32, 8080),
        ("agtStatsRemoteType", INTEGER, 2),
        ("agtStatsRemote", OCTETS, bytes.fromhex("20010db8") + bytes(11) + b"\x01"),
        ("agtStatsNever", OCTETS, bytes(8)),
        ("agtStatsCold", INTEGER, -40),
        ("agtStatsWarm", INTEGER, 120),
        ("agtStatsLeast", INTEGER, -(2**31)),
        ("agtStatsShare", GAUGE32, 1),
        ("agtStatsPart", GAUGE32, 100),
        ("agtStatsLoad", GAUGE32, 100),
    ],
)
def test_values_are_of_their_types(master: lab.Master, name: str, tag: int, wanted: object) -> None:
    bind = value(master, name)
    assert (bind.tag, bind.value) == (tag, wanted)


def test_a_time_is_that_of_the_calendar(master: lab.Master) -> None:
    """Three clocks are read one after the other: a second is far more than they are apart."""
    bind = value(master, "agtStatsSeen")
    assert bind.tag == OCTETS and isinstance(bind.value, bytes) and len(bind.value) == 11
    year, month, day, hour, minute, second, tenths = (
        int.from_bytes(bind.value[:2], "big"), *bind.value[2:8],
    )  # fmt: skip
    seen = datetime.datetime(
        year, month, day, hour, minute, second, tenths * 100000, datetime.timezone.utc
    )
    slack = datetime.timedelta(seconds=1)
    assert BEGAN - slack <= seen <= now() + slack
    assert bind.value[8:] == b"+\0\0"
    assert {value(master, "agtStatsSeen").value for _ in range(200)} == {bind.value}


def test_the_module_is_clean(master: lab.Master) -> None:
    smi_tools.needs("smilint", modules=("INET-ADDRESS-MIB",))
    found = smi_tools.smilint(master.folder / "out" / "AGT-STATS-MIB.txt").splitlines()
    assert [line for line in found if not re.search("Other|OTHER|Source", line)] == []


VALUE = f"{AGENT}/ctr_agentx_value.c"
CLAMPED = "CTR_FORM_SIGNED && (int32_t)raw < (int32_t)v->low)"
UNCLAMPED = "CTR_FORM_SIGNED && false)"
FAMILY = 'part("family"), number, '
BUGS: dict[str, tuple[Edit, str, Callable[[Bind], bool]]] = {
    "a-monotonic-clock-is-shown": (
        Edit(VALUE, "wall_zero() + when_ns", "wall_zero() * 0 + when_ns"), "agtStatsSeen", year_of,
    ),
    "never-has-a-date": (
        Edit(VALUE, "when_ns == 0 || ", ""), "agtStatsNever", lambda bind: bind.value == bytes(8),
    ),
    "below-the-least-number": (
        Edit("runtime/src/core/values.c", CLAMPED, UNCLAMPED),
        "agtStatsCold", lambda bind: bind.value == -40,
    ),
    "ipv4-is-ipv6": (
        Edit("generator/backends/agentx.py", f"{FAMILY}item.type.upper()", f'{FAMILY}"IPV6"'),
        "agtStatsAddressType", lambda bind: bind.value == 1,
    ),
}  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("bug", sorted(BUGS))
def test_a_planted_bug_is_seen(bug: str, master: lab.Master, tmp_path: Path) -> None:
    edit, name, right = BUGS[bug]
    assert right(value(master, name))
    tree = planted(tmp_path, [edit])
    with lab.serving(tmp_path, "types", (*SCALARS, 1, 0), tree=tree) as (wrong, _):
        assert not right(value(wrong, name))
