# SPDX-License-Identifier: BSD-3-Clause
"""Histograms in a MIB: a column for each bucket, published for ever, and back to the schema."""

import pytest

from tests.mib.repository import FIRST, Repository, revised, rules
from tests.support import smi_tools

SIZES = "sizes: {unit: By, description: Octets of packets., bounds: [64, 1518]}"
DELAYS = "delays: {unit: ns, description: Delay of packets., log2: {min: 1, max: 4}}"
SCHEMA = (
    FIRST.replace("    states:", f"    histograms:\n      {DELAYS}\n    states:")
    + f"    histograms:\n      {SIZES}\n"
    + "  lane: {max: 3, histograms: {fill: {unit: '1', description: Fill., bounds: [7]}}}\n"
    + "updates:\n  packet: {args: {size: uint16}, observe: {session.sizes: size}}\n"
)
REFUSED = {
    "more": ("[64, 1518]", "[64, 512, 1518]"),
    "other": ("[64, 1518]", "[64, 1500]"),
    "doubling": ("max: 4", "max: 8"),
    "renamed": (
        SIZES,
        SIZES.replace("sizes:", "octets:").replace(", 1518]", "], renamed_from: sizes"),
    ),
}


def test_each_bucket_is_a_column_with_its_range(repository: Repository) -> None:
    text = repository.build(SCHEMA)
    smi_tools.needs("smilint", modules=("HCNUM-TC",))
    assert smi_tools.smilint(repository.modules[-1]) == ""
    words = " ".join(text.split())
    for name, what in (
        ("epSessionSizesTo64", "Octets of packets. Values up to 64."),
        ("epSessionSizesTo1518", "Octets of packets. Values above 64 and up to 1518."),
        ("epSessionSizesAbove1518", "Octets of packets. Values above 1518."),
        ("epSessionSizesSum", "Octets of packets. Sum of all values."),
        ("epStatsDelaysTo1", "Delay of packets. Values up to 1."),
    ):
        definition = words.partition(f"{name} OBJECT-TYPE")[2].partition("::=")[0]
        assert "SYNTAX Counter64" in definition and what in definition, name


def test_a_histogram_can_be_added_and_renamed(repository: Repository) -> None:
    repository.build(FIRST)
    later = revised(SCHEMA, "2026-02-01")
    repository.build(later)
    oids = repository.oids()
    renamed = SIZES.replace("sizes:", "octets:").replace("]}", "], renamed_from: sizes}")
    latest = (
        revised(later, "2026-03-01")
        .replace(SIZES, renamed)
        .replace("session.sizes", "session.octets")
    )
    repository.build(latest)
    (column,) = {oid for name, oid in oids.items() if name == "epSessionSizesTo64"}
    assert column in repository.oids().values()


@pytest.mark.parametrize("change", sorted(REFUSED))
def test_published_bounds_stay(repository: Repository, change: str) -> None:
    repository.build(SCHEMA)
    old, new = REFUSED[change]
    later = revised(SCHEMA, "2026-02-01").replace(old, new)
    if change == "renamed":
        later = later.replace("session.sizes", "session.octets")
    result = repository.attempt(later)
    assert "frozen-bounds" in rules(result) and result.exit_code == 1


def test_a_draft_can_change_the_bounds_that_it_added(repository: Repository) -> None:
    repository.build(FIRST)
    draft = revised(SCHEMA, "2026-02-01", ", draft: true")
    repository.build(draft)
    repository.build(draft.replace(*REFUSED["more"]))
