# SPDX-License-Identifier: BSD-3-Clause
"""The programs of docs/api.md compile without a warning, and print what the page says."""

from pathlib import Path

from tests.docs.test_docs import STRICT, files
from tests.support.capabilities import needs
from tests.support.cbuild import QUICK, Build, shared
from tests.support.planted import PROJECT
from tests.support.process import run

SCHEMA = """\
ctrgen: 1
module: ep
scopes:
  drop:
    labels: [vlan, ttl, acl]
    counters:
      pkts: {unit: packets, description: Packets dropped.}
"""
MAIN = """\
#include <errno.h>

#include "ep_stats.h"

int print_drops(const struct ctr_module *module, const char *reason);

int
main(void)
{
	if (ep_stats_init() != 0 || print_drops(&ep_stats_module, "ttl") != -EINVAL)
		return 1;
	ep_stats_drop_add_pkts(EP_STATS_DROP_TTL, 12);
	ep_stats_drop_add_pkts(EP_STATS_DROP_ACL, 7);
	if (print_drops(&ep_stats_module, "ttl") != 0)
		return 2;
	ep_stats_drop_add_pkts(EP_STATS_DROP_TTL, 30);
	if (print_drops(&ep_stats_module, "ttl") != 0)
		return 3;
	return print_drops(&ep_stats_module, "nonsense") == -ENOENT ? 0 : 4;
}
"""


@needs("cc")
def test_programs(tmp_path: Path) -> None:
    shown = {path.name: path for path in files("api.md", tmp_path) if path.suffix == ".c"}
    assert {"list.c", "rate.c"} <= shown.keys()
    (tmp_path / "ep.yaml").write_text(SCHEMA)
    (tmp_path / "main.c").write_text(MAIN)
    PROJECT.succeed("build", tmp_path / "ep.yaml", "-o", tmp_path / "ep", "--only", "c")
    sources = [shown["rate.c"], shown["list.c"], tmp_path / "main.c", tmp_path / "ep/ep_stats.c"]
    program = tmp_path / "program"
    shared().link(program, Build(flags=QUICK, own_flags=STRICT), sources, [tmp_path / "ep"])
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert [line.split(",")[0] for line in done.stdout.splitlines()] == ["12 packets", "30 packets"]
