# SPDX-License-Identifier: BSD-3-Clause
"""What LibreNMS discovers, by the rules of its discovery files; by its own schema where
CTRGEN_LIBRENMS_SCHEMA says where that is."""

import json
import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ctrgen.pipeline.build import BuildRequest, build
from tests.monitoring import FILL, HALF_OPEN
from tests.support.planted import Edit, planted
from tests.support.schemas import NAMES, sources

CLASSES = {"count", "state", "temperature", "voltage", "current", "power", "frequency", "dbm",
           "percent"}  # fmt: skip
COMMON = {"oid", "value", "num_oid", "index", "descr", "group"}
PLACE = re.compile(r"(\.\d+)+(\.\{\{ \$index \}\})?")
SCHEMA = os.environ.get("CTRGEN_LIBRENMS_SCHEMA", "")


def judge(document: dict[str, Any]) -> None:
    """Fails where a file is not as the documentation says."""
    assert document.keys() == {"mib", "modules"} and document["modules"].keys() == {"sensors"}
    indexes = []
    for kind, sensors in document["modules"]["sensors"].items():
        assert kind in CLASSES and sensors.keys() == {"data"}
        for sensor in sensors["data"]:
            of_kind = {"states", "state_name"} if kind == "state" else set()
            assert sensor.keys() <= COMMON | of_kind | {"rrd_type"}
            assert all(type(sensor[key]) is str for key in sensor.keys() - {"states"})
            assert PLACE.fullmatch(sensor["num_oid"])
            scalar = "value" not in sensor
            assert sensor["num_oid"].endswith(".0" if scalar else ".{{ $index }}")
            assert ("{{ $index }}" in sensor["descr"]) == (not scalar)
            assert sensor.get("rrd_type", "COUNTER") == "COUNTER"
            for state in sensor.get("states", ()) if kind == "state" else ():
                assert state.keys() == {"descr", "graph", "value", "generic"}
                assert isinstance(state["value"], int) and isinstance(state["descr"], str)
            assert kind != "state" or sensor["states"]
            indexes.append(sensor["index"])
    assert len(set(indexes)) == len(indexes)


def made(schema: Path, output: Path) -> dict[str, Any]:
    """What is written for a schema."""
    result = build(BuildRequest(str(schema), str(output), only=("librenms",)))
    assert result.exit_code == 0
    (path,) = output.glob("*_librenms.yaml")
    document: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return document


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_schema(name: str, tmp_path: Path) -> None:
    document = made(sources(tmp_path / "s")[name], tmp_path / "o")
    judge(document)
    if SCHEMA:
        jsonschema.validate(document, json.loads(Path(SCHEMA).read_text("utf-8")))


def test_sensors(folder: Path) -> None:
    document = yaml.safe_load((folder / "out" / "mon_stats_librenms.yaml").read_text("utf-8"))
    sensors = document["modules"]["sensors"]
    (level,) = sensors["temperature"]["data"]
    assert level["descr"] == "level [Cel]"
    assert f"{FILL} [bytes]" in [sensor["descr"] for sensor in sensors["count"]["data"]]
    states = {sensor["state_name"]: sensor for sensor in sensors["state"]["data"]}
    assert [(s["value"], s["descr"]) for s in states["monStatsUp"]["states"]] == [
        (1, "true"), (2, "false"),
    ]  # fmt: skip
    assert [(s["value"], s["descr"]) for s in states["monStatsMode"]["states"]] == [
        (1, "idle"), (2, HALF_OPEN), (7, "y"),
    ]  # fmt: skip
    counts = {sensor.get("value", sensor["oid"]): sensor for sensor in sensors["count"]["data"]}
    queue = counts["monQueuePkts"]
    assert queue["rrd_type"] == "COUNTER" and queue["oid"] == "monQueueTable"
    assert "rrd_type" not in counts["monStatsFill"]
    assert not {"monStatsTitle", "monStatsTouched", "monManyLostPackets"} & counts.keys()


BUGS = {
    "no instance": Edit("generator/backends/librenms.py", ".dotted}.{where}", ".dotted}"),
    "texts": Edit("generator/backends/librenms.py", "one.text or", "False or"),
    "states": Edit("generator/backends/librenms.py", '"graph": 0,', ""),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, folder: Path, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [BUGS[bug]])
    tree.succeed("build", folder / "mon.yaml", "-o", tmp_path / "o", "--only", "librenms")
    text = (tmp_path / "o" / "mon_stats_librenms.yaml").read_text("utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mon_stats_librenms.yaml").write_text(text, "utf-8")
    with pytest.raises((AssertionError, KeyError)):
        judge(yaml.safe_load(text))
        test_sensors(tmp_path)
