/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: workers handle packets in one way for some time, and the cost is measured. */
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include <rte_launch.h>

#include "bench.h"

/* How many times as long as wanted a run may take until each worker has had its slices. */
#define RUN_TRIES 1000
/* How long the main lcore sleeps while workers begin. */
#define READY_MS 0.2
/* How long a thread that polls sleeps in between, at most. */
#define CONTROL_NS 20000u

static struct bench_run this_run;

/* Packets that earlier runs of a worker have counted: the next one goes on behind them. */
static uint64_t counted_before[BENCH_MAX_WORKERS];

/* Sleep until a time, or until the next poll. */
static void
idle(uint64_t until)
{
	uint64_t now = ctr_time_ns(), ns;
	struct timespec t;

	if (ctr_bench.poll != NULL)
		until = RTE_MIN(until, now + CONTROL_NS);
	ns = until > now ? until - now : 0;
	t.tv_sec = (time_t)(ns / 1000000000u);
	t.tv_nsec = (long)(ns % 1000000000u);
	if (ns != 0)
		(void)nanosleep(&t, NULL);
}

/* One read or reset of everything; its time counts if all of it was within the measurement. */
static void
pass(bool reset)
{
	bool counts = __atomic_load_n(&this_run.phase, __ATOMIC_RELAXED) == BENCH_MEASURE;
	struct bench_passes *passes = reset ? &this_run.reset : &this_run.read;
	uint64_t begin = ctr_time_ns();

	if (reset)
		bench_totals(this_run.o->flows, true, this_run.taken);
	else if (ctr_bench.snapshot() == -ENOMEM)
		this_run.error = "no memory for a snapshot";
	if (!counts)
		return;
	passes->count++;
	passes->ns += ctr_time_ns() - begin;
}

/* Until the phase ends, read and reset at the rates of the run, as an operator does; sleep in
 * between. */
static void
control(double ms)
{
	const double rate[] = { this_run.o->reads, this_run.o->resets };
	uint64_t now = ctr_time_ns(), end = now + (uint64_t)(ms * 1e6);
	uint64_t every[2], at[2] = { UINT64_MAX, UINT64_MAX };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		every[i] = rate[i] > 0 ? (uint64_t)(1e9 / rate[i]) : 0;
		if (rate[i] > 0)
			at[i] = now + i * every[i] / 2;
	}
	/* To sleep no longer than that. */
	if (ctr_bench.poll != NULL)
		(void)prctl(PR_SET_TIMERSLACK, 1ul);
	for (; now < end && this_run.error == NULL; now = ctr_time_ns()) {
		i = now >= at[0] ? 0 : 1;
		if (now >= at[i]) {
			/* The next one is due at once where this one takes too long. */
			pass(i == 1);
			at[i] = RTE_MAX(at[i] + every[i], now);
			continue;
		}
		if (ctr_bench.poll != NULL)
			ctr_bench.poll();
		idle(RTE_MIN(RTE_MIN(at[0], at[1]), end));
	}
}

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
	memset(&this_run, 0, sizeof(this_run));
	this_run.o = o;
	this_run.bare = bench_way("none");
	this_run.traffic = bench_traffic(o->flows);
	this_run.worker = ctr_alloc(o->workers * sizeof(*this_run.worker), CTR_NON_LCORE);
	this_run.before = calloc(ctr_bench.num_effects + 1, 3 * sizeof(*this_run.before));
	if (this_run.worker == NULL || this_run.before == NULL)
		return "no memory for workers";
	if (this_run.traffic == NULL)
		return "no memory for packets";
	this_run.after = this_run.before + ctr_bench.num_effects;
	this_run.taken = this_run.after + ctr_bench.num_effects;
	for (unsigned int i = 0; i < o->workers; i++) {
		struct bench_worker *worker = &this_run.worker[i];
		uint64_t first = counted_before[i] +
				(uint64_t)this_run.traffic->count * i / o->workers;

		worker->work = (struct ctr_bench_work){
			o->iterations,
			{ 88172645463325252u + i, 362436069u + i, 521288629u + i, 88675123u + i }
		};
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
	for (unsigned int i = 0; i < this_run.o->workers && this_run.o->slice != 0; i++)
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

	RTE_LCORE_FOREACH_WORKER(lcore)
		if (number < this_run.o->workers)
			(void)rte_eal_remote_launch(live, (void *)(uintptr_t)number++, lcore);
	while (__atomic_load_n(&this_run.ready, __ATOMIC_ACQUIRE) < this_run.o->workers)
		control(READY_MS);
	control(this_run.o->ms / 5);
	__atomic_store_n(&this_run.phase, BENCH_MEASURE, __ATOMIC_RELEASE);
	begin = ctr_time_ns();
	control(this_run.o->ms);
	/* A worker may have had no processor for so long; it will. */
	for (int tries = 0; !every_slice() && tries < RUN_TRIES; tries++)
		control(this_run.o->ms);
	this_run.ns = ctr_time_ns() - begin;
	__atomic_store_n(&this_run.phase, BENCH_STOP, __ATOMIC_RELEASE);
	rte_eal_mp_wait_lcore();
}

/* The sum that all counted packets add by one effect. */
static uint64_t
expected_of(const struct ctr_bench_effect *effect)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < this_run.o->workers; i++)
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
compare_totals(struct bench_result *result)
{
	unsigned int j;

	for (unsigned int i = 0; i < ctr_bench.num_effects; i++) {
		const struct ctr_bench_effect *one = &ctr_bench.effects[i];
		uint64_t expected = 0;
		uint64_t counted = this_run.after[i] - this_run.before[i] + this_run.taken[i];

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

	for (unsigned int i = 0; i < this_run.o->workers; i++) {
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
	const char *error = prepare_run(o);

	*result = (struct bench_result){ .exact = true };
	if (error == NULL) {
		if (counts)
			bench_totals(o->flows, false, this_run.before);
		result->clock = bench_clock();
		conduct();
		error = every_slice() ? this_run.error : "a worker had no processor";
		if (counts) {
			bench_totals(o->flows, false, this_run.after);
			compare_totals(result);
		}
		sum_up(result);
	}
	ctr_free(this_run.worker);
	free(this_run.before);
	return error;
}
