/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of counters hold twice their values; there is one copy. */
#include "ctr_strategy.h"

extern const struct ctr_strategy ctr_strategy_doubled;

/* Halve the counters in some value structs. */
static void
halve(const struct ctr_table *table, char *values, uint32_t n)
{
	const struct ctr_run *run;
	unsigned int i;

	for (; n != 0; n--, values += table->value_size) {
		for (run = table->runs; run != table->runs + table->num_runs; run++) {
			uint64_t *value64 = (uint64_t *)(void *)(values + run->value);
			uint32_t *value32 = (uint32_t *)(void *)(values + run->value);

			for (i = 0; i < run->num; i++) {
				if (run->bits == 64)
					value64[i] /= 2;
				else
					value32[i] /= 2;
			}
		}
	}
}

static void
load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values, int *rc,
     struct ctr_read_ctx *reading)
{
	(void)rc;
	(void)reading;
	ctr_load_plain(table, copy, at, n, values);
	halve(table, (char *)values, n);
}

static uint64_t
get(const struct ctr_table *table, uint32_t at, const struct ctr_run *counter)
{
	const char *element =
		(const char *)ctr_element(table, &table->data, table->domain->shared, at);

	if (element == NULL)
		return 0;
	if (counter->bits == 32)
		return ctr_load32((const uint32_t *)(const void *)(element + counter->data)) / 2;
	return ctr_load64((const uint64_t *)(const void *)(element + counter->data)) / 2;
}

static void
take(const struct ctr_table *table, void *element, void *values)
{
	ctr_take_atomic(table, element, values);
	halve(table, (char *)values, 1);
}

const struct ctr_strategy ctr_strategy_doubled = {
	.load = load,
	.get = get,
	.take = take,
};
