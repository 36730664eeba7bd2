# SPDX-License-Identifier: BSD-3-Clause
"""What was published before objects had ranges, and IPv4 addresses their type, stays as it was."""

import shutil
from pathlib import Path

import pytest

from ctrgen.pipeline.build import BuildRequest, BuildResult, build
from tests.mib.repository import rules
from tests.support import smi_tools

HERE = Path(__file__).parent / "earlier"
OLD = (HERE / "earlier.ctrgen.lock").read_bytes()
"""A lock file that an earlier version of ctrgen wrote."""

LEVEL = "      level: {type: int32"
REVISED = ("[{date", '[{date: "2026-02-01", description: Second.}, {date')


def attempt(folder: Path, *edits: tuple[str, str]) -> BuildResult:
    """Build the schema, edited, beside the old lock file."""
    text = (HERE / "earlier.yaml").read_text("utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "earlier.yaml").write_text(text, "utf-8")
    shutil.copy(HERE / "earlier.ctrgen.lock", folder)
    return build(BuildRequest(str(folder / "earlier.yaml"), str(folder / "out"), only=("mib",)))


def types(folder: Path) -> dict[str, str]:
    """The types of all objects in the lock file of now."""
    text = (folder / "earlier.ctrgen.lock").read_text("utf-8")
    return {line.split()[2]: line.split('"')[1] for line in text.splitlines() if '"' in line[60:]}


def without_digests(folder: Path) -> list[str]:
    """The lines of the lock file of now but for digests, which the earlier one lacks."""
    text = (folder / "earlier.ctrgen.lock").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("text ")]


def test_a_build_leaves_the_lock_file_as_it_is(tmp_path: Path) -> None:
    assert rules(attempt(tmp_path)) == []
    assert without_digests(tmp_path) == OLD.decode().splitlines()


def test_the_module_has_the_published_types(tmp_path: Path) -> None:
    attempt(tmp_path)
    smi_tools.needs("smilint", modules=("HCNUM-TC", "INET-ADDRESS-MIB"))
    module = tmp_path / "out" / "EARLY-STATS-MIB.txt"
    assert smi_tools.smilint(module) == ""
    words = " ".join(module.read_text("ascii").split())
    assert "earlyStatsAddress OBJECT-TYPE SYNTAX IpAddress" in words
    assert "AddressType OBJECT-TYPE" not in words.replace("RemoteType OBJECT-TYPE", "")
    assert "SYNTAX Gauge32 (" not in words and "Load. Values are 0 to 100." in words


def test_a_revision_changes_texts_of_rows_alone(tmp_path: Path) -> None:
    """A range cannot come to a published object (RFC 2578, 10.2), not with a revision either. What
    the module reports of itself comes to it, below a node of its own, and the time of the last
    discontinuity to scopes without resets."""
    assert rules(attempt(tmp_path, REVISED)) == []
    new = [line for line in without_digests(tmp_path) if line not in OLD.decode().splitlines()]
    added = [line for line in new if "/health" in line or "_module" in line]
    assert {line.split()[2] for line in added} == {
        "earlyStatsHealthGroup", "earlyStatsHealth", "earlyLateUpdates", "earlyDroppedUpdates",
        "earlyStatsHealthDiscontinuityTime",
    }  # fmt: skip
    rest = [line for line in new if line not in added and "ompliance" not in line]
    assert [line.split()[0::2][:2] for line in rest if line[0] != " "] == [
        ["revision", '"Second."'],
        ["row", "earlySessionEntry"],
        ["object", "earlySessionDiscontinuityTime"],
        ["group", "earlySessionGroup"],
        ["group", "earlySessionGroup2"],
    ]
    assert any("A row is there as long as the application runs." in line for line in rest)


@pytest.mark.parametrize(
    "edit",
    [
        ("free: {unit: '%', width: 32,", "free: {unit: '%', width: 32, max: 100,"),
        ("{type: int32, description", "{type: int32, min: -40, max: 120, description"),
    ],
)
def test_bounds_that_come_later_stand_in_the_text(edit: tuple[str, str], tmp_path: Path) -> None:
    assert rules(attempt(tmp_path, REVISED, edit)) == []
    found = types(tmp_path)
    assert (found["earlyStatsFree"], found["earlyStatsLevel"]) == ("Gauge32", "Integer32")
    assert "Values are" in (tmp_path / "out" / "EARLY-STATS-MIB.txt").read_text("ascii")


def test_new_objects_have_ranges_and_types_of_addresses(tmp_path: Path) -> None:
    more = (
        "      next: {type: ipv4, description: The next one.}\n"
        f"      part: {{type: uint32, max: 10, description: A part.}}\n{LEVEL}"
    )
    assert rules(attempt(tmp_path, REVISED, (LEVEL, more))) == []
    found = types(tmp_path)
    assert found["earlyStatsNext"] == "InetAddress (SIZE (4))"
    assert found["earlyStatsNextType"] == "InetAddressType"
    assert found["earlyStatsPart"] == "Unsigned32 (0..10)"
    assert found["earlyStatsAddress"] == "IpAddress" and "earlyStatsAddressType" not in found


def test_a_renamed_item_keeps_its_type(tmp_path: Path) -> None:
    renamed = ("address: {type: ipv4,", "router: {type: ipv4, renamed_from: address,")
    assert rules(attempt(tmp_path, renamed)) == []
    assert types(tmp_path)["earlyStatsAddress"] == "IpAddress"


@pytest.mark.parametrize("other", ["max: 20, ", ""])
def test_a_range_that_is_published_stays(other: str, tmp_path: Path) -> None:
    more = f"      part: {{type: uint32, max: 10, description: A part.}}\n{LEVEL}"
    attempt(tmp_path, REVISED, (LEVEL, more))
    schema = tmp_path / "earlier.yaml"
    schema.write_text(schema.read_text("utf-8").replace("max: 10, ", other), "utf-8")
    result = build(BuildRequest(str(schema), str(tmp_path / "out"), only=("mib",)))
    assert rules(result) == ["frozen-type"]
