# SPDX-License-Identifier: BSD-3-Clause
"""Threads that register, in programs that unload the runtime or have no key left."""

import os
import shlex
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.packaging.ports import EAL, generated
from tests.support.capabilities import needs, needs_dpdk
from tests.support.process import run, succeed
from tests.support.strategies import BUFFERING

pytestmark = [pytest.mark.slow, needs("cc")]

UNLOADS_DPDK = Path(__file__).parent / "unloads.c"
LIBRARY = """\
#include "one_stats.h"
int begin(void);
int enter(void);
void finish(void);
int begin(void) { return one_stats_init(); }
int enter(void) { int rc = ctr_thread_register(); one_stats_inc_pkts(); return rc; }
void finish(void) { one_stats_fini(); }
"""
UNLOADS = """\
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static pthread_barrier_t meet;
static void *worker(void *enter)
{
	const int rc = ((int (*)(void))(uintptr_t)enter)();

	(void)pthread_barrier_wait(&meet);
	(void)pthread_barrier_wait(&meet);
	return (void *)(intptr_t)rc;
}
int main(void)
{
	void *library = dlopen("./library.so", RTLD_NOW), *rc;
	pthread_t thread;

	(void)pthread_barrier_init(&meet, NULL, 2);
	if (library == NULL || ((int (*)(void))(uintptr_t)dlsym(library, "begin"))() != 0)
		return 1;
	if (pthread_create(&thread, NULL, worker, dlsym(library, "enter")) != 0)
		return 1;
	(void)pthread_barrier_wait(&meet);
	((void (*)(void))(uintptr_t)dlsym(library, "finish"))();
	if (dlclose(library) != 0)
		return 1;
	(void)pthread_barrier_wait(&meet);
	(void)pthread_join(thread, &rc);
	printf("%d", (int)(intptr_t)rc);
	return 0;
}
"""
EXHAUSTS = """\
#include <pthread.h>
#include <stdio.h>
#include "one_stats.h"
int main(void)
{
	pthread_key_t first, next;
	int value = 0, rc;

	if (pthread_key_create(&first, NULL) != 0 || pthread_setspecific(first, &value) != 0)
		return 1;
	while (pthread_key_create(&next, NULL) == 0)
		;
	rc = one_stats_init();
	printf("%d", rc);
	rc = ctr_thread_register();
	one_stats_inc_pkts();
	printf(" %d %d", rc == -EAGAIN, pthread_getspecific(first) == &value);
	printf(" %d", (int)one_stats_get_pkts());
	(void)pthread_key_delete(first);
	printf(" %d", ctr_thread_register());
	one_stats_fini();
	return 0;
}
"""
JOINS = """\
#include <pthread.h>
#include <stdio.h>
#include "one_stats.h"
static pthread_barrier_t meet;
static pthread_t thread;
static void *worker(void *unused)
{
	if (ctr_thread_register() == 0)
		one_stats_inc_pkts();
	(void)pthread_barrier_wait(&meet);
	(void)pthread_barrier_wait(&meet);
	return unused;
}
static __attribute__((destructor)) void end(void)
{
	(void)pthread_barrier_wait(&meet);
	(void)pthread_join(thread, NULL);
	printf("%d", (int)one_stats_get_pkts());
	one_stats_fini();
	(void)fflush(stdout);
}
int main(void)
{
	(void)pthread_barrier_init(&meet, NULL, 2);
	if (one_stats_init() != 0 || pthread_create(&thread, NULL, worker, NULL) != 0)
		return 1;
	(void)pthread_barrier_wait(&meet);
	return 0;
}
"""


def built(folder: Path, name: str, text: str, *options: str) -> None:
    (folder / f"{name}.c").write_text(text)
    words = shlex.split(runtimeinfo.line("posix", True, True, True))
    source = [f"{name}.c", *([] if name == "unloads" else ["out/one_stats.c", "-Iout", *words])]
    options = (*options, "-std=gnu11", "-O0", "-pthread", "-o", f"{name}.so")
    succeed("cc", *source, *options, cwd=folder)


def printed(folder: Path, name: str) -> str:
    done = run(folder / f"{name}.so", cwd=folder)
    assert done.returncode == 0, done
    return done.stdout


def test_a_thread_outlives_the_library_in_which_it_registered(tmp_path: Path) -> None:
    generated(tmp_path)
    built(tmp_path, "library", LIBRARY, "-fPIC", "-shared")
    built(tmp_path, "unloads", UNLOADS)
    assert printed(tmp_path, "unloads") == "0"


def test_without_a_key_left_no_key_of_another_library_changes(tmp_path: Path) -> None:
    generated(tmp_path)
    built(tmp_path, "exhausts", EXHAUSTS)
    assert printed(tmp_path, "exhausts") == "0 1 1 1 0"


def test_a_destructor_of_the_application_joins_a_thread(tmp_path: Path) -> None:
    generated(tmp_path, BUFFERING)
    built(tmp_path, "joins", JOINS)
    assert printed(tmp_path, "joins") == "1"


@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("parts", [(), ("telemetry",)], ids=["callbacks", "telemetry"])
def test_dpdk_calls_nothing_of_a_library_that_is_gone(
    parts: tuple[str, ...], tmp_path: Path
) -> None:
    generated(tmp_path)
    words = shlex.split(runtimeinfo.line("dpdk", True, True, True, parts))
    flags = shlex.split(runtimeinfo.line("dpdk", True, False, True))
    common = ("cc", "-std=gnu11", "-O0", *(f"-D{part.upper()}" for part in parts), UNLOADS_DPDK)
    plugin = ("-fPIC", "-shared", "-ftls-model=initial-exec", "-DPLUGIN", "-Iout")
    succeed(*common, *plugin, "out/one_stats.c", *words, "-o", "library.so", cwd=tmp_path)
    succeed(*common, *flags, "-o", "unloads", cwd=tmp_path)
    eal = [word for word in EAL if word != "--no-telemetry"]
    prefix = f"--file-prefix={tmp_path.name}{os.getpid()}"
    done = run(tmp_path / "unloads", "./library.so", *eal, prefix, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done
