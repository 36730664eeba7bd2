/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of the counters, for comparison with the sum over the packets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MAX_INDEXES 8
/* Instances that the agent reads in one section. */
#define ROWS 256

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
	unsigned int i;

	for (i = 0; i < ctr_bench.num_effects; i++) {
		const struct ctr_bench_effect *effect = &ctr_bench.effects[i];
		unsigned int n;

		for (n = 0; effect->scope == scope && n <= effect->more; n++)
			total[i] += ctr_item_value(item_of(effect) + n, values);
	}
}

static bool
is_counted(unsigned int scope)
{
	unsigned int i;

	for (i = 0; i < ctr_bench.num_effects; i++)
		if (ctr_bench.effects[i].scope == scope)
			return true;
	return false;
}

/* The objects of the application that have the counters of a scope; NULL: the module has them. */
static const struct ctr_bench_objects *
objects_of(unsigned int number)
{
	unsigned int i;

	for (i = 0; i < ctr_bench.num_objects; i++)
		if (ctr_bench.objects[i].scope == number)
			return &ctr_bench.objects[i];
	return NULL;
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

/* Read or reset (`take`) all instances of a scope, and add their counters to `total` or NULL. */
static int
visit(unsigned int number, uint32_t flows, bool take, bool sections, uint64_t *total)
{
	const struct ctr_scope *scope = &ctr_bench.module->scopes[number];
	const struct ctr_bench_objects *objects = objects_of(number);
	int (*visitor)(const uint32_t *index, void *values) = take ? scope->reset : scope->read;
	uint32_t index[MAX_INDEXES] = { 0 }, row = 0;
	uint8_t *values;
	bool more;

	if (objects != NULL)
		visitor = take ? objects->reset : objects->read;
	if (visitor == NULL)
		return 0;
	values = (uint8_t *)calloc(1, scope->value_size);
	if (values == NULL)
		return -ENOMEM;
	/* Objects need no read section: their owner reads them. */
	sections = sections && objects == NULL;
	do {
		int rc;

		if (sections && row % ROWS == 0)
			ctr_bench.module->read_lock();
		rc = visitor(index, values);
		/* Values come with -EAGAIN as well; each of them is right. */
		if (total != NULL && (rc == 0 || rc == -EAGAIN))
			add_values(number, values, total);
		more = next_index(objects != NULL ? &objects->count : scope->index_maxima,
				objects != NULL ? 1 : scope->num_indexes, flows, index);
		if (sections && (++row % ROWS == 0 || !more))
			ctr_bench.module->read_unlock();
	} while (more);
	free(values);
	return 0;
}

static void
visit_all(uint32_t flows, bool take, uint64_t *total)
{
	unsigned int number;

	for (number = 0; number < ctr_bench.module->num_scopes; number++)
		if (is_counted(number))
			(void)visit(number, flows, take, false, total);
}

/* The totals that the last run has left, by effect, and the number of its flows; 0: none. */
static uint64_t *known;
static uint32_t known_flows;

static size_t
totals_size(void)
{
	return ctr_bench.num_effects * sizeof(*known);
}

void
bench_totals_before(uint32_t flows, uint64_t *total)
{
	if (known_flows == flows)
		memcpy(total, known, totals_size());
	else
		bench_totals_after(flows, total);
}

void
bench_totals_after(uint32_t flows, uint64_t *total)
{
	memset(total, 0, totals_size());
	visit_all(flows, false, total);
	if (known == NULL)
		known = (uint64_t *)malloc(totals_size() + 1);
	known_flows = known != NULL ? flows : 0;
	if (known != NULL)
		memcpy(known, total, totals_size());
}

void
bench_totals_forget(void)
{
	known_flows = 0;
}

int
bench_read(uint32_t flows, enum bench_reader reader)
{
	unsigned int number;
	int rc = 0;

	if (reader == BENCH_SNAPSHOT && ctr_bench.snapshot() == -ENOMEM)
		return -ENOMEM;
	/* Objects are in no snapshot. */
	for (number = 0; number < ctr_bench.module->num_scopes && rc == 0; number++)
		if (reader != BENCH_SNAPSHOT || objects_of(number) != NULL)
			rc = visit(number, flows, false, reader == BENCH_WALK, NULL);
	return rc;
}

void
bench_take(uint32_t flows, uint64_t *total)
{
	visit_all(flows, true, total);
}
