/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A way of counting and packets that nobody counts take turns in one program, and what counting
 * costs is the median of the differences between turns that follow each other.
 *
 * A virtual processor shares its core with strangers: work of a fixed length takes 1,000 cycles in
 * one turn and 1,400 in another, and stays at either for some turns. Neighbours in time are alike.
 */
#include <stdlib.h>
#include <time.h>

#include "bench_run.h"

uint64_t
bench_own_cycles(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)(((double)t.tv_sec * 1e9 + (double)t.tv_nsec) *
			((double)rte_get_tsc_hz() * 1e-9));
}

/*
 * One turn, of packets that are counted or not: to the end of the slice of time. The first
 * eighth is not measured, in which others may still be in the turn before. Returns cycles of a
 * packet, 0 where nothing was measured.
 */
static double
take_turn(struct bench_run *run, struct bench_worker *worker, uint64_t slice, uint32_t *at)
{
	uint64_t first = slice * run->o->slice + run->o->slice / 8, begin = 0, cycles;
	uint64_t end = (slice + 1) * run->o->slice, packets = 0, now;
	struct ctr_bench_work *work = &worker->work;
	bool counts = slice & 1, measures = false;

	for (now = rte_rdtsc(); now < end; now = rte_rdtsc()) {
		if (!measures && now >= first && bench_phase(run) == BENCH_MEASURE) {
			measures = true;
			packets = 0;
			begin = bench_own_cycles();
		}
		if (counts)
			bench_burst(run, worker, worker->traffic, *at, CTR_BENCH_BURST);
		else
			run->bare->run(worker->traffic, *at, CTR_BENCH_BURST, work);
		*at = (*at + CTR_BENCH_BURST) & (worker->traffic->count - 1);
		packets += CTR_BENCH_BURST;
	}
	if (!measures || bench_phase(run) == BENCH_STOP)
		return 0;
	cycles = bench_own_cycles() - begin;
	if (counts) {
		worker->cycles += cycles;
		__atomic_store_n(&worker->measured, worker->measured + packets, __ATOMIC_RELAXED);
	} else {
		worker->bare_cycles += cycles;
		__atomic_store_n(&worker->bare, worker->bare + packets, __ATOMIC_RELAXED);
	}
	return (double)cycles / (double)packets;
}

/* What counting costs, by three turns that follow each other; `slice` is the last of them. */
static void
record(struct bench_turns *turns, uint64_t slice, const double *cost)
{
	double around = (cost[slice % 3] + cost[(slice - 2) % 3]) / 2;
	double middle = cost[(slice - 1) % 3];
	unsigned int place = turns->count++ % BENCH_TURNS;

	/* The even turns are those of packets that nobody counts. */
	turns->bare[place] = slice & 1 ? middle : around;
	turns->more[place] = slice & 1 ? around - middle : middle - around;
}

void
bench_take_turns(struct bench_run *run, struct bench_worker *worker)
{
	uint64_t slice, last = 0;
	unsigned int row = 0; /* turns that were measured, one right after the other */
	uint32_t at[2] = { 0, 0 };
	double cost[3] = { 0 };

	while (bench_phase(run) != BENCH_STOP) {
		slice = rte_rdtsc() / run->o->slice;
		cost[slice % 3] = take_turn(run, worker, slice, &at[slice & 1]);
		if (cost[slice % 3] == 0 || slice != last + 1)
			row = 0;
		row += cost[slice % 3] != 0;
		last = slice;
		if (row >= 3)
			record(worker->turns, slice, cost);
	}
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values, unsigned int n)
{
	qsort(values, n, sizeof(*values), by_size);
	return n == 0 ? 0 : (values[n / 2] + values[(n - 1) / 2]) / 2;
}

void
bench_typical(const struct bench_run *run, struct bench_result *result)
{
	size_t most = (size_t)run->o->workers * BENCH_TURNS;
	double *bare = (double *)calloc(2 * most, sizeof(*bare)), *more = bare + most;
	unsigned int i, k, n = 0;

	for (i = 0; i < run->o->workers && run->o->slice != 0 && bare != NULL; i++) {
		const struct bench_turns *turns = run->worker[i].turns;

		for (k = 0; k < turns->count && k < BENCH_TURNS; k++, n++) {
			bare[n] = turns->bare[k];
			more[n] = turns->more[k];
		}
	}
	if (n != 0) {
		result->bare_turn = median(bare, n);
		result->turn = result->bare_turn + median(more, n);
	}
	free(bare);
}
