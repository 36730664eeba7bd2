# SPDX-License-Identifier: BSD-3-Clause
"""The plan of which docs/strategies.md shows the first line: gtp.txt."""

from pathlib import Path

from tests.support.paths import DOCS
from tests.support.process import ctrgen

HERE = Path(__file__).parent
SCHEMA = HERE / "gtp.yaml"
EXPECTED = HERE / "gtp.txt"
OPTIONS = ("--lcores", "20", "--flows", "1M", "--pps", "10M", "--affinity", "rare")
PAGE = DOCS / "strategies.md"
_BEGIN = f"$ ctrgen plan gtp.yaml {' '.join(OPTIONS)}\n"


def planned() -> str:
    """What `ctrgen plan` prints."""
    return ctrgen("plan", SCHEMA, *OPTIONS).stdout


def page(text: str, plan: str) -> str:
    """The page with the recommendation of a plan."""
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition("```\n")
    return f"{before}{_BEGIN}{plan.splitlines()[0]}\n```\n{after}"


def update() -> None:
    """Write both again."""
    plan = planned()
    EXPECTED.write_text(plan, "utf-8")
    PAGE.write_text(page(PAGE.read_text("utf-8"), plan), "utf-8")
