/* SPDX-License-Identifier: BSD-3-Clause */
/* The main lcore during a run: reads, resets and polls as an operator does. */
#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

#include "bench.h"

/* How long a thread that polls sleeps in between, at most. */
#define CONTROL_NS 20000u

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
	bool counts = __atomic_load_n(&run->phase, __ATOMIC_RELAXED) == BENCH_MEASURE;
	struct bench_passes *passes = reset ? &run->reset : &run->read;
	uint64_t begin = ctr_time_ns();

	if (reset)
		bench_take(run->o->flows, run->taken);
	else if (ctr_bench.snapshot() == -ENOMEM)
		run->error = "no memory for a snapshot";
	if (!counts)
		return;
	passes->count++;
	passes->ns += ctr_time_ns() - begin;
}

void
bench_control(struct bench_run *run, double ms)
{
	const double rate[] = { run->o->reads, run->o->resets };
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
	for (; now < end && run->error == NULL; now = ctr_time_ns()) {
		i = now >= at[0] ? 0 : 1;
		if (now >= at[i]) {
			/* The next one is due at once where this one takes too long. */
			pass(run, i == 1);
			at[i] = RTE_MAX(at[i] + every[i], now);
			continue;
		}
		if (ctr_bench.poll != NULL)
			ctr_bench.poll();
		idle(RTE_MIN(RTE_MIN(at[0], at[1]), end));
	}
}
