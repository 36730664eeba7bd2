# SPDX-License-Identifier: BSD-3-Clause
"""Reports and comparisons need no scientific package, and the page is well-formed."""

import subprocess
import sys
from pathlib import Path

from lxml import etree

from ctrgen.tools.bench import report
from tests.support import archive
from tests.support.cbuild import PROJECT

RECORDED = archive.unpacked(Path(__file__).with_name("recorded.tar.xz"))

WITHOUT = """\
import sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "scipy", "matplotlib", "cycler", "PIL"):
            raise ModuleNotFoundError(f"{name} is not installed")

sys.meta_path.insert(0, Blocked())
if sys.argv[1] == "report":
    from ctrgen.tools.bench import report
    from ctrgen.tools.bench.result import load
    print(*(path.name for path in report.write(load(sys.argv[2]), sys.argv[3])))
else:
    from ctrgen.__main__ import main
    main()
"""
"""`ctrgen`, or a report of a result, where none of the packages can be imported."""


def without(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, *map(str, words)]
    environment = PROJECT.environment()
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_a_report_is_written(tmp_path: Path) -> None:
    done = without("report", RECORDED / "after.json", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [*report.FILES]
    page = etree.fromstring((tmp_path / "bench.html").read_bytes())
    assert len(page.findall(".//table")) > 1


def test_a_comparison_says_what_it_needs() -> None:
    done = without(
        "bench", "--compare", RECORDED / "before.json", RECORDED / "after.json", "--format", "json"
    )
    assert done.returncode == 2
    assert "--compare needs scipy" in done.stderr and "pip install" in done.stderr
