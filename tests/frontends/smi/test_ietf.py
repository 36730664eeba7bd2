# SPDX-License-Identifier: BSD-3-Clause
"""The modules of the IETF: all are imported, whole, and some built."""

from pathlib import Path
from typing import Any

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.frontends.smi import places, smidump
from ctrgen.frontends.smi.source import decode, modules
from ctrgen.pipeline import build as pipeline
from tests.support import smi as smi_modules
from tests.support.capabilities import IETF_MIBS, needs_ietf, needs_smidump
from tests.support.process import succeed

pytestmark = [needs_smidump, needs_ietf]

FIVE = ("IF-MIB", "TCP-MIB", "UDP-MIB", "IP-MIB", "SCTP-MIB")
_EMPTY = {"import-no-objects"}


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", str(IETF_MIBS))


def _seen(file: Path) -> set[str]:
    """The OIDs of all scalars and columns that smidump sees in a module."""
    text = decode(file.read_bytes())
    library = places.Library([IETF_MIBS])
    module = smidump.run(text, library, modules(text)[0].imports).module
    if module is None:
        return set()
    columns = (one for table in module.tables for one in table.columns)
    return {one.oid for one in (*columns, *module.scalars)}


def _given(schema: dict[str, Any] | None) -> set[str]:
    """The OIDs of all items and index objects of a schema."""
    oids: set[str] = set()
    for scope in (schema or {"scopes": {}})["scopes"].values():
        for group in ("counters", "gauges", "states"):
            oids |= {item["snmp"]["oid"] for item in scope.get(group, {}).values()}
        index = scope.get("index", [])
        oids |= {one["oid"] for one in index if isinstance(one, dict) and "oid" in one}
    return oids


@pytest.mark.slow
def test_all_are_imported_whole() -> None:
    whole, partial, unsaid = 0, [], []
    for file in sorted(IETF_MIBS.iterdir()):
        schema, diagnostics = smi_modules.load(file)
        missing = _seen(file) - _given(schema)
        rules = {finding.rule for finding in diagnostics.findings}
        if missing or "import-lost-object" in rules or (schema is None and not rules & _EMPTY):
            partial.append(file.name)
            unsaid += [] if {"import-lost-object", "import-unreadable"} & rules else [file.name]
        else:
            whole += 1
    share = whole / (whole + len(partial))
    print(f"{whole} of {whole + len(partial)} modules are whole, {share:.1%}; not: {partial}")
    assert not unsaid
    assert share >= 0.95, partial


@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_generated_c_compiles(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes((IETF_MIBS / name).read_bytes())
    request = pipeline.BuildRequest(schema=str(tmp_path / name), output=str(tmp_path / "out"))
    result = pipeline.build(request)
    assert result.exit_code == 0, result.diagnostics.findings
    (source,) = (tmp_path / "out").glob("*.c")
    flags = runtimeinfo.line("posix", True, False, False).split()
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-c", str(source)]
    command += ["-o", str(tmp_path / "x.o"), f"-I{source.parent}", *flags]
    succeed(*command)
