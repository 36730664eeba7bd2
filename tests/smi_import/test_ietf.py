# SPDX-License-Identifier: BSD-3-Clause
"""The modules of the IETF: all are imported, whole, and some built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ctrgen import pipeline, runtimeinfo
from tests.smi_import import support

pytestmark = [support.needs_smidump, support.needs_ietf]

FIVE = ("IF-MIB", "TCP-MIB", "UDP-MIB", "IP-MIB", "SCTP-MIB")
_EMPTY = {"import-no-objects"}


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", str(support.IETF))


@pytest.mark.slow
def test_all_are_imported_whole() -> None:
    whole, partial, unsaid = 0, [], []
    for file in sorted(support.IETF.iterdir()):
        schema, diagnostics = support.load(file)
        rules = {finding.rule for finding in diagnostics.findings}
        if "import-lost-object" in rules or (schema is None and not rules & _EMPTY):
            partial.append(file.name)
            unsaid += [file.name] if not rules else []
        else:
            whole += 1
    assert not unsaid
    assert whole >= 0.95 * (whole + len(partial)), partial


@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_generated_c_compiles(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes((support.IETF / name).read_bytes())
    request = pipeline.BuildRequest(schema=str(tmp_path / name), output=str(tmp_path / "out"))
    result = pipeline.build(request)
    assert result.exit_code == 0, result.diagnostics.findings
    (source,) = (tmp_path / "out").glob("*.c")
    flags = runtimeinfo.line("posix", True, False, False).split()
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-c", str(source)]
    command += ["-o", str(tmp_path / "x.o"), f"-I{source.parent}", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
