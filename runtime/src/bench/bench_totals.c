/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of the counters, for comparison with the sum over the packets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MAX_INDEXES 8
/* Instances that the agent reads in one section. */
#define ROWS 256

static const struct ctr_scope *
scope_of(const struct ctr_bench_effect *effect)
{
	return &ctr_bench.module->scopes[effect->scope];
}

static const struct ctr_item *
item_of(const struct ctr_bench_effect *effect)
{
	return &scope_of(effect)->items[effect->item];
}

unsigned int
bench_width(const struct ctr_bench_effect *effect)
{
	return item_of(effect)->width;
}

/* The value of a counter. */
static uint64_t
value_of(const struct ctr_item *item, const uint8_t *values)
{
	uint64_t value;
	uint32_t narrow;

	if (item->size == sizeof(narrow)) {
		memcpy(&narrow, values + item->offset, sizeof(narrow));
		return narrow;
	}
	memcpy(&value, values + item->offset, sizeof(value));
	return value;
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
			total[i] += value_of(item_of(effect) + n, values);
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

/*
 * Step to the next instance, the innermost index fastest; false after the last
 * instance that this number of flows can touch: the outermost index is the flow's
 * number modulo its limit.
 */
static bool
next_index(const struct ctr_scope *scope, uint32_t flows, uint32_t *index)
{
	unsigned int level = scope->num_indexes;

	while (level-- > 0) {
		uint32_t limit = scope->index_maxima[level];

		if (level == 0 && flows < limit)
			limit = flows;
		if (++index[level] < limit)
			return true;
		index[level] = 0;
	}
	return false;
}

static void
visit(unsigned int number, uint32_t flows, bool take, uint64_t *total)
{
	const struct ctr_scope *scope = &ctr_bench.module->scopes[number];
	uint32_t index[MAX_INDEXES] = { 0 };
	uint8_t *values = (uint8_t *)calloc(1, scope->value_size);

	if (values == NULL)
		return;
	do {
		int rc = take ? scope->reset(index, values) : scope->read(index, values);

		/* Values come with -EAGAIN as well; each of them is right. */
		if (rc == 0 || rc == -EAGAIN)
			add_values(number, values, total);
	} while (next_index(scope, flows, index));
	free(values);
}

static void
visit_all(uint32_t flows, bool take, uint64_t *total)
{
	unsigned int number;

	for (number = 0; number < ctr_bench.module->num_scopes; number++) {
		const struct ctr_scope *scope = &ctr_bench.module->scopes[number];

		if (is_counted(number) && (take ? scope->reset != NULL : scope->read != NULL))
			visit(number, flows, take, total);
	}
}

void
bench_totals(uint32_t flows, uint64_t *total)
{
	memset(total, 0, ctr_bench.num_effects * sizeof(*total));
	visit_all(flows, false, total);
}

/* All instances of a scope, 256 of them in a read section, and nothing kept. */
static int
walk(unsigned int number, uint32_t flows, bool sections)
{
	const struct ctr_scope *scope = &ctr_bench.module->scopes[number];
	uint32_t index[MAX_INDEXES] = { 0 }, row = 0;
	uint8_t *values = (uint8_t *)calloc(1, scope->value_size);
	bool more;

	if (values == NULL)
		return -ENOMEM;
	do {
		if (sections && row % ROWS == 0)
			ctr_bench.module->read_lock();
		(void)scope->read(index, values);
		more = next_index(scope, flows, index);
		if (sections && (++row % ROWS == 0 || !more))
			ctr_bench.module->read_unlock();
	} while (more);
	free(values);
	return 0;
}

int
bench_read(uint32_t flows, enum bench_reader reader)
{
	unsigned int number;
	int rc = 0;

	if (reader == BENCH_SNAPSHOT)
		return ctr_bench.snapshot() == -ENOMEM ? -ENOMEM : 0;
	for (number = 0; number < ctr_bench.module->num_scopes && rc == 0; number++)
		if (ctr_bench.module->scopes[number].read != NULL)
			rc = walk(number, flows, reader == BENCH_WALK);
	return rc;
}

void
bench_take(uint32_t flows, uint64_t *total)
{
	visit_all(flows, true, total);
}
