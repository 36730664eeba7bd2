/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Updates in a signal handler that interrupts an update of its thread: all counts are exact.
 *
 * Options: UPDATES in the thread while a timer interrupts it; REGISTERED, whether that has an lcore
 * id; EACH, of all pairs of amounts one in so many is tried step by step.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "ep_stats.h"
#include "harness.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define EPOCH_NS 20000
#define SESSIONS 4 /* some of which have one entry of a delta cache */

/* What was counted by the thread, and by handlers: an update takes 16 bits of an amount, an accessor
 * all of it.
 */
struct sums {
	uint64_t pkts[SESSIONS], bytes[SESSIONS];
};
static struct sums of_thread, of_handler;

static void
update(struct sums *sums, uint32_t session, uint64_t size)
{
	ep_stats_update_packet(session, (uint16_t)size);
	sums->pkts[session]++;
	sums->bytes[session] += (uint16_t)size;
	ep_stats_session_add_bytes(session, size);
	sums->bytes[session] += size;
}

/* Bytes of a session may be more than those of packets: the accessor adds to them alone. */
static void
compare(const char *when, uint64_t of_accessor)
{
	struct ep_stats_session session;
	struct ep_stats_global global;
	uint64_t pkts = 0, bytes = 0;
	uint32_t i;

	ep_stats_flush();
	for (i = 0; i < SESSIONS; i++) {
		const uint64_t p = of_thread.pkts[i] + of_handler.pkts[i];
		const uint64_t b = of_thread.bytes[i] + of_handler.bytes[i];

		EQUAL(ep_stats_session_read(i, &session), 0);
		CHECK(session.pkts == p, "%s: %" PRIu64 " packets instead of %" PRIu64, when,
		      session.pkts, p);
		CHECK(session.bytes == b, "%s: %" PRIx64 " octets instead of %" PRIx64, when,
		      session.bytes, b);
		pkts += p;
		bytes += b;
	}
	EQUAL(ep_stats_global_read(&global), 0);
	CHECK(global.total_pkts == pkts, "%s: %" PRIu64 " packets instead of %" PRIu64, when,
	      global.total_pkts, pkts);
	CHECK(global.total_bytes + of_accessor == bytes, "%s: octets", when);
}

static uint64_t by_accessor; /* octets of sessions that are not in the global scope */
static uint32_t fired;

static void
on_timer(int number)
{
	const uint32_t i = fired++;

	(void)number;
	by_accessor += corners[i % CORNERS];
	update(&of_handler, i % SESSIONS, corners[i % CORNERS]);
}

static void
interrupted(struct worker *me)
{
	const struct itimerspec often = { { 0, EPOCH_NS }, { 0, EPOCH_NS } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	uint64_t updates = option("UPDATES", 200000), sum = 0, i;
	timer_t timer;

	(void)me;
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	EQUAL(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	EQUAL(timer_settime(timer, 0, &often, NULL), 0);
	for (i = 0; i < updates || __atomic_load_n(&fired, __ATOMIC_RELAXED) < 50; i++) {
		sum += corners[i % CORNERS];
		update(&of_thread, (uint32_t)(i / 3) % SESSIONS, corners[i % CORNERS]);
	}
	EQUAL(timer_delete(timer), 0);
	ep_stats_flush();
	by_accessor += sum;
}

TEST(by_a_timer)
{
	struct sigaction action = { .sa_handler = on_timer };
	struct worker worker = { 0 };

	EQUAL(sigaction(SIGRTMIN, &action, NULL), 0);
	EQUAL(ep_stats_init(), 0);
	worker_start(&worker, interrupted, option("REGISTERED", 1) != 0);
	workers_go();
	workers_join(&worker, 1);
	compare("by a timer", by_accessor);
	ep_stats_fini();
}

#ifdef __x86_64__
#define TRAP_FLAG 0x100
#define MOST 100000 /* instructions of an update */

static unsigned int steps, target;
static uint32_t session;
static uint64_t amount;

/* Behind each instruction; behind one of them there is another update. */
static void
on_step(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (steps++ != target)
		return;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	by_accessor += amount;
	update(&of_handler, session, amount);
}

/* An update that is interrupted behind instruction number `target`; whether it has so many. */
static bool __attribute__((noinline))
stepped(uint64_t size)
{
	steps = 0;
	by_accessor += size;
	__asm__ volatile("subq\t$128, %%rsp\n\tpushfq\n\torq\t$0x100, (%%rsp)\n\tpopfq\n\t"
			 "addq\t$128, %%rsp" ::: "memory", "cc");
	update(&of_thread, 0, size);
	__asm__ volatile("subq\t$128, %%rsp\n\tpushfq\n\tandq\t$~0x100, (%%rsp)\n\tpopfq\n\t"
			 "addq\t$128, %%rsp" ::: "memory", "cc");
	return steps > target;
}

static void
step_through(struct worker *me)
{
	uint64_t i;

	(void)me;
	for (i = 0; i < 2 * CORNERS * CORNERS; i += option("EACH", 1)) {
		session = i % 2;
		amount = corners[i / 2 % CORNERS];
		for (target = 0; stepped(corners[i / 2 / CORNERS]); target++)
			CHECK(target < MOST, "no end");
		CHECK(target > 10, "only %u instructions", target);
	}
	ep_stats_flush();
}

TEST(step_by_step)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };
	struct worker worker = { 0 };

	EQUAL(sigaction(SIGTRAP, &action, NULL), 0);
	EQUAL(ep_stats_init(), 0);
	worker_start(&worker, step_through, option("REGISTERED", 1) != 0);
	workers_go();
	workers_join(&worker, 1);
	compare("step by step", by_accessor);
	ep_stats_fini();
}
#endif
