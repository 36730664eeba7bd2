# SPDX-License-Identifier: BSD-3-Clause
"""What a program with four counters links and includes: what it uses, no more."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support.capabilities import needs
from tests.support.process import ctrgen, succeed

pytestmark = [pytest.mark.slow, needs("gcc", "ar", "size")]

SCHEMA = """\
ctrgen: 1
module: four
scopes:
  global:
    counters:
      rx_pkts: {unit: packets, description: Packets received.}
      rx_bytes: {unit: bytes, description: Octets received.}
      tx_pkts: {unit: packets, description: Packets sent.}
      tx_bytes: {unit: bytes, description: Octets sent.}
updates:
  rx:
    args: {len: uint32}
    add: {global.rx_pkts: 1, global.rx_bytes: len}
"""
MAIN = """\
#include <stdio.h>

#include "four_stats.h"

int main(void)
{
	struct four_stats_global now;

	if (four_stats_init() != 0 || ctr_thread_register() != 0)
		return 1;
	four_stats_update_rx(64);
	four_stats_burst_end();
	if (four_stats_global_read(&now) != 0)
		return 2;
	printf("%lu %lu\\n", (unsigned long)now.rx_pkts, (unsigned long)four_stats_get_rx_bytes());
	four_stats_global_reset(NULL);
	four_stats_fini();
	return 0;
}
"""
TEXT = 16_384
"""Most bytes of text from `gcc -O2`: 16,224 with 12.2.0, of which an empty program has 1,209.
Without the archive it was 122,533."""
HEADERS = 1_500
"""Most lines of the runtime's headers behind the generated one: 1,494. They were 4,555."""
UNUSED = """
    begin copy ctr_cell ctr_debug ctr_debug_update ctr_discontinuity
    ctr_key ctr_poller ctr_source ctr_values get life life_end
    memory object part
    read_any read_slowly rows snapshot sum_any take values
"""
"""Files of the core that such a program has no use for; nor has it any strategy or part."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The application and its generated code; an empty cache."""
    for name in ("CC", "CFLAGS", "AR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "four.yaml").write_text(SCHEMA)
    (tmp_path / "main.c").write_text(MAIN)
    done = ctrgen("build", str(tmp_path / "four.yaml"), "-o", str(tmp_path / "out"), "--only", "c")
    assert done.exit_code == 0
    return tmp_path


def test_a_program_links_what_it_uses(folder: Path) -> None:
    flags = shlex.split(ctrgen("runtime", "--cflags", "--archive", "--libs").stdout)
    words = ("gcc", "-O2", "main.c", "out/four_stats.c", "-Iout", *flags, "-o", "four")
    succeed(*words, "-Wl,-Map=map", cwd=folder)
    assert succeed(folder / "four") == "1 64\n"
    linked = {*re.findall(r"^\S*libctr\.a\((\w+)\.o\)", (folder / "map").read_text(), re.MULTILINE)}
    others = {path.stem for path in runtimeinfo.strategies()}
    others |= {path.stem for path in runtimeinfo.room_sources("strategies")}
    others |= {path.stem for part in runtimeinfo.COMMON_PARTS
               for path in runtimeinfo.room_sources(f"parts/{part}")}  # fmt: skip
    assert {*UNUSED.split()} <= {path.stem for path in runtimeinfo.room_sources("core")}
    assert linked >= {"module", "read"} and not linked & (others | {*UNUSED.split()})
    size = int(succeed("size", folder / "four").splitlines()[1].split()[0])
    assert size <= TEXT, f"{size:,} bytes of text"


def test_a_header_includes_what_it_needs(folder: Path) -> None:
    flags = runtimeinfo.cflags("posix")
    words = ["gcc", "-M", *flags, str(folder / "out" / "four_stats.h")]
    rule = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    ours = [Path(word) for word in rule.split() if Path(word).parent.name == "include"]
    ours = [path for path in ours if path.is_relative_to(runtimeinfo.path())]
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in ours}
    assert {"ctr_port.h", "ctr_access.h"} <= lines.keys()
    assert sum(lines.values()) <= HEADERS, lines
    source = (folder / "out" / "four_stats.c").read_text()
    assert '"ctr_table.h"' in source and "ctr_table.h" not in lines
