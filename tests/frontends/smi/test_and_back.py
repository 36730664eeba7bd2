# SPDX-License-Identifier: BSD-3-Clause
"""Modules as schemas and back: OIDs, types, access and indexes as smidump sees them."""

from pathlib import Path

import pytest

from ctrgen.backends import Options, runtimeinfo
from ctrgen.backends.mib import BACKEND
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.frontends import smi
from ctrgen.pipeline import build as pipeline
from ctrgen.publish.assign import assign
from tests.frontends.smi import view
from tests.support import base_mibs, schemas
from tests.support import smi as smi_modules
from tests.support.capabilities import IETF_MIBS, needs_base_mibs, needs_ietf, needs_smidump
from tests.support.process import succeed

pytestmark = [needs_smidump, needs_base_mibs]

ENOUGH = 250
"""Modules of the IETF that have objects and come back, at least."""

NOTHING = {"import-no-objects", "import-missing-module"}
"""Why a module cannot be imported that has nothing wrong with it."""


def compared(file: Path, folder: Path, search: str) -> tuple[int, dict[str, object]]:
    """Import a module, generate it, have smidump look at both; how many objects it has, and those
    that are not the same, as they were and as they are."""
    diagnostics = Diagnostics()
    if smi.load(str(file), file.read_bytes(), diagnostics) is None:
        assert {finding.rule for finding in diagnostics.findings} & NOTHING, file
        return 0, {}
    module, diagnostics = smi_modules.resolved(file)
    assert not diagnostics.failed, diagnostics.findings
    options = Options(file.name, "", "0", False, assign(module, None).lock)
    ((name, text),) = BACKEND.generate(module, options).items()
    folder.mkdir()
    (folder / name).write_text(text, "ascii")
    try:
        before = view.facts(file, search)
    except view.BrokenXml:  # of the module as it was: there is nothing to compare with
        return 0, {}
    after = view.facts(folder / name, f"{folder}:{search}")
    found = {oid: (fact, after.get(oid)) for oid, fact in before.items() if after.get(oid) != fact}
    return len(before), found


def all_come_back(folder: Path, tmp_path: Path) -> list[str]:
    """Try every module of a folder; the names of those that have objects."""
    counts: dict[str, int] = {}
    different: dict[str, object] = {}
    for file in sorted(folder.iterdir()):
        counts[file.name], found = compared(file, tmp_path / file.name, str(folder))
        different.update({f"{file.name} {oid}": facts for oid, facts in found.items()})
    assert different == {}
    back = [name for name, count in counts.items() if count]
    print(f"{len(back)} modules with {sum(counts.values())} objects came back as they were")
    return back


@needs_ietf
@pytest.mark.slow
def test_modules_of_the_ietf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", str(IETF_MIBS))
    back = all_come_back(IETF_MIBS, tmp_path)
    assert len(back) >= ENOUGH
    assert {"IF-MIB", "TCP-MIB", "UDP-MIB", "IP-MIB", "SCTP-MIB"} <= set(back)


def test_base_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", str(base_mibs.folder()))
    assert "IF-MIB" in all_come_back(base_mibs.folder(), tmp_path)


@pytest.mark.parametrize("name", schemas.NAMES)
def test_modules_of_ctrgen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", str(base_mibs.folder()))
    made = schemas.module(schemas.sources(tmp_path / "schemas")[name], tmp_path / "made")
    count, different = compared(made, tmp_path / "again", str(base_mibs.folder()))
    assert count and different == {}


@needs_ietf
@pytest.mark.slow
@pytest.mark.parametrize("name", ["IP-MIB", "SCTP-MIB"])
def test_generated_c_compiles(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", str(IETF_MIBS))
    (tmp_path / name).write_bytes((IETF_MIBS / name).read_bytes())
    request = pipeline.BuildRequest(schema=str(tmp_path / name), output=str(tmp_path / "out"))
    result = pipeline.build(request)
    assert result.exit_code == 0, result.diagnostics.findings
    (source,) = (tmp_path / "out").glob("*.c")
    flags = runtimeinfo.line("posix", True, False, False).split()
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-c", str(source)]
    succeed(*command, "-o", str(tmp_path / "x.o"), f"-I{source.parent}", *flags)
