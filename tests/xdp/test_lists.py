# SPDX-License-Identifier: BSD-3-Clause
"""The verifier knows no index of a list: the backend refuses them, and takes named instances."""

from pathlib import Path

import pytest

from ctrgen.pipeline.build import BuildRequest, build

SCHEMA = """ctrgen: 1
module: ep
scopes:
  urr:
    max: 4
    counters:
      pkts: {unit: packets, description: Packets.}
updates:
  packet: {add: {"%s": 1}}
"""


@pytest.mark.parametrize(("target", "refused"), [("urr[0..3].pkts", True), ("urr[a].pkts", False)])
def test_lists_are_refused(tmp_path: Path, target: str, refused: bool) -> None:
    schema = tmp_path / "ep.yaml"
    schema.write_text(SCHEMA % target, "utf-8")
    result = build(BuildRequest(str(schema), str(tmp_path / "out"), only=("xdp",)))
    assert [f.rule for f in result.diagnostics.findings] == ["xdp-list"] * refused
