/* SPDX-License-Identifier: BSD-3-Clause */
/* What counters are before and behind runs, of which some are only read once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define INSTANCES 8u
#define RUNS 2000

static uint64_t counter[INSTANCES];
static unsigned int reads;

static int
read_one(const uint32_t *index, void *values)
{
	memcpy(values, &counter[index[0]], sizeof(counter[0]));
	reads++;
	return 0;
}

static const uint32_t maxima[] = { INSTANCES };
static const struct ctr_item item = { .type = CTR_U64, .width = 64, .size = sizeof(uint64_t) };
static const struct ctr_scope scope = {
	.num_indexes = 1,
	.index_maxima = maxima,
	.items = &item,
	.num_items = 1,
	.value_size = sizeof(uint64_t),
	.read = read_one,
};
static const struct ctr_module module = { .scopes = &scope, .num_scopes = 1 };
static const struct ctr_bench_effect effect = { .every = 1 };
const struct ctr_bench ctr_bench = { .module = &module, .effects = &effect, .num_effects = 1 };

static uint64_t
really(uint32_t flows)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < flows; i++)
		sum += counter[i];
	return sum;
}

int
main(void)
{
	static const uint32_t sizes[] = { 8, 1, 5, 8, 3, 8, 5, 2, 6, 7, 4 };
	uint32_t flows = 0, last, run;
	uint64_t before, after;

	srand(1);
	for (run = 0; run < RUNS; run++) {
		last = flows;
		flows = sizes[rand() % (sizeof(sizes) / sizeof(sizes[0]))];
		reads = 0;
		bench_totals_before(flows, &before);
		if (before != really(flows) || (flows == last && run % 10 != 1 && reads != 0)) {
			printf("run %u: %u flows before, %u reads\n", run, flows, reads);
			return 1;
		}
		counter[rand() % flows] += (uint64_t)rand();
		counter[rand() % flows] -= (uint64_t)rand();
		bench_totals_after(flows, &after);
		if (after != really(flows)) {
			printf("run %u: %u flows behind\n", run, flows);
			return 1;
		}
		if (run % 10 == 0) {
			counter[0]++;
			bench_take(flows, &before);
		}
	}
	return 0;
}
