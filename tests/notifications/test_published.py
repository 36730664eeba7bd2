# SPDX-License-Identifier: BSD-3-Clause
"""Notifications in the MIB module, and in its lock file over the years."""

from pathlib import Path

import pytest

from tests.frontends.smi.roundtrip import build
from tests.mib.repository import FIRST, Repository, revised
from tests.notifications.test_watch import HERE
from tests.support import smi_tools

DOWN = "  phase_up: {of: global.phase, becomes: up, description: It is up.}\n"
HIGH = (
    "  drops_high: {of: session.drops, rises_above: 1000, clears_below: 800, cleared: true, "
    "description: Many drops.}\n"
)


def numbers(repository: Repository) -> dict[str, str]:
    """The notifications of the lock file: what follows the OID of the module, and the state."""
    entries = [entry for entry in repository.lock().entries if entry.kind == "notification"]
    return {
        e.name: f"{e.dotted.partition('32473.1.')[2]} {'gone-' if e.gone else ''}{e.status}"
        for e in entries
    }


def test_numbers_stay(repository: Repository) -> None:
    """Nothing that was published moves; what is gone becomes deprecated, later obsolete."""
    repository.build(FIRST)
    text = revised(FIRST, "2026-02-01") + "notifications:\n" + HIGH + DOWN
    repository.build(text)
    high = {"epDropsHigh": "0.1 current", "epDropsHighCleared": "0.2 current"}
    assert numbers(repository) == {**high, "epPhaseUp": "0.3 current"}
    text = revised(text, "2026-03-01").replace(HIGH, "")
    repository.build(text)
    gone = {name: entry.replace(" ", " gone-") for name, entry in high.items()}
    gone = {name: entry.replace("current", "deprecated") for name, entry in gone.items()}
    assert numbers(repository) == {**gone, "epPhaseUp": "0.3 current"}
    text = revised(text, "2026-04-01") + HIGH
    text = text.replace("  phase_up: {", "  is_up: {renamed_from: phase_up, ")
    repository.build(text)
    obsolete = {name: entry.replace("deprecated", "obsolete") for name, entry in gone.items()}
    more = {"epDropsHigh2": "0.4 current", "epDropsHighCleared2": "0.5 current"}
    assert numbers(repository) == {**obsolete, "epPhaseUp": "0.3 current", **more}
    repository.build(revised(text, "2026-05-01").partition("notifications:")[0])
    repository.build(revised(text, "2026-06-01").replace(HIGH, ""))
    assert numbers(repository)["epIsUp"] == "0.6 current"


def test_the_tools_agree(repository: Repository) -> None:
    smi_tools.needs("smilint", "smidiff", modules=("HCNUM-TC",))
    text = revised(FIRST, "2026-02-01") + "notifications:\n" + HIGH + DOWN
    for step in (FIRST, text, revised(text, "2026-03-01").replace(DOWN, "")):
        repository.build(step)
    for module in repository.modules:
        assert smi_tools.smilint(module) == ""
        assert smi_tools.pysmi(module) == "compiled"
    for old, new in zip(repository.modules, repository.modules[1:], strict=False):
        assert smi_tools.smidiff(old, new) == []


def test_every_condition_is_a_clean_module(tmp_path: Path) -> None:
    smi_tools.needs("smilint", modules=("HCNUM-TC", "INET-ADDRESS-MIB"))
    built = build(HERE / "gw.yaml")
    (tmp_path / built.name).write_text(built.text, "ascii")
    assert smi_tools.smilint(tmp_path / built.name) == ""
    named = smi_tools.snmptranslate(tmp_path / built.name, "gwDropsHighCleared")
    assert "32473.14.0.2" in named


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)
