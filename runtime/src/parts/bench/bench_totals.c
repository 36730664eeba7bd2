/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of the counters, for comparison with the sum over the packets. */
#include <stdlib.h>

#include "bench.h"

#define MAX_INDEXES 8

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

/* Step to the next instance, the innermost index fastest; false after the last of these flows. */
static bool
next_index(const uint32_t *maxima, unsigned int level, uint32_t flows, uint32_t *index)
{
	while (level-- > 0) {
		uint32_t limit = maxima[level];

		if (level == 0 && flows < limit)
			limit = flows;
		if (++index[level] < limit)
			return true;
		index[level] = 0;
	}
	return false;
}

/* Read or reset (`take`) all instances of a scope, and add their counters to `total`. */
static void
visit(unsigned int number, uint32_t flows, bool take, uint64_t *total)
{
	const struct ctr_scope *scope = &ctr_bench.module->scopes[number];
	int (*visitor)(const uint32_t *index, void *values) = take ? scope->reset : scope->read;
	uint32_t index[MAX_INDEXES] = { 0 };
	uint8_t *values = visitor != NULL ? calloc(1, scope->value_size) : NULL;

	if (values == NULL)
		return;
	do {
		int rc = visitor(index, values);

		/* Values come with -EAGAIN as well; each of them is right. */
		if (rc == 0 || rc == -EAGAIN)
			add_values(number, values, total);
	} while (next_index(scope->index_maxima, scope->num_indexes, flows, index));
	free(values);
}

static void
visit_all(uint32_t flows, bool take, uint64_t *total)
{
	for (unsigned int number = 0; number < ctr_bench.module->num_scopes; number++)
		if (is_counted(number))
			visit(number, flows, take, total);
}

/* The totals that the last run has left, by effect, and the number of its flows; 0: none. */
static const uint64_t *known;
static uint32_t known_flows;

void
bench_totals_before(uint32_t flows, uint64_t *total)
{
	if (known_flows != flows)
		bench_totals_after(flows, total);
	else if (total != known)
		memcpy(total, known, ctr_bench.num_effects * sizeof(*total));
}

void
bench_totals_after(uint32_t flows, uint64_t *total)
{
	memset(total, 0, ctr_bench.num_effects * sizeof(*total));
	visit_all(flows, false, total);
	known = total;
	known_flows = flows;
}

void
bench_take(uint32_t flows, uint64_t *total)
{
	known_flows = 0;
	visit_all(flows, true, total);
}
