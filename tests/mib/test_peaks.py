# SPDX-License-Identifier: BSD-3-Clause
"""Peaks in a MIB: gauges whose descriptions say what they are, and back to the schema."""

from tests.mib.repository import FIRST, Repository
from tests.support import smi_tools

PEAKS = """\
    peaks:
      burst: {unit: packets, description: Packets of a burst.}
      gap: {unit: ns, keep: minimum, width: 32, description: Time between two packets.}
"""
OBJECTS = {
    "epStatsBurst": ("CounterBasedGauge64", "Packets of a burst. The greatest value"),
    "epStatsGap": ("Gauge32", "Time between two packets. The least value"),
}


def test_what_a_peak_is_stands_in_its_description(repository: Repository) -> None:
    text = repository.build(FIRST.replace("    states:", f"{PEAKS}    states:"))
    smi_tools.needs("smilint", modules=("HCNUM-TC",))
    assert smi_tools.smilint(repository.modules[-1]) == ""
    words = " ".join(text.split())
    for name, (syntax, said) in OBJECTS.items():
        definition = words.partition(f"{name} OBJECT-TYPE")[2].partition("::=")[0]
        assert f"SYNTAX {syntax}" in definition and said in definition, name
