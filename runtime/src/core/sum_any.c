/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of any counters over copies, also of dynamic scopes. */
#include "core.h"

static void
sum_some(const struct ctr_table *table, const struct ctr_sum *sum, size_t offset,
	 char *values, const char *base, unsigned int num)
{
	switch (num) {
	case 1:
		ctr_core_sum_words(table, sum, offset, values, base, 1);
		break;
	case 2:
		ctr_core_sum_words(table, sum, offset, values, base, 2);
		break;
	case 3:
		ctr_core_sum_words(table, sum, offset, values, base, 3);
		break;
	default:
		ctr_core_sum_words(table, sum, offset, values, base, CTR_GATHER);
		break;
	}
}

/* One word of 32 bits of each instance. */
static void
sum_narrow(const struct ctr_table *table, const struct ctr_sum *sum, size_t offset, char *values,
	   const char *base)
{
	uint32_t n, total;

	for (n = sum->n; n != 0; n--, offset += table->data.size, values += table->value_size) {
		uint32_t *to = (uint32_t *)(void *)values;

		total = sum->more ? *to : 0;
		for (uint32_t copy = 0; copy < sum->num; copy++) {
			const char *from = (const char *)sum->copies[copy] + offset;

			total += ctr_load32((const uint32_t *)(const void *)from);
		}
		if (base != NULL) {
			total -= ctr_load32((const uint32_t *)(const void *)base);
			base += table->record_size;
		}
		*to = total;
	}
}

/* The counters of instances at @p offset from the copies, and what else is in their elements. */
static void
sum_runs(const struct ctr_table *table, const struct ctr_sum *sum, size_t offset)
{
	const struct ctr_run *run = table->runs, *const end = run + table->num_runs;

	for (; run != end; run++) {
		const uint32_t size = run->bits / 8, step = size == 8 ? CTR_GATHER : 1;

		for (uint32_t i = 0; i < run->num; i += step) {
			const size_t from = offset + run->data + (size_t)i * size;
			char *values = sum->values + run->value + (size_t)i * size;
			const char *base = sum->base;

			if (base != NULL)
				base += run->base + (size_t)i * size;
			if (size == 8)
				sum_some(table, sum, from, values, base, run->num - i);
			else
				sum_narrow(table, sum, from, values, base);
		}
	}
	for (uint32_t i = 0; table->num_beside != 0 && sum->num != 0 && i < sum->n; i++)
		ctr_core_beside(table,
				(const char *)sum->copies[0] + offset +
					(size_t)i * table->data.size,
				sum->values + (size_t)i * table->value_size);
}

void
ctr_sum_any(const struct ctr_table *table, const struct ctr_sum *sum)
{
	void *elements[CTR_SLOTS];
	struct ctr_sum some = { elements, 0, sum->at, sum->n, sum->more, sum->base, sum->values };

	if (!table->dynamic) {
		sum_runs(table, sum, table->data.at + (size_t)sum->at * table->data.size);
		return;
	}
	for (uint32_t copy = 0; copy < sum->num; copy++) {
		elements[some.num] = ctr_element(table, &table->data, sum->copies[copy], sum->at);
		some.num += elements[some.num] != NULL;
	}
	sum_runs(table, &some, 0);
}

/* ---- for strategies: elements that the caller has found ---- */

static void
sum_element(const struct ctr_table *table, const void *element, uint32_t n, void *values, bool more)
{
	void *const found = (void *)(uintptr_t)element;
	const struct ctr_sum sum = { &found, 1, 0, n, more, NULL, (char *)values };

	sum_runs(table, &sum, 0);
}

void
ctr_load_element(const struct ctr_table *table, const void *element, uint32_t n, void *values)
{
	sum_element(table, element, n, values, true);
}

void
ctr_load_only(const struct ctr_table *table, const void *element, uint32_t n, void *values)
{
	sum_element(table, element, n, values, false);
}
