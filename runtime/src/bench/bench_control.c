/* SPDX-License-Identifier: BSD-3-Clause */
/* The main lcore during a run: an operator who reads and resets. */
#include <stdlib.h>
#include <time.h>

#include "bench.h"

static uint64_t
every(double rate)
{
	return rate > 0 ? (uint64_t)(1e9 / rate) : UINT64_MAX;
}

static void
nap(uint64_t ns)
{
	struct timespec t = {
		.tv_sec = (time_t)(ns / 1000000000u),
		.tv_nsec = (long)(ns % 1000000000u),
	};

	(void)nanosleep(&t, NULL);
}

void
bench_control(struct bench_run *run, double ms, void (*meanwhile)(struct bench_run *run))
{
	uint64_t now = ctr_time_ns(), end = now + (uint64_t)(ms * 1e6);
	uint64_t read_every = every(run->o->reads), reset_every = every(run->o->resets);
	uint64_t read_at = read_every == UINT64_MAX ? UINT64_MAX : now;
	uint64_t reset_at = reset_every == UINT64_MAX ? UINT64_MAX : now + reset_every / 2;
	uint64_t *seen = (uint64_t *)calloc(ctr_bench.num_effects + 1, sizeof(*seen));

	for (; now < end && seen != NULL; now = ctr_time_ns()) {
		uint64_t due = read_at < reset_at ? read_at : reset_at;

		if (now >= read_at) {
			bench_totals(run->o->flows, seen);
			run->passes_read++;
			read_at += read_every;
		} else if (now >= reset_at) {
			bench_take(run->o->flows, run->taken);
			run->passes_reset++;
			reset_at += reset_every;
		} else if (meanwhile != NULL) {
			meanwhile(run);
		} else {
			nap((due < end ? due : end) - now);
		}
	}
	free(seen);
}
