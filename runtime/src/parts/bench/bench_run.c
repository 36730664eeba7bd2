/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: workers handle packets in one way for some time, and the cost is measured. */
#include <stdlib.h>
#include <string.h>

#include <rte_launch.h>

#include "bench.h"

/* How many times as long as wanted a run may take until each worker has had its slices. */
#define RUN_TRIES 1000
/* How long the main lcore sleeps while workers begin. */
#define READY_MS 0.2

static struct bench_run this_run;

/* Packets that earlier runs of a worker have counted: the next one goes on behind them. */
static uint64_t counted_before[BENCH_MAX_WORKERS];

static int
live(void *arg)
{
	struct bench_worker *worker = &this_run.worker[(uintptr_t)arg];
	unsigned int spins = 0;

	bench_warm_up(&this_run, worker);
	__atomic_fetch_add(&this_run.ready, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&this_run.ready, __ATOMIC_ACQUIRE) < this_run.o->workers)
		ctr_spin_wait(&spins);
	bench_work(&this_run, worker);
	/* Buffered updates must become visible, as at the end of a burst of an application. */
	ctr_bench.module->flush();
	return 0;
}

static const char *
prepare_run(const struct bench_options *o)
{
	unsigned int i;

	memset(&this_run, 0, sizeof(this_run));
	this_run.o = o;
	this_run.bare = bench_way("none");
	this_run.traffic = bench_traffic(o->flows);
	this_run.worker = (struct bench_worker *)ctr_alloc(o->workers * sizeof(*this_run.worker),
			CTR_NON_LCORE);
	this_run.taken = (uint64_t *)calloc(ctr_bench.num_effects + 1, sizeof(*this_run.taken));
	if (this_run.worker == NULL || this_run.taken == NULL)
		return "no memory for workers";
	if (this_run.traffic == NULL)
		return "no memory for packets";
	for (i = 0; i < o->workers; i++) {
		struct bench_worker *worker = &this_run.worker[i];
		uint64_t first = counted_before[i] +
				(uint64_t)this_run.traffic->count * i / o->workers;

		worker->work.state[0] = 88172645463325252u + i;
		worker->work.state[1] = 362436069u + i;
		worker->work.state[2] = 521288629u + i;
		worker->work.state[3] = 88675123u + i;
		worker->work.iterations = o->iterations;
		worker->first = (uint32_t)(first / CTR_BENCH_BURST * CTR_BENCH_BURST) &
				(this_run.traffic->count - 1);
		worker->at[0] = worker->at[1] = worker->first;
	}
	return NULL;
}

/* Whether each worker has had a slice of either kind, if slices alternate. */
static bool
every_slice(void)
{
	unsigned int i;

	for (i = 0; i < this_run.o->workers && this_run.o->slice != 0; i++)
		if (__atomic_load_n(&this_run.worker[i].measured, __ATOMIC_RELAXED) == 0 ||
		    __atomic_load_n(&this_run.worker[i].bare, __ATOMIC_RELAXED) == 0)
			return false;
	return true;
}

static void
conduct(void)
{
	unsigned int lcore, number = 0;
	uint64_t begin;
	int tries;

	RTE_LCORE_FOREACH_WORKER(lcore) {
		if (number < this_run.o->workers)
			(void)rte_eal_remote_launch(live, (void *)(uintptr_t)number++, lcore);
	}
	while (__atomic_load_n(&this_run.ready, __ATOMIC_ACQUIRE) < this_run.o->workers)
		bench_control(&this_run, READY_MS);
	bench_control(&this_run, this_run.o->ms / 5);
	__atomic_store_n(&this_run.phase, BENCH_MEASURE, __ATOMIC_RELEASE);
	begin = ctr_time_ns();
	bench_control(&this_run, this_run.o->ms);
	/* A worker may have had no processor for so long; it will. */
	for (tries = 0; !every_slice() && tries < RUN_TRIES; tries++)
		bench_control(&this_run, this_run.o->ms);
	this_run.ns = ctr_time_ns() - begin;
	__atomic_store_n(&this_run.phase, BENCH_STOP, __ATOMIC_RELEASE);
	rte_eal_mp_wait_lcore();
}

/* The sum that all counted packets add by one effect. */
static uint64_t
expected_of(const struct ctr_bench_effect *effect)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < this_run.o->workers; i++)
		sum += bench_expected(this_run.traffic, this_run.worker[i].first,
				this_run.worker[i].packets, effect);
	return sum;
}

static bool
same_counter(const struct ctr_bench_effect *a, const struct ctr_bench_effect *b)
{
	return a->scope == b->scope && a->item == b->item;
}

/* Compare the increase of the counters with the sum over the packets. */
static void
compare_totals(const uint64_t *before, const uint64_t *after, struct bench_result *result)
{
	unsigned int i, j;

	for (i = 0; i < ctr_bench.num_effects; i++) {
		const struct ctr_bench_effect *one = &ctr_bench.effects[i];
		uint64_t expected = 0, counted = after[i] - before[i] + this_run.taken[i];

		for (j = 0; j < i && !same_counter(&ctr_bench.effects[j], one); j++)
			continue;
		if (j < i)
			continue; /* the same counter again: it has been compared */
		for (j = i; j < ctr_bench.num_effects; j++)
			if (same_counter(&ctr_bench.effects[j], one))
				expected += expected_of(&ctr_bench.effects[j]);
		/* A 32-bit counter is right modulo 2^32. */
		if (bench_width(one) == 32)
			counted = expected - (uint64_t)(int64_t)(int32_t)(expected - counted);
		result->exact &= expected == counted;
		result->expected += expected;
		result->counted += counted;
	}
}

static void
sum_up(struct bench_result *result)
{
	uint64_t cycles = 0, packets = 0, bare_cycles = 0, bare = 0;
	unsigned int i;

	for (i = 0; i < this_run.o->workers; i++) {
		struct bench_worker *worker = &this_run.worker[i];

		cycles += worker->cycles;
		packets += worker->measured;
		bare_cycles += worker->bare_cycles;
		bare += worker->bare;
		counted_before[i] += worker->packets;
	}
	bench_typical(&this_run, result);
	result->cycles = packets != 0 ? (double)cycles / (double)packets : 0;
	result->bare = bare != 0 ? (double)bare_cycles / (double)bare : 0;
	result->read = this_run.read;
	result->reset = this_run.reset;
	result->ms = (double)this_run.ns * 1e-6;
}

const char *
bench_run(const struct bench_options *o, struct bench_result *result)
{
	/* Other ways count nothing of the module. */
	bool counts = strstr("none hand", o->way->name) == NULL;
	uint64_t *before = (uint64_t *)calloc(ctr_bench.num_effects + 1, sizeof(*before));
	uint64_t *after = (uint64_t *)calloc(ctr_bench.num_effects + 1, sizeof(*after));
	const char *error = prepare_run(o);

	memset(result, 0, sizeof(*result));
	result->exact = true;
	if (before == NULL || after == NULL)
		error = "no memory";
	if (error != NULL || (o->resets > 0 && !counts))
		bench_totals_forget();
	if (error == NULL) {
		if (counts)
			bench_totals_before(o->flows, before);
		result->clock = bench_clock();
		conduct();
		error = every_slice() ? this_run.error : "a worker had no processor";
		if (counts) {
			bench_totals_after(o->flows, after);
			compare_totals(before, after, result);
		}
		sum_up(result);
	}
	ctr_free(this_run.worker);
	free(this_run.taken);
	free(before);
	free(after);
	return error;
}
