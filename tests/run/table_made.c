/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_fork.h"
#include "ctr_table.h"
#include "table.h"

/* A copy of the scope. */
struct copy {
	struct values data[INSTANCES];
	struct values offset[INSTANCES];
};

static struct ctr_control control = CTR_CONTROL_INITIALIZER;
static struct ctr_flag ready;
static struct ctr_line64 dropped, late;
static struct ctr_module_fork forks;
static struct ctr_slots slots;
static struct copy only;
struct shape shape;
static struct ctr_run runs[2];
struct ctr_table table;
static struct ctr_table_state state;
static uint64_t torn[VIEWS][(INSTANCES + 63) / 64];
static uint64_t bases[INSTANCES * VIEWS * WORDS];
static const uint32_t maxima[] = { INSTANCES };
static const struct ctr_table *const tables[] = { &table };
static struct ctr_domain domain;
static const struct ctr_domain *const domains[] = { &domain };

const struct ctr_module_state module = {
	.control = &control,
	.ready = &ready,
	.dropped = &dropped,
	.late = &late,
	.fork = &forks,
	.domains = domains,
	.tables = tables,
	.num_domains = 1,
	.num_tables = 1,
	.at_once = true,
};

/* ---- the table of a shape ---- */

static struct ctr_run
run_of(unsigned int bits, unsigned int at, unsigned int num)
{
	struct ctr_run run = { at, at, at, 0, (uint16_t)num, (uint8_t)bits, (uint8_t)bits };

	return run;
}

static void
describe(void)
{
	static void (*const sums[])(const struct ctr_table *table, const struct ctr_sum *sum) = {
		ctr_sum_1, ctr_sum_2, ctr_sum_3, ctr_sum_4,
	};
	static int (*const reads[])(const struct ctr_table *table, unsigned int view, uint32_t at,
				    void *values) = {
		ctr_read_1, ctr_read_2, ctr_read_3, ctr_read_4,
	};

	table.domain = &domain;
	table.state = &state;
	table.runs = runs;
	table.num_runs = shape.more ? 2 : 1;
	table.num_indexes = 1;
	table.index_maxima = maxima;
	table.max = INSTANCES;
	table.value_size = sizeof(struct values);
	table.data.size = sizeof(struct values);
	table.bases = (uint16_t)shape.views;
	table.view = shape.views > 1 ? VIEW : 0;
	table.torn = &torn[0][0];
	table.resets = true;
	table.periodic = true;
	table.base_size = shape.shared ? 0 : sizeof(struct values);
	table.words = shape.alone;
	table.gathers = shape.alone && !shape.more && shape.bits == 64 &&
			shape.num <= 4;
	table.read = ctr_read_slowly;
	table.get = ctr_get_any;
	table.sum = ctr_sum_any;
	table.part = shape.shared ? NULL : ctr_part_any;
	table.collect = shape.shared ? ctr_collect_take :
			shape.since  ? ctr_collect_parts :
				       ctr_collect_sum;
	if (table.words)
		table.read = shape.shared ? ctr_read_one : ctr_read_any;
	if (table.gathers && !shape.since)
		table.read = reads[shape.num - 1];
	if (table.gathers && !shape.shared && !shape.since) {
		table.get = ctr_get_few;
		table.sum = sums[shape.num - 1];
		table.collect = ctr_collect_few;
		table.part = ctr_part_few;
	}
	if (shape.since) {
		table.offset.at = offsetof(struct copy, offset);
		table.offset.size = sizeof(struct values);
	}
	table.records = shape.shared ? NULL : bases;
	table.record_size = shape.views * table.base_size;
}

void
begin(struct shape wanted)
{
	const unsigned int behind = (wanted.num * wanted.bits / 8 + 7) / 8 * 8;

	shape = wanted;
	memset(&table, 0, sizeof(table));
	memset(&state, 0, sizeof(state));
	memset(&slots, 0, sizeof(slots));
	memset(&domain, 0, sizeof(domain));
	runs[0] = run_of(shape.bits, 0, shape.num);
	runs[1] = run_of(96 - shape.bits, behind, 1);
	describe();
	slots.size = sizeof(struct copy);
	slots.non_lcore = true;
	domain.strategy = &ctr_strategy_plain;
	domain.module = &module;
	domain.tables = tables;
	domain.num_tables = 1;
	domain.slots = shape.shared ? NULL : &slots;
	domain.shared = shape.shared ? &only : NULL;
	domain.size = sizeof(only);
	EQUAL(ctr_thread_register(), 0);
	EQUAL(ctr_module_init(&module), 0);
}

void
end(void)
{
	ctr_module_fini(&module);
	ctr_thread_unregister();
}

unsigned int
num_words(void)
{
	return shape.num + shape.more;
}

/* Where a counter is, from the beginning of a struct, and how wide it is. */
unsigned int
offset_of(unsigned int n)
{
	return n < shape.num ? n * shape.bits / 8 : runs[1].data;
}

unsigned int
bits_of(unsigned int n)
{
	return n < shape.num ? shape.bits : runs[1].bits;
}

uint64_t
cut(unsigned int n, uint64_t value)
{
	return bits_of(n) == 64 ? value : (uint32_t)value;
}

uint64_t
value_of(const struct values *values, unsigned int n)
{
	const char *at = (const char *)values + offset_of(n);
	uint64_t wide;
	uint32_t narrow;

	memcpy(&narrow, at, sizeof(narrow));
	memcpy(&wide, at, bits_of(n) / 8);
	return bits_of(n) == 64 ? wide : narrow;
}

/* ---- counts, as updates have them ---- */

unsigned int
lcore_of(unsigned int copy)
{
	return copy == 0 ? ctr_lcore_id() : CTR_NON_LCORE;
}

static char *
element_of(unsigned int copy, uint32_t at)
{
	void *in = shape.shared ? &only : ctr_slots_get(&slots, lcore_of(copy));

	return (char *)ctr_element(&table, &table.data, in, at);
}

static unsigned int
num_copies(void)
{
	return shape.shared ? 1 : COPIES;
}

/* Of each counter and copy another amount near the one that is asked for. */
uint64_t
amount(uint64_t about, unsigned int copy, unsigned int n)
{
	return about + 16 * copy + n;
}

void
count(uint32_t at, uint64_t about)
{
	unsigned int copy, n;

	for (copy = 0; copy < num_copies(); copy++) {
		for (n = 0; n < num_words(); n++) {
			char *word = element_of(copy, at) + offset_of(n);

			if (bits_of(n) == 64)
				ctr_add64((uint64_t *)(void *)word, amount(about, copy, n));
			else
				ctr_add32((uint32_t *)(void *)word,
					  (uint32_t)amount(about, copy, n));
		}
	}
}

uint64_t
counted(uint64_t about, unsigned int n)
{
	return cut(n, amount(about, 0, n) + (shape.shared ? 0 : amount(about, 1, n)));
}
