/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker in a run: it alternates between slices of counted and uncounted packets. The cost of
 * counting is the median of the differences between adjacent slices.
 *
 * A virtual processor shares its core with other machines: fixed work takes 1,000 cycles in some
 * consecutive slices and 1,400 in others. Adjacent slices mostly run at the same speed. */
#include <stdlib.h>
#include <time.h>

#include "bench.h"

/* Packets before a run, and milliseconds that they take at most. */
#define WARM_PACKETS (1u << 18)
#define WARM_MS 30

/* Handle a burst of the worker's packets, counted or not. */
static void
handle_burst(struct bench_run *run, struct bench_worker *worker, bool counts)
{
	const struct ctr_bench_call *way = counts ? run->o->way : run->bare;
	uint32_t at = worker->at[counts];

	way->run(run->traffic, at, CTR_BENCH_BURST, &worker->work);
	worker->at[counts] = (at + CTR_BENCH_BURST) & (run->traffic->count - 1);
	if (counts)
		worker->packets += CTR_BENCH_BURST;
}

void
bench_warm_up(struct bench_run *run, struct bench_worker *worker)
{
	uint64_t end = rte_rdtsc() + rte_get_tsc_hz() / 1000 * WARM_MS;
	uint32_t packets = run->o->flows < WARM_PACKETS ? run->o->flows : WARM_PACKETS, done;

	/* With the work, which takes a part of the caches. */
	for (done = 0; done < packets && rte_rdtsc() < end; done += CTR_BENCH_BURST)
		handle_burst(run, worker, true);
}

static uint32_t
phase_of(const struct bench_run *run)
{
	return __atomic_load_n(&run->phase, __ATOMIC_ACQUIRE);
}

/* Cycles of the TSC during which this thread had a processor. */
static uint64_t
own_cycles(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)(((double)t.tv_sec * 1e9 + (double)t.tv_nsec) *
			((double)rte_get_tsc_hz() * 1e-9));
}

/* One slice, without its first eighth, in which other workers may be in the previous one: cycles of
 * a packet, 0 where nothing was measured. */
static double
take_slice(struct bench_run *run, struct bench_worker *worker, uint64_t slice)
{
	uint64_t length = run->o->slice, first = slice * length + length / 8;
	uint64_t end = length != 0 ? (slice + 1) * length : UINT64_MAX;
	uint64_t packets = 0, begin = 0, cycles, now;
	bool counts = (slice & 1) != 0 || length == 0, measures = false;
	uint32_t phase = BENCH_WARM;

	for (now = rte_rdtsc(); now < end; now = rte_rdtsc()) {
		phase = phase_of(run);
		if (phase == BENCH_STOP)
			break;
		if (!measures && now >= first && phase == BENCH_MEASURE) {
			measures = true;
			packets = 0;
			begin = own_cycles();
		}
		handle_burst(run, worker, counts);
		packets += CTR_BENCH_BURST;
	}
	/* At the end other workers may have stopped already. */
	if (!measures || packets == 0 || (phase == BENCH_STOP && length != 0))
		return 0;
	cycles = own_cycles() - begin;
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
record(struct bench_slices *slices, uint64_t slice, const double *cost)
{
	double around = (cost[slice % 3] + cost[(slice - 2) % 3]) / 2;
	double middle = cost[(slice - 1) % 3];
	unsigned int place = slices->count++ % BENCH_SLICES;

	/* Even slices are of uncounted packets. */
	slices->bare[place] = slice & 1 ? middle : around;
	slices->more[place] = slice & 1 ? around - middle : middle - around;
}

void
bench_work(struct bench_run *run, struct bench_worker *worker)
{
	uint64_t slice, last = 0;
	unsigned int row = 0; /* consecutive measured slices */
	double cost[3] = { 0 };

	while (phase_of(run) != BENCH_STOP) {
		slice = run->o->slice != 0 ? rte_rdtsc() / run->o->slice : 0;
		cost[slice % 3] = take_slice(run, worker, slice);
		if (cost[slice % 3] == 0 || slice != last + 1)
			row = 0;
		row += cost[slice % 3] != 0;
		last = slice;
		if (row >= 3)
			record(&worker->slices, slice, cost);
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
	return (values[n / 2] + values[(n - 1) / 2]) / 2;
}

void
bench_typical(const struct bench_run *run, struct bench_result *result)
{
	unsigned int i, n, workers = 0;

	for (i = 0; i < run->o->workers && run->o->slice != 0; i++) {
		struct bench_slices *slices = &run->worker[i].slices;

		n = slices->count < BENCH_SLICES ? slices->count : BENCH_SLICES;
		if (n == 0)
			continue;
		workers++;
		result->bare_slice += median(slices->bare, n);
		result->slice += median(slices->more, n);
	}
	if (workers != 0) {
		result->bare_slice /= workers;
		result->slice = result->bare_slice + result->slice / workers;
	}
}
