# SPDX-License-Identifier: BSD-3-Clause
"""A runtime that is in a program twice: it counts, under the POSIX port with ids of its own."""

import shlex
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.packaging.ports import EAL, generated
from tests.support.capabilities import needs, needs_dpdk
from tests.support.process import run, succeed

pytestmark = [pytest.mark.slow, needs("cc")]

LIBRARY = """\
#include "one_stats.h"
__attribute__((visibility("default"))) int library_init(void);
__attribute__((visibility("default"))) int library_own_slot(void);
int library_init(void) { return one_stats_init(); }
int library_own_slot(void) { one_stats_inc_pkts(); return ctr_lcore_id() != CTR_LCORE_ANY; }
"""
MAIN = """\
#include <stdio.h>
#include "ctr.h"
int library_init(void);
int library_own_slot(void);
#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#else
#define rte_eal_init(argc, argv) ((void)argc, (void)argv, 0)
#endif
int main(int argc, char **argv)
{
	int registered, ready;

	if (rte_eal_init(argc, argv) < 0)
		return 9;
	registered = ctr_thread_register();
	ready = library_init();
	printf("%d %d", registered, ready);
	if (registered == 0 && ready == 0)
		printf(" %s", library_own_slot() ? "fast" : "slow");
	return 0;
}
"""


def program(folder: Path, port: str, hidden: bool) -> tuple[str, str]:
    """What a program prints whose library and main part each have a runtime; and its stderr."""
    (folder / "library.c").write_text(LIBRARY)
    (folder / "main.c").write_text(MAIN)
    generated(folder)

    def words(*what: bool) -> list[str]:
        return shlex.split(runtimeinfo.line(port, *what))

    flags, libs = [*words(True, True, False), "-std=gnu11", "-O0"], words(False, False, True)
    library = ["-fPIC", "-shared", "library.c", "out/one_stats.c", "-Iout"]
    library += ["-fvisibility=hidden"] if hidden else []
    succeed("cc", *library, *flags, *libs, "-o", "library.so", cwd=folder)
    succeed("cc", "main.c", "./library.so", *flags, *libs, "-o", "program", cwd=folder)
    done = run(folder / "program", *(EAL if port == "dpdk" else ()), cwd=folder)
    assert done.returncode == 0, done
    return done.stdout.splitlines()[-1], done.stderr


def test_two_copies_have_ids_of_their_own(tmp_path: Path) -> None:
    assert program(tmp_path, "posix", True) == ("0 0 slow", "")


@pytest.mark.deep
def test_one_copy_that_both_use(tmp_path: Path) -> None:
    assert program(tmp_path, "posix", False) == ("0 0 fast", "")


@pytest.mark.deep
@needs_dpdk
def test_lcore_ids_of_dpdk_are_the_same_in_both(tmp_path: Path) -> None:
    assert program(tmp_path, "dpdk", True)[0] == "0 0 fast"
