/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typical slice where the core is slower for some slices in a row, and now and then for one:
 * the difference is what counting costs; that of the sums is not.
 */
#include <math.h>
#include <stdio.h>

#include "bench_work.c"

#define COSTS 16.0
#define SLICES 5000

static uint32_t
scattered(uint64_t number)
{
	return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

/* What a packet took: 1000 or 1400 for 7 slices in a row, some thirty times as much. */
static double
took(uint64_t slice)
{
	double work = scattered(slice / 7) % 3 == 0 ? 1400 : 1000;

	return (scattered(slice) % 97 == 0 ? 30 * work : work) + (slice & 1 ? COSTS : 0);
}

int
main(void)
{
	static struct bench_worker worker;
	struct bench_options options = { .workers = 1, .slice = 1 };
	struct bench_run run = { .o = &options, .worker = &worker };
	struct bench_result result = { 0 };
	double cost[3] = { 0 }, sum[2] = { 0 }, rough;
	uint64_t slice;

	for (slice = 0; slice < SLICES; slice++) {
		cost[slice % 3] = took(slice);
		sum[slice & 1] += took(slice);
		if (slice >= 2)
			record(&worker.slices, slice, cost);
	}
	bench_typical(&run, &result);
	rough = (sum[1] - sum[0]) * 2 / SLICES - COSTS;
	printf("%.3f more than %.3f, not %.3f; sums are off by %.1f\n", result.slice,
	       result.bare_slice, COSTS, rough);
	return fabs(result.slice - result.bare_slice - COSTS) > 0.01 || result.bare_slice < 1000 ||
			result.bare_slice > 1400 || fabs(rough) < 1;
}
