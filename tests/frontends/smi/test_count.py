# SPDX-License-Identifier: BSD-3-Clause
"""Modules of the IETF with an overlay: built, compiled, and counted with by several threads."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from ctrgen.findings.printers import print_findings
from ctrgen.frontends.smi import places
from ctrgen.pipeline import build as pipeline
from tests.support import base_mibs
from tests.support.capabilities import IETF_MIBS, needs_smidump
from tests.support.cbuild import LENIENT, QUICK, Build, shared
from tests.support.process import succeed
from tests.support.strategies import LOSSY, SHARED, STRATEGIES, USUAL

pytestmark = [needs_smidump]

WORKERS, ROUNDS = 4, 100_000  # as in count.c
FOLDERS = [folder for folder in (IETF_MIBS, base_mibs.folder()) if folder.is_dir()]
TWO = (USUAL, SHARED)
MORE = [name for name in STRATEGIES if name not in (*LOSSY, *TWO)]


@dataclass(frozen=True)
class Counted:
    """What counts octets and packets in a module: `scope.item`, and which prefix C has."""

    prefix: str
    octets: str
    packets: str

    def overlay(self, name: str) -> str:
        """The module with a strategy, and an update that counts both."""
        add = f"{{{self.octets}: size, {self.packets}: 1}}"
        rx = f"updates:\n  rx:\n    args: {{size: uint16}}\n    add: {add}\n"
        return f"ctrgen: 1\nimport: {name}\nrequires: {{exact: true}}\n{rx}"

    def macros(self) -> dict[str, str]:
        """How count.c counts and reads."""
        (scope, octets), (_, packets) = self.octets.split("."), self.packets.split(".")
        rows = scope != "global"
        start = f"{self.prefix}_{scope}_" if rows else f"{self.prefix}_"
        row = "i" if rows else ""
        return {
            "STATS(x)": f"{self.prefix}_##x",
            "ROWS": "3" if rows else "1",
            "COUNT(i,size)": f"{self.prefix}_update_rx({'i, ' * rows}size)",
            "OCTETS(i)": f"{start}get_{octets}({row})",
            "PACKETS(i)": f"{start}get_{packets}({row})",
            "MODULE_H": f'"{self.prefix}.h"',
        }


MODULES = {
    "IF-MIB": Counted("if_mib_stats", "if_x.hc_in_octets", "if_x.hc_in_ucast_pkts"),
    "TCP-MIB": Counted("tcp_stats", "global.hc_in_segs", "global.in_segs"),
    "UDP-MIB": Counted("udp_stats", "global.hc_in_datagrams", "global.in_datagrams"),
    "IP-MIB": Counted("ip_stats", "system_stats.hc_in_octets", "system_stats.hc_in_receives"),
    "SCTP-MIB": Counted("sctp_stats", "global.in_ctrl_chunks", "global.in_sctp_packs"),
}

_CASES = [(name, sync) for name in MODULES for sync in TWO] + [("IF-MIB", sync) for sync in MORE]


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("name", "sync"), _CASES)
def test_it_counts(name: str, sync: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join(map(str, FOLDERS)))
    if not places.Library(FOLDERS).find(name):
        pytest.skip(f"there is no {name}")
    counted = MODULES[name]
    schema, output = tmp_path / "mine.yaml", tmp_path / "out"
    schema.write_text(counted.overlay(name), "utf-8")
    request = pipeline.BuildRequest(schema=str(schema), output=str(output), sync=sync)
    result = pipeline.build(request)
    assert result.exit_code == 0, print_findings(result.diagnostics)
    program = tmp_path / "count"
    source = Path(__file__).with_name("count.c")
    macros = [f"-D{key}={value}" for key, value in counted.macros().items()]
    build = Build(flags=QUICK, own_flags=(*LENIENT, "-Wextra", *macros))
    shared().link(program, build, [source, output / f"{counted.prefix}.c"], [output])
    octets = WORKERS * sum(number % 1000 for number in range(ROUNDS))
    assert succeed(program, timeout=60) == f"octets {octets} packets {WORKERS * ROUNDS}\n"
