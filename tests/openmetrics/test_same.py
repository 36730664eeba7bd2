# SPDX-License-Identifier: BSD-3-Clause
"""The process itself serves what `ctrgen export` has of it: item by item, in both formats."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import Metric

from ctrgen.tools.live.metrics import OPENMETRICS as TYPE
from ctrgen.tools.live.metrics import PLAIN, Applications
from ctrgen.tools.live.targets import Targets
from tests.openmetrics.lab import OPENMETRICS, Answer, Serving, program, serving
from tests.support.cbuild import Workshop

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]
OWN = "ctrgen_"
TIMES = ("_created", "all_seen")
FRESH, STEP = 0.2, 3600
"""For how long a copy is served, and a step of stepped.h, in seconds."""
"""What is a time of day: the segment and the server look at two clocks one after the other."""


@pytest.fixture(params=["all", "touched"])
def every(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "all")


@pytest.fixture
def served(workshop: Workshop, tmp_path: Path, every: bool) -> Iterator[Serving]:
    more = {"all": 1} if every else {}
    with serving(program(workshop), tmp_path / "app.seg", application="app", **more) as found:
        yield found


def exported(folder: Path, accept: str, every: bool) -> Answer:
    """What the exporter has."""
    with Targets([str(folder / "app.seg")], every=every) as targets:
        answer = Applications(targets.found)()(accept)
    return Answer(200, {"content-type": answer.type}, answer.body)


def samples(families: dict[str, Metric]) -> Samples:
    """All samples but those about the exporter itself."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for name, family in families.items()
        if not name.startswith(OWN)
        for sample in family.samples
    }


def facts(families: dict[str, Metric]) -> dict[str, tuple[str, str]]:
    """Type and text of each family."""
    return {
        name: (family.type, family.documentation)
        for name, family in families.items()
        if not name.startswith(OWN)
    }


@pytest.mark.parametrize("accept", ["", OPENMETRICS])
def test_both_have_the_same(served: Serving, tmp_path: Path, every: bool, accept: str) -> None:
    steps = (("publish",), ("reset",), ("destroy",), ("rekey",), ("publish",))
    for commands in steps:
        served.app.do(*commands, "publish")
        here = served.get(Accept=accept)
        there = exported(tmp_path, accept and "application/openmetrics-text", every)
        assert here.headers["content-type"] == (TYPE if accept else PLAIN)
        ours, theirs = samples(here.families()), samples(there.families())
        assert ours.keys() == theirs.keys(), commands
        times = {key for key in ours if key[0].endswith(TIMES)}
        assert times, "no times"
        assert {key: ours[key] for key in ours.keys() - times} == {
            key: theirs[key] for key in ours.keys() - times
        }
        assert all(abs(ours[key] - theirs[key]) < 0.1 for key in times)
        assert facts(here.families()) == facts(there.families())
        # Instances that both have left out are the same number.
        name = "ctrgen_instances_left_out"
        left = [
            {tuple(sorted(each.labels.items())): each.value for each in found[name].samples}
            for found in (here.families(), there.families())
        ]
        assert left[0] == left[1]
        assert (len(left[0]) == 1) is every or commands != ("publish",)


def test_timestamps_follow_steps_of_the_clock(served: Serving, tmp_path: Path, every: bool) -> None:
    """As of NTP after a boot. Starts of series stay: one that moves says that counts began anew."""

    def times() -> list[Samples]:
        answers = served.get(Accept=OPENMETRICS), exported(tmp_path, OPENMETRICS, every)
        found = (samples(answer.families()) for answer in answers)
        return [{key: each[key] for key in each if key[0].endswith(TIMES)} for each in found]

    served.app.do("publish")
    before = times()
    served.app.do("step", "publish")
    time.sleep(FRESH)
    for former, now in zip(before, times(), strict=True):
        assert former.keys() == now.keys() and {key[0].endswith("_created") for key in now} == {
            True, False,
        }  # fmt: skip
        for key, at in former.items():
            step = 0 if key[0].endswith("_created") else STEP
            assert abs(now[key] - at - step) < 0.01, key


def test_instances_without_a_key_are_left_out(served: Serving, tmp_path: Path, every: bool) -> None:
    """Their labels would be the same: two samples of one series, of which Prometheus takes one."""
    served.app.do("nameless", "publish")
    for answer in (served.get(), exported(tmp_path, "", every)):
        lines = [line.rpartition(" ") for line in answer.body.decode().splitlines()]
        names = [name for name, _, _ in lines if not name.startswith("#")]
        assert len(names) == len(set(names))
        assert not [name for name in names if 'imsi=""' in name]
        left = 'ctrgen_instances_left_out{application="app",module="all",scope="session"}'
        assert [float(value) for name, _, value in lines if name == left] == [2]
