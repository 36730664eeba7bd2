/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Updates that a signal interrupts every 20 us, and more threads than CPUs: whatever an update adds,
 * 0 and what wraps included, it adds once. A missed add finds its word by the index.
 *
 * Options: CUTS, how many signals; THREADS.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "ctr.h"
#include "../../run/harness.h"
#include "cut_stats.h"

#define FLOW (CUT_STATS_FLOW_MAX - 1)
#define MOST_THREADS 16
#define N 4
#define BURSTS 50
#define WAYS (UINT64_C(2) + BURSTS)

/* What a thread added. */
struct sums {
	uint64_t a, b, c, d, units, row, observed[3], sum;
	uint32_t few;
};

static uint64_t cuts;

static void
interrupt(int signal)
{
	(void)signal;
	(void)__atomic_fetch_add(&cuts, 1, __ATOMIC_RELAXED);
}

static uint64_t
pick(struct worker *me)
{
	return corners[draw(me) % CORNERS];
}

/* In each way that there is, the same amounts, often: mostly several in an update. */
static void
count(struct worker *me, struct sums *sums)
{
	const uint32_t a[N] = { 0, (uint32_t)pick(me), 0, 1 }, b[N] = { 1, 0, (uint32_t)pick(me), 0 };
	const uint32_t c[N] = { (uint32_t)pick(me), 0, 0, 1 }, d[N] = { 1, (uint32_t)pick(me), 0, 0 };
	const uint64_t n[N] = { pick(me), 1, pick(me), 0 };
	struct cut_stats_batch batch;

	for (unsigned int k = 0; k < BURSTS; k++)
		for (unsigned int i = 0; i < N; i++)
			cut_stats_update_burst(a[i], b[i], c[i], d[i]);
	cut_stats_update_burst_bulk(a, b, c, d, N);
	cut_stats_batch_begin(&batch);
	for (unsigned int i = 0; i < N; i++) {
		cut_stats_batch_burst(&batch, a[i], b[i], c[i], d[i]);
		sums->a += WAYS * a[i] + 1;
		sums->b += WAYS * b[i];
		sums->c += WAYS * c[i];
		sums->d += WAYS * d[i];
		cut_stats_update_packet(FLOW, n[i], d[i], b[i]);
		cut_stats_flow_add_units(FLOW, n[i]);
		cut_stats_flow_add_few(FLOW, d[i]);
		sums->units += 2 * n[i];
		sums->few += 2 * d[i];
		sums->observed[b[i] == 0 ? 0 : b[i] <= 65535 ? 1 : 2]++;
		sums->sum += b[i];
	}
	cut_stats_batch_end(&batch);
	cut_stats_update_row(0, n[0]);
	sums->row += n[0];
}

static void
count_until_cut(struct worker *me)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	EQUAL(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
	while (__atomic_load_n(&cuts, __ATOMIC_RELAXED) < option("CUTS", 20000))
		count(me, (struct sums *)me->data);
	EQUAL(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
}

/* Interrupt threads that do not block the signal every so many microseconds, or no more. */
static void
interrupt_each(long us)
{
	const struct itimerval often = { { 0, us }, { 0, us } };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = interrupt;
	EQUAL(sigaction(SIGALRM, &action, NULL), 0);
	EQUAL(setitimer(ITIMER_REAL, &often, NULL), 0);
}

TEST(amounts)
{
	const unsigned int threads = (unsigned int)option("THREADS", 8);
	static struct worker workers[MOST_THREADS];
	static struct sums counted[MOST_THREADS];
	struct sums all;
	struct cut_stats_global global;
	struct cut_stats_flow flow;
	struct cut_stats_row row;
	sigset_t set;

	CHECK(threads <= MOST_THREADS, "too many");
	memset(&all, 0, sizeof(all));
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	EQUAL(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	EQUAL(cut_stats_init(), 0);
	EQUAL(cut_stats_flow_create(FLOW), 0);
	for (unsigned int i = 0; i < threads; i++) {
		workers[i].number = i;
		workers[i].data = &counted[i];
		worker_start(&workers[i], count_until_cut, false);
	}
	interrupt_each(20);
	workers_go();
	workers_join(workers, threads);
	interrupt_each(0);
	for (unsigned int i = 0; i < threads; i++) {
		all.a += counted[i].a;
		all.b += counted[i].b;
		all.c += counted[i].c;
		all.d += counted[i].d;
		all.units += counted[i].units;
		all.few += counted[i].few;
		all.row += counted[i].row;
		all.sum += counted[i].sum;
		for (unsigned int k = 0; k < 3; k++)
			all.observed[k] += counted[i].observed[k];
	}
	cut_stats_global_read(&global);
	EQUAL(global.a, all.a);
	EQUAL(global.b, all.b);
	EQUAL(global.c, all.c);
	EQUAL(global.d, all.d);
	EQUAL(cut_stats_flow_read(FLOW, &flow), 0);
	EQUAL(flow.units, all.units);
	EQUAL(flow.few, all.few);
	EQUAL(flow.sizes_to_0, all.observed[0]);
	EQUAL(flow.sizes_to_65535, all.observed[1]);
	EQUAL(flow.sizes_above_65535, all.observed[2]);
	EQUAL(flow.sizes_sum, all.sum);
	cut_stats_row_read(0, &row);
	EQUAL(row.c00, all.row);
	EQUAL(row.c31, all.row);
	EQUAL(row.c32, all.row);
	cut_stats_fini();
}

/* Whether the pages between the first chunk of flows and the last one may be looked at. */
static void
chunks(int protection)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	for (unsigned int slot = 0; slot < CTR_SLOTS; slot++) {
		struct cut_stats_instance *self = (struct cut_stats_instance *)cut_stats_slots.slot[slot];
		const size_t most = sizeof(self->flow) / sizeof(self->flow[0]);
		uintptr_t first, last;

		if (self == NULL)
			continue;
		first = ((uintptr_t)&self->flow[1] + page - 1) / page * page;
		last = (uintptr_t)&self->flow[most - 1] / page * page;
		CHECK(first < last, "too few chunks");
		EQUAL(mprotect((void *)first, last - first, protection), 0);
	}
}

static void
faulted(int signal)
{
	(void)signal;
	CHECK(false, "it looks at other chunks");
}

/* A missed add looks at the chunk of its element, and at no other. */
TEST(chunk)
{
	const struct cut_stats_instance *other;
	const struct cut_stats_flow_data *data;
	struct cut_stats_flow flow;
	uint64_t n = 0;

	EQUAL(cut_stats_init(), 0);
	EQUAL(cut_stats_flow_create(FLOW), 0);
	other = (const struct cut_stats_instance *)cut_stats_slots.slot[CTR_NON_LCORE];
	data = cut_stats_flow_find(other, FLOW);
	chunks(PROT_NONE);
	(void)signal(SIGSEGV, faulted);
	interrupt_each(20);
	for (unsigned int i = 0; i < 100000000 && ctr_load64(&data->units) == 0; i++) {
		cut_stats_update_packet(FLOW, 1, 1, 1);
		cut_stats_flow_inc_units(FLOW);
		n += 2;
	}
	interrupt_each(0);
	chunks(PROT_READ | PROT_WRITE);
	CHECK(ctr_load64(&data->units) != 0 || !ctr_cpu_no_rseq(), "nothing was cut");
	EQUAL(cut_stats_flow_read(FLOW, &flow), 0);
	EQUAL(flow.units, n);
	cut_stats_fini();
}
