# SPDX-License-Identifier: BSD-3-Clause
"""The example of the README is true."""

import re
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build
from tests.support.capabilities import needs
from tests.support.paths import ROOT
from tests.support.process import succeed

README = ROOT / "README.md"


@pytest.mark.slow
@needs("cc")
def test_the_example_builds_and_compiles(tmp_path: Path) -> None:
    blocks = dict(re.findall(r"^```(yaml|c)\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S))
    (tmp_path / "gw.yaml").write_text(blocks["yaml"])
    (tmp_path / "count.c").write_text(blocks["c"])
    result = build(BuildRequest(str(tmp_path / "gw.yaml"), str(tmp_path / "out")))
    rules = {finding.rule for finding in result.diagnostics.findings}
    assert rules <= {"documentation-enterprise"}, print_findings(result.diagnostics)
    flags = "-Wall -Wextra -Werror -c -Iout " + runtimeinfo.line("posix", True, False, False)
    succeed("sh", "-c", f"cc {flags} count.c out/gw_stats.c", cwd=tmp_path)
