/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of counters over the instances of some flows, read or reset. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define INSTANCES 8u
#define RUNS 2000

static uint64_t counter[INSTANCES];

static int
read_one(const uint32_t *index, void *values)
{
	memcpy(values, &counter[index[0]], sizeof(counter[0]));
	return 0;
}

static int
reset_one(const uint32_t *index, void *values)
{
	(void)read_one(index, values);
	counter[index[0]] = 0;
	return -EAGAIN;
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
	.reset = reset_one,
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
	uint32_t flows, run;
	uint64_t total, before;
	bool take;

	srand(1);
	for (run = 0; run < RUNS; run++) {
		flows = sizes[rand() % (sizeof(sizes) / sizeof(sizes[0]))];
		take = run % 10 == 0;
		before = really(flows);
		total = run;
		bench_totals(flows, take, &total);
		if (total != before + run || really(flows) != (take ? 0 : before)) {
			printf("run %u: %u flows\n", run, flows);
			return 1;
		}
		counter[rand() % flows] += (uint64_t)rand();
		counter[rand() % flows] -= (uint64_t)rand();
	}
	return 0;
}
