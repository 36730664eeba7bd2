/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#include <rte_launch.h>
#endif

/* Threads wait until the start that they were launched for is given. */
static uint32_t starts_given;
static uint32_t launched, waiting;
static struct harness_test *tests;
#ifdef CTR_PORT_DPDK
static unsigned int next_eal_lcore;
#endif

const uint64_t corners[CORNERS] = {
	0, 1, UINT16_MAX, UINT64_C(1) << 31, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX,
};

void
harness_add(struct harness_test *test)
{
	test->next = tests;
	tests = test;
}

void
harness_fail(const char *file, int line, const char *what, const char *format, ...)
{
	va_list more;

	fprintf(stderr, "%s:%d: failed: %s: ", file, line, what);
	va_start(more, format);
	vfprintf(stderr, format, more);
	va_end(more);
	fputc('\n', stderr);
	fflush(stderr);
	_exit(1);
}

void
harness_equal(const char *file, int line, const char *what, int64_t got, int64_t wanted)
{
	if (got != wanted)
		harness_fail(file, line, what, "%" PRId64 " (%#" PRIx64 ") instead of %" PRId64
			     " (%#" PRIx64 ")", got, (uint64_t)got, wanted, (uint64_t)wanted);
}

uint64_t
option(const char *name, uint64_t otherwise)
{
	char variable[64];
	const char *text;

	snprintf(variable, sizeof(variable), "CTR_TEST_%s", name);
	text = getenv(variable);
	return text != NULL && *text != '\0' ? strtoull(text, NULL, 0) : otherwise;
}

static void
wait_for_start(struct worker *me)
{
	(void)__atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&starts_given, __ATOMIC_RELAXED) == me->start)
		(void)sched_yield();
}

static void *
run_worker(void *argument)
{
	struct worker *me = (struct worker *)argument;

	if (me->registered) {
		int rc = ctr_thread_register();

		CHECK(rc == 0, "ctr_thread_register() gives %d", rc);
	}
	wait_for_start(me);
	me->work(me);
	if (me->registered)
		ctr_thread_unregister();
	return NULL;
}

#ifdef CTR_PORT_DPDK
static int
run_lcore(void *argument)
{
	struct worker *me = (struct worker *)argument;

	wait_for_start(me);
	me->work(me);
	__atomic_store_n(&me->ended, 1, __ATOMIC_RELEASE);
	return 0;
}

/* Run on the next worker lcore of the EAL, if there is one left. */
static bool
start_on_lcore(struct worker *worker)
{
	unsigned int lcore = rte_get_next_lcore(next_eal_lcore, 1, 0);

	if (lcore >= RTE_MAX_LCORE)
		return false;
	next_eal_lcore = lcore;
	worker->eal_lcore = lcore;
	worker->stays = true;
	CHECK(rte_eal_remote_launch(run_lcore, worker, lcore) == 0, "lcore %u is busy", lcore);
	return true;
}

static void
start_port(const char *program)
{
	char prefix[64];
	const char *words[] = {
		program, "--no-huge", "--no-pci", "--no-telemetry", "--lcores", "(0-3)@(0,1)",
		"--log-level", "error", "--file-prefix", prefix, "-m", "256",
	};
	char *copies[CTR_MAX_LCORE];
	int n = (int)(sizeof(words) / sizeof(words[0])), i;

	if (option("HUGE", 0) != 0) {
		words[1] = "--in-memory";
		n -= 2; /* as many huge pages as it takes */
	}
	snprintf(prefix, sizeof(prefix), "ctrgen-test-%ld", (long)getpid());
	for (i = 0; i < n; i++)
		copies[i] = strdup(words[i]);
	CHECK(rte_eal_init(n, copies) >= 0, "the EAL does not start");
}

static void
end_port(void)
{
	(void)rte_eal_cleanup();
}
#else
static bool
start_on_lcore(struct worker *worker)
{
	(void)worker;
	return false;
}

static void
start_port(const char *program)
{
	(void)program;
}

static void
end_port(void)
{
}
#endif

void
worker_start(struct worker *worker, work_t work, bool registered)
{
	worker->work = work;
	worker->registered = registered;
	worker->stays = false;
	worker->eal_lcore = 0;
	worker->ended = 0;
	worker->start = starts_given;
	launched++;
	worker->random = 0x9e3779b97f4a7c15u * (worker->number + 1);
	if (registered && start_on_lcore(worker))
		return;
	CHECK(pthread_create(&worker->thread, NULL, run_worker, worker) == 0, "no more threads");
}

void
workers_start(struct worker *workers, unsigned int n, work_t work, unsigned int lcores)
{
	unsigned int i;

	memset(workers, 0, n * sizeof(*workers));
	for (i = 0; i < n; i++) {
		workers[i].number = i;
		worker_start(&workers[i], work, i < lcores);
	}
}

void
workers_go(void)
{
	while (__atomic_load_n(&waiting, __ATOMIC_RELAXED) != launched)
		(void)sched_yield();
	set_flag(&starts_given, starts_given + 1);
}

void
workers_join(struct worker *workers, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
#ifdef CTR_PORT_DPDK
		if (workers[i].eal_lcore != 0) {
			/* What ThreadSanitizer can see: the EAL's own wait is not instrumented. */
			while (__atomic_load_n(&workers[i].ended, __ATOMIC_ACQUIRE) == 0)
				ctr_yield();
			(void)rte_eal_wait_lcore(workers[i].eal_lcore);
			next_eal_lcore = 0;
			continue;
		}
#endif
		CHECK(pthread_join(workers[i].thread, NULL) == 0, "worker %u", i);
	}
}

static void (*told)(void);

void
obey(struct worker *me)
{
	void (*what)(void);

	(void)me;
	EQUAL(ctr_thread_register(), 0);
	while (ctr_lcore_id() != CTR_LCORE_ANY) {
		what = __atomic_load_n(&told, __ATOMIC_ACQUIRE);
		if (what == NULL) {
			(void)sched_yield();
			continue;
		}
		what();
		__atomic_store_n(&told, NULL, __ATOMIC_RELEASE);
	}
}

void
tell(void (*what)(void))
{
	__atomic_store_n(&told, what, __ATOMIC_RELEASE);
	while (__atomic_load_n(&told, __ATOMIC_ACQUIRE) != NULL)
		(void)sched_yield();
}

void
run_thread(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	CHECK(pthread_create(&thread, NULL, run, arg) == 0, "no thread");
	CHECK(pthread_join(thread, NULL) == 0, "no end");
}

void
await(const uint32_t *flag)
{
	while (!is_set(flag))
		(void)usleep(100);
}

pid_t
fork_off(void)
{
	pid_t child = fork();

	CHECK(child >= 0, "no process");
	if (child == 0)
		(void)alarm((unsigned int)option("SECONDS", 20));
	return child;
}

void
ended_well(pid_t child)
{
	int status = -1;

	CHECK(waitpid(child, &status, 0) == child, "no child");
	CHECK(!WIFSIGNALED(status), "the child ends by signal %d", WTERMSIG(status));
	EQUAL(WEXITSTATUS(status), 0);
}

uint32_t
draw(struct worker *me)
{
	me->random ^= me->random << 13;
	me->random ^= me->random >> 7;
	me->random ^= me->random << 17;
	return (uint32_t)(me->random >> 32);
}

int
main(int argc, char **argv)
{
	const struct harness_test *test;

	CHECK(argc == 2, "usage: %s TEST", argv[0]);
	for (test = tests; test != NULL && strcmp(test->name, argv[1]) != 0; test = test->next)
		;
	CHECK(test != NULL, "no test '%s'", argv[1]);
	start_port(argv[0]);
	test->run();
	end_port();
	return 0;
}
