/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Instances by CPU, and updates that are interrupted at any instruction.
 *
 * Options: CUTS, how many interruptions; PLAIN, whether sections are there.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "ep_stats.h"
#include "../../run/harness.h"

#define SIZE 10
#define MOST_CPUS 1024

static unsigned int cpus[MOST_CPUS], num_cpus;

/* Find the CPUs on which the program may run. */
static void
find_cpus(void)
{
	cpu_set_t set;

	CHECK(sched_getaffinity(0, sizeof(set), &set) == 0, "no affinity");
	for (unsigned int i = 0; i < MOST_CPUS; i++)
		if (CPU_ISSET(i, &set))
			cpus[num_cpus++] = i;
}

/* The calling thread runs there from now on. */
static void
go_to(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK(sched_setaffinity(0, sizeof(set), &set) == 0, "not to CPU %u", cpu);
}

/* What a copy has of session 3. */
static struct ep_stats_session
copy_has(unsigned int slot)
{
	const struct ep_stats_instance *self = (const struct ep_stats_instance *)ep_stats_slots.slot[slot];
	struct ep_stats_session has = { 0, 0 };

	if (self != NULL) {
		has.pkts = ctr_load64(&self->session[3].pkts);
		has.bytes = ctr_load64(&self->session[3].bytes);
	}
	return has;
}

static uint64_t
slot_of(unsigned int cpu)
{
	return cpu < ep_stats_slots.cpus ? cpu : CTR_NON_LCORE;
}

/* A thread counts where it runs, registered or not. */
TEST(by_cpu)
{
	const uint64_t n = 1000;

	find_cpus();
	EQUAL(ctr_cpu_no_rseq(), option("PLAIN", ctr_cpu_no_rseq()));
	EQUAL(ep_stats_init(), 0);
	for (unsigned int i = 0; i < num_cpus; i++) {
		uint64_t before = copy_has((unsigned int)slot_of(cpus[i])).pkts;

		go_to(cpus[i]);
		if (i % 2 == 0)
			EQUAL(ctr_thread_register(), 0);
		for (uint64_t k = 0; k < n; k++)
			ep_stats_update_packet(3, SIZE);
		CHECK(copy_has((unsigned int)slot_of(cpus[i])).pkts > before, "nothing on CPU %u", cpus[i]);
		EQUAL(ep_stats_session_get_pkts(3), (i + 1) * n);
		EQUAL(ep_stats_session_get_bytes(3), (i + 1) * n * SIZE);
		if (i % 2 == 0)
			ctr_thread_unregister();
	}
	ep_stats_fini();
}

/* A thread without an area, as of a program that starts threads itself. */
TEST(without_an_area)
{
	uint64_t before;

	EQUAL(ep_stats_init(), 0);
	ep_stats_update_packet(3, SIZE);
#if CTR_CPU_SECTIONS
	if (ctr_cpu_no_rseq()) {
		char *self;

		__asm__("mov{q}\t{%%fs:0, %0|%0, QWORD PTR fs:0}" : "=r"(self));
		EQUAL(syscall(SYS_rseq, self + __rseq_offset, 32, 1, RSEQ_SIG), 0);
	}
#endif
	before = copy_has(CTR_NON_LCORE).pkts;
	for (unsigned int i = 0; i < 100; i++)
		ep_stats_update_packet(3, SIZE);
	ep_stats_session_add_pkts(3, UINT64_C(1) << 40);
	if (ctr_cpu_no_rseq())
		EQUAL(copy_has(CTR_NON_LCORE).pkts, before + 100 + (UINT64_C(1) << 40));
	EQUAL(ep_stats_session_get_pkts(3), 101 + (UINT64_C(1) << 40));
	EQUAL(ep_stats_session_get_bytes(3), 101 * SIZE);
	ep_stats_fini();
}

static uint64_t cuts;
static unsigned int now_on, left_on;
static struct ep_stats_session left_with;
static uint32_t torn;

/* The copy of a CPU that the thread has left does not change; then leave this one. */
static void
interrupt(int signal)
{
	struct ep_stats_session has = copy_has((unsigned int)slot_of(left_on));

	(void)signal;
	/* Of several CPUs, or with what was cut elsewhere, it may change. */
	if (slot_of(left_on) != CTR_NON_LCORE && cuts != 0 &&
	    (has.pkts != left_with.pkts || has.bytes != left_with.bytes))
		set_flag(&torn, 1);
	cuts++;
	left_on = cpus[now_on];
	if (num_cpus > 1)
		now_on = (now_on + 1) % num_cpus;
	go_to(cpus[now_on]);
	left_with = copy_has((unsigned int)slot_of(left_on));
	/* Nested in what it interrupts. */
	ep_stats_update_packet(4, SIZE);
	if (num_cpus == 1)
		left_with = copy_has((unsigned int)slot_of(left_on));
}

/* Moved to another CPU at any instruction of an update, it adds nothing where it was. */
TEST(moved)
{
	const uint64_t wanted = option("CUTS", 2000);
	struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action;
	uint64_t n = 0, singles = 0;

	find_cpus();
	memset(&action, 0, sizeof(action));
	action.sa_handler = interrupt;
	EQUAL(ep_stats_init(), 0);
	go_to(cpus[0]);
	EQUAL(sigaction(SIGALRM, &action, NULL), 0);
	EQUAL(setitimer(ITIMER_REAL, &often, NULL), 0);
	while (__atomic_load_n(&cuts, __ATOMIC_RELAXED) < wanted) {
		for (unsigned int i = 0; i < 100; i++) {
			ep_stats_update_packet(3, SIZE);
			n++;
		}
		ep_stats_session_add_pkts(5, 1);
		singles++;
	}
	EQUAL(setitimer(ITIMER_REAL, &never, NULL), 0);
	printf("cuts=%" PRIu64 " elsewhere=%" PRIu64 "\n", cuts, copy_has(CTR_NON_LCORE).pkts);
	CHECK(num_cpus == 1 || !ctr_cpu_no_rseq() || !is_set(&torn), "it adds where it was");
	EQUAL(ep_stats_session_get_pkts(3), n);
	EQUAL(ep_stats_session_get_bytes(3), n * SIZE);
	EQUAL(ep_stats_session_get_pkts(4), cuts);
	EQUAL(ep_stats_session_get_pkts(5), singles);
	EQUAL(ep_stats_get_total_pkts(), n + cuts);
	EQUAL(ep_stats_get_total_bytes(), (n + cuts) * SIZE);
	ep_stats_fini();
}
