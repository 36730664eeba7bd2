# SPDX-License-Identifier: BSD-3-Clause
"""The verifier of the kernel accepts every update; what the backend refuses has a position."""

import random
import re
from pathlib import Path

import pytest

from tests.support import process
from tests.support.paths import SCHEMAS
from tests.support.random_schemas import random_schema
from tests.xdp import lab, verifier

pytestmark = [lab.needs_bpf, pytest.mark.slow]

EXAMPLES = sorted(SCHEMAS.glob("*.yaml"))
REFUSED = ("router", "upf")
"""These have scopes under a lock of their own, and in objects of the application."""
POSITION = re.compile(r"^[^\n:]+:\d+:\d+: error\[xdp-\w+\]: ", re.MULTILINE)


def take(schema: Path, out: Path, sync: str) -> int:
    """How many functions of a schema the verifier accepts; 0 where the backend refuses it."""
    done = process.ctrgen("build", schema, "-o", out, "--only", "xdp", "--sync", sync)
    if done.exit_code != 0:
        assert POSITION.search(done.output), f"{schema.read_text()}\n{done.output}"
        return 0
    return verifier.accepted(out)


@pytest.mark.parametrize("sync", lab.SYNCS)
@pytest.mark.parametrize("schema", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_accepted(schema: Path, sync: str, tmp_path: Path) -> None:
    """Each example schema, whole, if the backend takes it."""
    assert (take(schema, tmp_path / "out", sync) == 0) == (schema.stem in REFUSED)


LISTED_PEAKS = (429, 435)
"""Seeds with peaks in lists, where the verifier once followed each attempt for each element."""


@pytest.mark.parametrize("first", [*range(0, 500, 20), *LISTED_PEAKS])
def test_random_schemas_are_accepted(
    first: int, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """500 schemas with --long, one in twenty without."""
    many = 20 if pytestconfig.getoption("--long") and first not in LISTED_PEAKS else 1
    for seed in range(first, first + many):
        schema = tmp_path / f"s{seed}.yaml"
        schema.write_text(random_schema(random.Random(seed)), "utf-8")
        take(schema, tmp_path / f"{seed}", lab.SYNCS[seed % 3])
