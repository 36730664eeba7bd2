/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interleaved runs: one program alternates between slices of counted and uncounted packets. The
 * cost of counting is the median of the differences between adjacent slices.
 *
 * A virtual processor shares its core with other machines: fixed work takes 1,000 cycles in some
 * consecutive slices and 1,400 in others. Adjacent slices mostly run at the same speed.
 */
#include <stdlib.h>

#include "bench.h"

/* One slice, without its first eighth, in which other workers may be in the previous one: cycles of
 * a packet, 0 where nothing was measured.
 */
static double
take_turn(struct bench_run *run, struct bench_worker *worker, uint64_t slice, bench_step_t step)
{
	uint64_t length = run->o->slice, first = slice * length + length / 8;
	uint64_t end = length != 0 ? (slice + 1) * length : UINT64_MAX;
	uint64_t packets = 0, begin = 0, cycles, now;
	bool counts = (slice & 1) != 0 || length == 0, measures = false;
	uint32_t phase = BENCH_WARM;

	for (now = rte_rdtsc(); now < end; now = rte_rdtsc()) {
		phase = bench_phase(run);
		if (phase == BENCH_STOP)
			break;
		if (!measures && now >= first && phase == BENCH_MEASURE) {
			bench_begin_measuring(worker);
			measures = true;
			packets = 0;
			begin = bench_own_cycles();
		}
		packets += step(run, worker, counts);
	}
	/* At the end other workers may have stopped already. */
	if (!measures || packets == 0 || (phase == BENCH_STOP && length != 0))
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

/* The cost of counting, from three adjacent slices; `slice` is the last of them. */
static void
record(struct bench_turns *turns, uint64_t slice, const double *cost)
{
	double around = (cost[slice % 3] + cost[(slice - 2) % 3]) / 2;
	double middle = cost[(slice - 1) % 3];
	unsigned int place = turns->count++ % BENCH_TURNS;

	/* Even slices are of uncounted packets. */
	turns->bare[place] = slice & 1 ? middle : around;
	turns->more[place] = slice & 1 ? around - middle : middle - around;
}

void
bench_take_turns(struct bench_run *run, struct bench_worker *worker, bench_step_t step)
{
	uint64_t slice, last = 0;
	unsigned int row = 0; /* consecutive measured slices */
	double cost[3] = { 0 };

	while (bench_phase(run) != BENCH_STOP) {
		slice = run->o->slice != 0 ? rte_rdtsc() / run->o->slice : 0;
		cost[slice % 3] = take_turn(run, worker, slice, step);
		if (cost[slice % 3] == 0 || slice != last + 1)
			row = 0;
		row += cost[slice % 3] != 0;
		last = slice;
		if (row >= 3)
			record(&worker->turns, slice, cost);
	}
}

int
bench_by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values, unsigned int n)
{
	qsort(values, n, sizeof(*values), bench_by_size);
	return (values[n / 2] + values[(n - 1) / 2]) / 2;
}

void
bench_typical(const struct bench_run *run, struct bench_result *result)
{
	unsigned int i, n, workers = 0;

	for (i = 0; i < run->o->workers && run->o->slice != 0; i++) {
		struct bench_turns *turns = &run->worker[i].turns;

		n = turns->count < BENCH_TURNS ? turns->count : BENCH_TURNS;
		if (n == 0)
			continue;
		workers++;
		result->bare_turn += median(turns->bare, n);
		result->turn += median(turns->more, n);
	}
	if (workers != 0) {
		result->bare_turn /= workers;
		result->turn = result->bare_turn + result->turn / workers;
	}
}
