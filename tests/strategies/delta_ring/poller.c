/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The control thread of the library: what it drains, and when it is there.
 *
 * The program is linked with --wrap=ctr_port_control_start. Options: PATIENCE, the seconds after which
 * a test that waits has failed; BOUND, that of the strategy.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "ctr.h"
#include "ep_stats.h"
#include "../../run/harness.h"
#include "../../run/heap.h"

#define CASE(name) TEST_BETWEEN(name, begin(), wait_for_threads(0))

#define SIZE 100
#define TASKS "/proc/self/task"

/* A test that waits for long has failed. */
#define PATIENCE ((unsigned int)option("PATIENCE", 60))

static int failure;

int __real_ctr_port_control_start(struct ctr_port_control *thread, const char *name);
int __wrap_ctr_port_control_start(struct ctr_port_control *thread, const char *name);

int
__wrap_ctr_port_control_start(struct ctr_port_control *thread, const char *name)
{
	return failure != 0 ? failure : __real_ctr_port_control_start(thread, name);
}

/* Threads of that name; a file of the last one of them is opened. */
static unsigned int
control_threads(const char *file, FILE **opened)
{
	DIR *tasks = opendir(TASKS);
	const struct dirent *task;
	unsigned int n = 0;

	CHECK(tasks != NULL, "no " TASKS);
	while ((task = readdir(tasks)) != NULL) {
		char path[300], name[32] = "";
		FILE *comm;

		snprintf(path, sizeof(path), TASKS "/%s/comm", task->d_name);
		comm = fopen(path, "r");
		if (comm == NULL)
			continue;
		if (fgets(name, sizeof(name), comm) != NULL && strcmp(name, "ctr-poll\n") == 0) {
			n++;
			snprintf(path, sizeof(path), TASKS "/%s/%s", task->d_name, file);
			if (opened != NULL)
				*opened = fopen(path, "r");
		}
		fclose(comm);
	}
	closedir(tasks);
	return n;
}

/* The kernel knows a thread a little longer than pthread_join(). */
static void
wait_for_threads(unsigned int n)
{
	while (control_threads("comm", NULL) != n)
		ctr_yield();
}

/* ---- another module ---- */

static struct ctr_control other_control = CTR_CONTROL_INITIALIZER;
static uint64_t polled;

static bool
poll_other(const struct ctr_domain *domain)
{
	(void)domain;
	__atomic_fetch_add(&polled, 1, __ATOMIC_RELAXED);
	return false;
}

static const struct ctr_strategy other_strategy = { .poll = poll_other };
static const struct ctr_domain other_domain = { .strategy = &other_strategy };
static const struct ctr_domain *const other_domains[] = { &other_domain };
static struct ctr_module_poller other_poller;
static const struct ctr_module_state other = { .control = &other_control, .poller = &other_poller,
	.domains = other_domains, .num_domains = 1 };

/* It is polled from now on. */
static void
other_is_polled(void)
{
	const uint64_t before = __atomic_load_n(&polled, __ATOMIC_RELAXED);

	while (__atomic_load_n(&polled, __ATOMIC_RELAXED) < before + 2)
		ctr_yield();
}

static void
other_is_not_polled(void)
{
	const uint64_t before = __atomic_load_n(&polled, __ATOMIC_RELAXED);

	usleep(200000);
	EQUAL(__atomic_load_n(&polled, __ATOMIC_RELAXED), before);
}

/* ---- an lcore that counts, and ends no burst ---- */

static uint32_t stop;
static uint64_t counted;

static void
count_and_sleep(struct worker *me)
{
	(void)me;
	ep_stats_update_packet(7, SIZE);
	__atomic_fetch_add(&counted, 1, __ATOMIC_RELEASE);
	await(&stop);
}

static void
all_is_seen(void)
{
	while (ep_stats_session_get_pkts(7) != __atomic_load_n(&counted, __ATOMIC_ACQUIRE))
		ctr_yield();
	EQUAL(ep_stats_session_get_bytes(7), SIZE * counted);
}

static void
begin(void)
{
	(void)alarm(PATIENCE);
	EQUAL(ep_stats_init(), 0);
}

/* What an lcore has sent that sleeps is seen, also next to other modules; with the first module
 * the thread comes, with the last it goes. */
CASE(drains)
{
	struct worker worker = { 0 };

	wait_for_threads(1);
	EQUAL(ctr_poller_start(&other), 0);
	worker_start(&worker, count_and_sleep, true);
	workers_go();
	while (__atomic_load_n(&counted, __ATOMIC_ACQUIRE) == 0)
		ctr_yield();
	all_is_seen();
	other_is_polled();
	EQUAL(control_threads("comm", NULL), 1);
	ctr_poller_stop(&other);
	other_is_not_polled();
	EQUAL(ctr_poller_start(&other), 0);
	set_flag(&stop, 1);
	workers_join(&worker, 1);
	ep_stats_fini();
	other_is_polled();
	wait_for_threads(1);
	ctr_poller_stop(&other);
	ctr_poller_stop(&other);
	wait_for_threads(0);
	EQUAL(ep_stats_init(), 0);
	wait_for_threads(1);
	ep_stats_fini();
}

static void
hold(struct worker *me)
{
	(void)me;
	ctr_control_hold(&other_control);
	set_flag(&stop, 2);
	while (__atomic_load_n(&stop, __ATOMIC_RELAXED) != 3)
		usleep(100);
	ctr_control_release(&other_control);
}

/* A module in a long read section holds up neither others nor the end. */
CASE(held)
{
	struct worker workers[2] = { { 0 } };

	EQUAL(ctr_poller_start(&other), 0);
	worker_start(&workers[0], hold, false);
	workers_go();
	while (__atomic_load_n(&stop, __ATOMIC_RELAXED) != 2)
		ctr_yield();
	other_is_not_polled();
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(7, SIZE);
	counted = 1;
	all_is_seen();
	ctr_thread_unregister();
	ctr_poller_stop(&other);
	ep_stats_fini();
	wait_for_threads(0);
	set_flag(&stop, 3);
	workers_join(workers, 1);
	/* Nor is it stopped by its own module's. */
	EQUAL(ep_stats_init(), 0);
	ctr_control_hold(&other_control);
	EQUAL(ctr_poller_start(&other), 0);
	ctr_poller_stop(&other);
	ctr_control_release(&other_control);
	ep_stats_fini();
}

/* Without the thread P_init() fails, and leaves nothing. */
TEST(fails)
{
	(void)alarm(PATIENCE);
	failure = -EAGAIN;
	EQUAL(ep_stats_init(), -EAGAIN);
	EQUAL(heap_blocks(), 0);
	EQUAL(ctr_poller_start(&other), -EAGAIN);
	failure = 0;
	EQUAL(ep_stats_init(), 0);
	EQUAL(ep_stats_init(), -EALREADY);
	EQUAL(ctr_thread_register(), 0);
	ep_stats_update_packet(7, SIZE);
	counted = 1;
	all_is_seen();
	ctr_thread_unregister();
	/* The one that is there serves others as well. */
	failure = -EAGAIN;
	EQUAL(ctr_poller_start(&other), 0);
	other_is_polled();
	ep_stats_fini();
	ctr_poller_stop(&other);
	EQUAL(heap_blocks(), 0);
	wait_for_threads(0);
}

/* Signals of the process are for the application's threads. */
TEST(signals)
{
	char line[200];
	unsigned long long blocked = 0;
	FILE *status = NULL;

	begin();
	wait_for_threads(1);
	EQUAL(control_threads("status", &status), 1);
	CHECK(status != NULL, "no status");
	while (fgets(line, sizeof(line), status) != NULL)
		(void)sscanf(line, "SigBlk: %llx", &blocked);
	fclose(status);
	for (int number = 1; number < 32; number++)
		if (number != SIGKILL && number != SIGSTOP)
			CHECK((blocked >> (number - 1) & 1) != 0, "signal %d is not blocked", number);
	ep_stats_fini();
}

static void
child(void)
{
	uint64_t calls = 0;

	(void)alarm(PATIENCE);
	EQUAL(control_threads("comm", NULL), 0);
	/* No thread: the ends of bursts do its work. */
	counted = CTR_FORK_COPIES ? counted + 1 : 1;
	ep_stats_update_packet(7, SIZE);
	while (ep_stats_session_get_pkts(7) != counted && calls++ < option("BOUND", 1024))
		ep_stats_burst_end();
	EQUAL(ep_stats_session_get_pkts(7), counted);
	/* P_init() of another module makes one, for both. */
	EQUAL(ctr_poller_start(&other), 0);
	ep_stats_update_packet(7, SIZE);
	counted++;
	all_is_seen();
	other_is_polled();
	ep_stats_fini();
	ctr_poller_stop(&other);
	wait_for_threads(0);
	EQUAL(ep_stats_init(), 0);
	wait_for_threads(1);
	_exit(0);
}

/* A child of fork() has no thread until a module begins in it; the parent keeps its own. */
CASE(forked)
{
	pid_t pid;

	EQUAL(ctr_thread_register(), 0);
	for (unsigned int i = 0; i < option("FORKS", 20); i++) {
		ep_stats_update_packet(7, SIZE);
		counted++;
		pid = fork_off();
		if (pid == 0)
			child();
		ended_well(pid);
		all_is_seen();
	}
	EQUAL(control_threads("comm", NULL), 1);
	ctr_thread_unregister();
	ep_stats_fini();
}
