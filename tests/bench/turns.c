/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of turns of which some were disturbed; and what packets add from any place on. */
#include <math.h>
#include <stdio.h>

#include "bench.h"

#define TURNS 200u

const struct ctr_bench ctr_bench = { .num_indexes = 0 };
static struct bench_worker worker[2];
static int failed;

static void
expect(const char *what, double found, double wanted)
{
	if (fabs(found - wanted) < 1e-6)
		return;
	printf("%s: %g instead of %g\n", what, found, wanted);
	failed = 1;
}

/*
 * Turns of 1000 packets: 10 cycles each, 4 more with counting; the whole machine is slower in the
 * second half. Every eleventh turn was disturbed, and a worker was away for some.
 */
static void
note(uint64_t first)
{
	uint64_t i;
	int k;

	for (k = 0; k < 2; k++) {
		worker[k].num_turns = 0;
		for (i = first; i < first + TURNS; i++) {
			uint64_t cost = (i < first + TURNS / 2 ? 10 : 15) + (i % 2) * 4;

			if (k == 1 && i % 10 == 3)
				continue;
			bench_note_turn(&worker[k], i, 1000 * (i % 11 == 0 ? 9 * cost : cost), 1000);
		}
	}
}

int
main(void)
{
	static const struct bench_options options = { .workers = 2, .slice = 1000 };
	struct bench_run run = { .o = &options, .worker = worker };
	static uint16_t size[64];
	struct ctr_bench_traffic traffic = { .count = 64, .u16 = size };
	struct ctr_bench_effect effect = { .from = CTR_BENCH_U16, .every = 3 };
	double cycles = 0, bare = 0;
	uint64_t first, packets, i, sum;
	int k;

	for (k = 0; k < 2; k++)
		if (!bench_keep_turns(&worker[k], 1000, options.slice))
			return 2;
	for (first = 70; first < 72; first++) {
		note(first);
		if (!bench_typical(&run, &cycles, &bare))
			return 2;
		expect("difference", cycles - bare, 4);
	}
	worker[0].num_turns = worker[1].num_turns = 0;
	bench_note_turn(&worker[1], 8, 500, 100);
	bench_note_turn(&worker[1], 11, 700, 100);
	if (bench_typical(&run, &cycles, &bare))
		expect("no two turns are beside each other", 1, 0);

	for (i = 0; i < 64; i++)
		size[i] = (uint16_t)(i * i);
	for (first = 0; first < 64; first += 5) {
		for (packets = 0, sum = 0; packets < 200; packets++) {
			uint32_t at = (uint32_t)(first + packets) % 64;

			expect("sum", (double)bench_expected(&traffic, (uint32_t)first, packets, &effect),
			       (double)sum);
			sum += at % 3 == 0 ? size[at] : 0;
		}
	}
	return failed;
}
