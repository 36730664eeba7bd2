/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of the counters, for comparison with the sum over the packets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MAX_INDEXES 8
/* Instances that the agent reads in one section. */
#define ROWS 256
/* Numbers of flows of which totals are kept from one run to the next. */
#define KNOWN_TOTALS 4

/* What is read of a scope, and how. */
struct instances {
	unsigned int num_indexes;
	const uint32_t *maxima;
	int (*read)(const uint32_t *index, void *values);
	int (*reset)(const uint32_t *index, void *values);
	size_t value_size;
	bool objects; /* Of the application. */
};

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

/* The instances of a scope: those of the module, or objects of the application. */
static struct instances
instances_of(unsigned int number)
{
	const struct ctr_scope *scope = &ctr_bench.module->scopes[number];
	struct instances all = {
		.num_indexes = scope->num_indexes,
		.maxima = scope->index_maxima,
		.read = scope->read,
		.reset = scope->reset,
		.value_size = scope->value_size,
	};
	unsigned int i;

	for (i = 0; i < ctr_bench.num_objects; i++) {
		const struct ctr_bench_objects *objects = &ctr_bench.objects[i];

		if (objects->scope == number) {
			all.num_indexes = 1;
			all.maxima = &objects->count;
			all.read = objects->read;
			all.reset = objects->reset;
			all.objects = true;
		}
	}
	return all;
}

/*
 * Step to the next instance, the innermost index fastest; false after the last
 * instance that this number of flows can touch: the outermost index is the flow's
 * number modulo its limit.
 */
static bool
next_index(const struct instances *all, uint32_t flows, uint32_t *index)
{
	unsigned int level = all->num_indexes;

	while (level-- > 0) {
		uint32_t limit = all->maxima[level];

		if (level == 0 && flows < limit)
			limit = flows;
		if (++index[level] < limit)
			return true;
		index[level] = 0;
	}
	return false;
}

/* Read or reset (`take`) all instances of a scope, with `sections` 256 of them in a read section,
 * and add their counters to `total`; NULL: keep nothing.
 */
static int
visit(unsigned int number, uint32_t flows, bool take, bool sections, uint64_t *total)
{
	const struct instances all = instances_of(number);
	int (*visitor)(const uint32_t *index, void *values) = take ? all.reset : all.read;
	uint32_t index[MAX_INDEXES] = { 0 }, row = 0;
	uint8_t *values;
	bool more;

	if (visitor == NULL)
		return 0;
	values = (uint8_t *)calloc(1, all.value_size);
	if (values == NULL)
		return -ENOMEM;
	/* Objects are in no section: whoever has them reads them. */
	sections = sections && !all.objects;
	do {
		int rc;

		if (sections && row % ROWS == 0)
			ctr_bench.module->read_lock();
		rc = visitor(index, values);
		/* Values come with -EAGAIN as well; each of them is right. */
		if (total != NULL && (rc == 0 || rc == -EAGAIN))
			add_values(number, values, total);
		more = next_index(&all, flows, index);
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

/*
 * Totals by number of flows, most recently read first: a million instances take a second to read,
 * so what a run leaves is what the next begins with. Only runs change the counters.
 */
static struct {
	uint32_t flows;
	uint64_t *total; /* NULL: none. */
} known[KNOWN_TOTALS];

static size_t
totals_size(void)
{
	return ctr_bench.num_effects * sizeof(uint64_t);
}

static void
read_totals(uint32_t flows, uint64_t *total)
{
	memset(total, 0, totals_size());
	visit_all(flows, false, total);
}

void
bench_totals_before(uint32_t flows, uint64_t *total)
{
	unsigned int i;

	for (i = 0; i < KNOWN_TOTALS; i++)
		if (known[i].total != NULL && known[i].flows == flows) {
			memcpy(total, known[i].total, totals_size());
			return;
		}
	read_totals(flows, total);
}

static void
forget_total(unsigned int i)
{
	free(known[i].total);
	known[i].total = NULL;
}

/* Keep what was read now in front of the others, which the run has changed too if the instances of
 * its flows are among theirs; of fewer flows it is not known by how much.
 */
static void
keep_total(uint32_t flows, const uint64_t *before, const uint64_t *after)
{
	unsigned int i, k;

	for (i = 0; i < KNOWN_TOTALS; i++) {
		if (known[i].flows <= flows)
			forget_total(i);
		for (k = 0; known[i].total != NULL && k < ctr_bench.num_effects; k++)
			known[i].total[k] += after[k] - before[k];
	}
	forget_total(KNOWN_TOTALS - 1);
	memmove(&known[1], &known[0], (KNOWN_TOTALS - 1) * sizeof(known[0]));
	known[0].flows = flows;
	known[0].total = (uint64_t *)malloc(totals_size() + 1);
	if (known[0].total != NULL)
		memcpy(known[0].total, after, totals_size());
}

void
bench_totals_after(uint32_t flows, const uint64_t *before, uint64_t *total)
{
	read_totals(flows, total);
	keep_total(flows, before, total);
}

void
bench_totals_forget(void)
{
	unsigned int i;

	for (i = 0; i < KNOWN_TOTALS; i++)
		forget_total(i);
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
		if (reader != BENCH_SNAPSHOT || instances_of(number).objects)
			rc = visit(number, flows, false, reader == BENCH_WALK, NULL);
	return rc;
}

void
bench_take(uint32_t flows, uint64_t *total)
{
	visit_all(flows, true, total);
}
