/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker in a run: handles packets in bursts and measures the time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RUSAGE_THREAD */
#endif
#include <sys/resource.h>
#include <time.h>

#include "bench.h"

/* Packets before a run, and milliseconds that they take at most. */
#define WARM_PACKETS (1u << 18)
#define WARM_MS 30

void
bench_burst(struct bench_run *run, struct bench_worker *worker, const struct ctr_bench_traffic *t,
		uint32_t at, uint32_t n)
{
	run->o->way->run(t, at, n, &worker->work);
	worker->packets += n;
}

uint32_t
bench_step(struct bench_run *run, struct bench_worker *worker, bool counts)
{
	uint32_t at = worker->at[counts];

	if (counts)
		bench_burst(run, worker, worker->traffic, at, CTR_BENCH_BURST);
	else
		run->bare->run(worker->traffic, at, CTR_BENCH_BURST, &worker->work);
	worker->at[counts] = (at + CTR_BENCH_BURST) & (worker->traffic->count - 1);
	return CTR_BENCH_BURST;
}

void
bench_warm_up(struct bench_run *run, struct bench_worker *worker)
{
	uint64_t end = rte_rdtsc() + rte_get_tsc_hz() / 1000 * WARM_MS;
	uint32_t packets = run->o->flows < WARM_PACKETS ? run->o->flows : WARM_PACKETS, done;

	/* With the work, which takes a part of the caches. */
	for (done = 0; done < packets && rte_rdtsc() < end; done += CTR_BENCH_BURST)
		(void)bench_step(run, worker, true);
}

/* Time each call: the domain work is done outside. */
static void
timed_calls(struct bench_run *run, struct bench_worker *worker, uint32_t at)
{
	struct ctr_bench_work none = { .busy = false };
	ctr_bench_way_t way = run->o->way->run;
	uint32_t step = run->o->latency, i, k;

	for (i = 0; i < CTR_BENCH_BURST; i += step) {
		uint64_t begin;

		for (k = 0; k < step; k++)
			ctr_bench_domain(&worker->work);
		begin = rte_rdtsc_precise();
		way(worker->traffic, at + i, step, &none);
		bench_record(&worker->histogram, rte_rdtsc_precise() - begin);
	}
	worker->packets += CTR_BENCH_BURST;
}

uint64_t
bench_own_cycles(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)(((double)t.tv_sec * 1e9 + (double)t.tv_nsec) *
			((double)rte_get_tsc_hz() * 1e-9));
}

/* Minor page faults of this thread so far. */
static uint64_t
page_faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_minflt : 0;
}

void
bench_begin_measuring(struct bench_worker *worker)
{
	if (!worker->begun)
		worker->faults = page_faults();
	worker->begun = true;
}

void
bench_measured(struct bench_worker *worker)
{
	worker->faults = worker->begun ? page_faults() - worker->faults : 0;
}

void
bench_straight(struct bench_run *run, struct bench_worker *worker)
{
	uint32_t at = worker->at[true], mask = worker->traffic->count - 1;
	uint64_t begin = bench_own_cycles(), skipped = 0;
	uint32_t phase;

	while ((phase = bench_phase(run)) != BENCH_STOP) {
		if (ctr_unlikely(!worker->begun && phase == BENCH_MEASURE)) {
			bench_begin_measuring(worker);
			skipped = worker->packets;
			begin = bench_own_cycles();
		}
		if (run->o->latency != 0)
			timed_calls(run, worker, at);
		else
			bench_burst(run, worker, worker->traffic, at, CTR_BENCH_BURST);
		at = (at + CTR_BENCH_BURST) & mask;
	}
	worker->cycles = bench_own_cycles() - begin;
	worker->measured = worker->packets - skipped;
}

void
bench_gather(const struct ctr_bench_traffic *t, struct bench_worker *worker,
		const uint32_t *place, uint32_t n)
{
	struct ctr_bench_traffic *scratch = worker->scratch;
	unsigned int k;
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t p = place[i];

		for (k = 0; k < ctr_bench.num_indexes; k++)
			scratch->index[k][i] = t->index[k][p];
		scratch->place[i] = p;
		scratch->flag[i] = t->flag[p];
		scratch->u8[i] = t->u8[p];
		scratch->u16[i] = t->u16[p];
		scratch->u32[i] = t->u32[p];
		scratch->u64[i] = t->u64[p];
		scratch->i32[i] = t->i32[p];
	}
}
