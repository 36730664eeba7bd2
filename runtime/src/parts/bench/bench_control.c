/* SPDX-License-Identifier: BSD-3-Clause */
/* The main lcore during a run: an operator who reads and resets, and who polls. */
#include <sys/prctl.h>
#include <time.h>

#include "bench.h"

/* How long a thread that polls sleeps in between, at most. */
#define CONTROL_NS 20000u

static uint64_t
every(double rate)
{
	return rate > 0 ? (uint64_t)(1e9 / rate) : UINT64_MAX;
}

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
pass(struct bench_run *run, bool reset)
{
	bool counts = bench_phase(run) == BENCH_MEASURE;
	struct bench_passes *passes = reset ? &run->reset : &run->read;
	uint64_t begin = ctr_time_ns();

	if (reset)
		bench_take(run->o->flows, run->taken);
	else if (bench_read(run->o->flows, run->o->reader) != 0)
		run->error = "no memory for a snapshot";
	if (!counts)
		return;
	passes->count++;
	passes->ns += ctr_time_ns() - begin;
}

/* When the next pass is due, which is at once where one took longer than it should. */
static uint64_t
next(uint64_t at, uint64_t interval, uint64_t now)
{
	return at + interval > now ? at + interval : now;
}

void
bench_control(struct bench_run *run, double ms, void (*meanwhile)(struct bench_run *run))
{
	uint64_t now = ctr_time_ns(), end = now + (uint64_t)(ms * 1e6);
	uint64_t read_every = every(run->o->reads), reset_every = every(run->o->resets);
	uint64_t read_at = read_every == UINT64_MAX ? UINT64_MAX : now;
	uint64_t reset_at = reset_every == UINT64_MAX ? UINT64_MAX : now + reset_every / 2;

	/* To sleep no longer than that. */
	if (ctr_bench.poll != NULL)
		(void)prctl(PR_SET_TIMERSLACK, 1ul);
	for (; now < end && run->error == NULL; now = ctr_time_ns()) {
		uint64_t due = read_at < reset_at ? read_at : reset_at;

		if (now >= read_at) {
			pass(run, false);
			read_at = next(read_at, read_every, now);
		} else if (now >= reset_at) {
			pass(run, true);
			reset_at = next(reset_at, reset_every, now);
		} else {
			if (ctr_bench.poll != NULL)
				ctr_bench.poll();
			if (meanwhile != NULL)
				meanwhile(run);
			else
				idle(due < end ? due : end);
		}
	}
}
