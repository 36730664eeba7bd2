/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of the counters, for comparison with the sum over the packets. */
#include <stdlib.h>

#include "bench.h"

static const struct ctr_item *
item_of(const struct ctr_bench_effect *effect)
{
	return &ctr_bench.module->scopes[effect->scope].items[effect->item];
}

unsigned int
bench_width(const struct ctr_bench_effect *effect)
{
	return item_of(effect)->width;
}

/* Add the counters of one instance. */
static void
add_values(unsigned int scope, const uint8_t *values, uint64_t *total)
{
	for (unsigned int i = 0; i < ctr_bench.num_effects; i++) {
		const struct ctr_bench_effect *effect = &ctr_bench.effects[i];
		unsigned int n;

		for (n = 0; effect->scope == scope && n <= effect->more; n++)
			total[i] += ctr_item_value(item_of(effect) + n, values);
	}
}

static bool
is_counted(unsigned int scope)
{
	for (unsigned int i = 0; i < ctr_bench.num_effects; i++)
		if (ctr_bench.effects[i].scope == scope)
			return true;
	return false;
}

/* Read or reset (`take`) all instances of a scope, of these flows by its outermost index, and add
 * their counters to `total`. */
static void
visit(unsigned int number, uint32_t flows, bool take, uint64_t *total)
{
	const struct ctr_scope *scope = &ctr_bench.module->scopes[number];
	int (*visitor)(const uint32_t *index, void *values) = take ? scope->reset : scope->read;
	uint8_t *values = visitor != NULL ? calloc(1, scope->value_size) : NULL;
	uint64_t instances = ctr_scope_total(scope);
	uint32_t index[CTR_INDEXES_MAX];
	int rc;

	if (scope->num_indexes != 0 && flows < scope->index_maxima[0])
		instances = instances / scope->index_maxima[0] * flows;
	for (uint64_t at = 0; values != NULL && at < instances; at++) {
		ctr_scope_indexes(scope, at, index);
		rc = visitor(index, values);
		/* Values come with -EAGAIN as well; each of them is right. */
		if (rc == 0 || rc == -EAGAIN)
			add_values(number, values, total);
	}
	free(values);
}

void
bench_totals(uint32_t flows, bool take, uint64_t *total)
{
	for (unsigned int number = 0; number < ctr_bench.module->num_scopes; number++)
		if (is_counted(number))
			visit(number, flows, take, total);
}
