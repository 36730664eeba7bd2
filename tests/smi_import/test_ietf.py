# SPDX-License-Identifier: BSD-3-Clause
"""The modules of the IETF: all are imported, whole, and come out as they went in."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ctrgen import mib, pipeline, runtimeinfo
from ctrgen.backends import Options
from ctrgen.backends.mib import BACKEND
from ctrgen.frontends.smi import smidump
from ctrgen.frontends.smi.model import Module, Type
from tests.smi_import import support

pytestmark = [support.needs_smidump, support.needs_ietf]

FIVE = ("IF-MIB", "TCP-MIB", "UDP-MIB", "IP-MIB", "SCTP-MIB")
AND_BACK = (
    *FIVE,
    *("ADSL-LINE-MIB", "APS-MIB", "BATTERY-MIB", "BFD-STD-MIB", "BGP4-MIB", "BRIDGE-MIB"),
    *("CIRCUIT-IF-MIB", "DIFFSERV-MIB", "DISMAN-PING-MIB", "DS1-MIB", "DS3-MIB", "ENTITY-MIB"),
    *("ENTITY-SENSOR-MIB", "EtherLike-MIB", "FCIP-MGMT-MIB", "FRAME-RELAY-DTE-MIB", "GSMP-MIB"),
    *("HOST-RESOURCES-MIB", "IF-CAP-STACK-MIB", "IGMP-STD-MIB", "IP-FORWARD-MIB", "IPFIX-MIB"),
    *("IPMCAST-MIB", "ISNS-MIB", "L2TP-MIB", "LMP-MIB", "MPLS-LSR-STD-MIB", "MPLS-TE-STD-MIB"),
    *("MSDP-MIB", "NAT-MIB", "NHDP-MIB", "NTPv4-MIB", "OSPF-MIB", "PIM-STD-MIB", "PW-STD-MIB"),
    *("Q-BRIDGE-MIB", "RADIUS-ACC-CLIENT-MIB", "RIPv2-MIB", "RMON2-MIB", "RSVP-MIB", "RTP-MIB"),
    *("SIP-SERVER-MIB", "SNMP-TARGET-MIB", "SONET-MIB", "TCP-ESTATS-MIB", "TUNNEL-MIB"),
    *("UDPLITE-MIB", "VRRP-MIB", "VRRPV3-MIB"),
)
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


def _facts(module: Module, imported: set[str]) -> dict[str, tuple[str, ...]]:
    """What must come back of a module: the OID, access and type of all that was imported."""
    facts: dict[str, tuple[str, ...]] = {}
    columns = [column for table in module.tables for column in table.columns]
    for one in (*columns, *module.scalars):
        if one.oid in imported:
            type_ = one.type
            if type_.labels and type_.parent:  # some of the labels of a named type
                type_ = Type(parent=type_.parent)
            while not type_.base and type_.parent.startswith(f"{module.name}::"):
                type_ = module.types[type_.parent.rpartition("::")[2]]
            base = type_.base or type_.parent.rpartition("::")[2]
            ranges = " ".join(f"{low}..{high}" for low, high in type_.ranges)
            facts[one.name] = (one.oid, one.access, base, ranges)
    for table in module.tables:
        if table.oid in imported:
            facts[table.name] = (table.oid, table.entry, *table.index, table.augments)
    return facts


@pytest.mark.slow
@pytest.mark.parametrize("name", AND_BACK)
def test_a_module_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    module, diagnostics = support.resolved(support.IETF / name)
    assert not diagnostics.failed, diagnostics.findings
    locked = mib.assign(module, None).lock
    options = Options(name, "", "0", False, locked)
    ((file, text),) = BACKEND.generate(module, options).items()
    (tmp_path / file).write_text(text)
    search = [tmp_path, support.IETF]
    (before,) = smidump.run([support.IETF / name], search).modules
    after = smidump.run([tmp_path / file], search)
    assert not [m for m in after.messages if m.level < 2], after.messages
    imported = set(re.findall(r"(?<![0-9.])1(?:\.[0-9]+){6,}", repr(module)))
    assert _facts(after.modules[0], imported) == _facts(before, imported)
    assert len(_facts(before, imported)) > 1
