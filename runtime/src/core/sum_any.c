/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of any counters over copies, also of dynamic scopes. */
#include "core.h"

/* `num` words at @p offset from the copies, `values` and `base` of the first instance. */
static CTR_UNROLLED void
sum_wide(const struct ctr_table *table, const struct ctr_sum *sum, size_t offset, char *values,
	  const char *base, unsigned int num)
{
	static const uint64_t none[CTR_GATHER];
	const size_t step = base != NULL ? table->record_size : 0;
	const size_t size = table->data.size, value_size = table->value_size;
	void *const *const copies = sum->copies, *const *const end = copies + sum->num;
	void *const *copy;
	uint32_t n;

	if (base == NULL)
		base = (const char *)none;
	for (n = sum->n; n != 0; n--) {
		uint64_t *to = (uint64_t *)(void *)values, sums[CTR_GATHER] = { 0 };

		if (sum->more)
			ctr_gather_words(to, num, sums);
		for (copy = copies; copy != end; copy++) {
			const char *from = (const char *)*copy + offset;

			ctr_gather_words((const uint64_t *)(const void *)from, num, sums);
		}
		ctr_gather_values(sums, num, (const uint64_t *)(const void *)base, to);
		offset += size;
		values += value_size;
		base += step;
	}
}

static void
sum_some(const struct ctr_table *table, const struct ctr_sum *sum, size_t offset,
	 char *values, const char *base, unsigned int num)
{
	switch (num) {
	case 1:
		sum_wide(table, sum, offset, values, base, 1);
		break;
	case 2:
		sum_wide(table, sum, offset, values, base, 2);
		break;
	case 3:
		sum_wide(table, sum, offset, values, base, 3);
		break;
	default:
		sum_wide(table, sum, offset, values, base, CTR_GATHER);
		break;
	}
}

/* One word of 32 bits of each instance. */
static void
sum_narrow(const struct ctr_table *table, const struct ctr_sum *sum, size_t offset, char *values,
	   const char *base)
{
	uint32_t n, copy, total;

	for (n = sum->n; n != 0; n--, offset += table->data.size, values += table->value_size) {
		uint32_t *to = (uint32_t *)(void *)values;

		total = sum->more ? *to : 0;
		for (copy = 0; copy < sum->num; copy++) {
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
	uint32_t i;

	for (; run != end; run++) {
		const uint32_t size = run->bits / 8, step = size == 8 ? CTR_GATHER : 1;

		for (i = 0; i < run->num; i += step) {
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
	for (i = 0; table->num_beside != 0 && sum->num != 0 && i < sum->n; i++)
		ctr_core_beside(table,
				(const char *)sum->copies[0] + offset +
					(size_t)i * table->data.size,
				sum->values + (size_t)i * table->value_size);
}

/* Subtract baselines. */
static void
subtract_any(const struct ctr_table *table, const char *base, uint32_t n, char *values)
{
	const struct ctr_run *run, *const end = table->runs + table->num_runs;
	uint32_t i;

	for (; n != 0; n--, base += table->record_size, values += table->value_size) {
		for (run = table->runs; run != end; run++) {
			const char *from = base + run->base;
			const uint64_t *from64 = (const uint64_t *)(const void *)from;
			const uint32_t *from32 = (const uint32_t *)(const void *)from;
			uint64_t *to64 = (uint64_t *)(void *)(values + run->value);
			uint32_t *to32 = (uint32_t *)(void *)(values + run->value);

			for (i = run->bits == 64 ? run->num : 0; i-- != 0;)
				*to64++ -= ctr_load64(from64++);
			for (i = run->bits == 64 ? 0 : run->num; i-- != 0;)
				*to32++ -= ctr_load32(from32++);
		}
	}
}

void
ctr_sum_any(const struct ctr_table *table, const struct ctr_sum *sum)
{
	void *elements[CTR_SLOTS];
	struct ctr_sum some;
	uint32_t copy;

	if (sum->num == 0 && sum->more) {
		subtract_any(table, sum->base, sum->n, sum->values);
		return;
	}
	if (!table->dynamic) {
		sum_runs(table, sum, table->data.at + (size_t)sum->at * table->data.size);
		return;
	}
	some.copies = elements;
	some.num = 0;
	some.at = sum->at;
	some.n = sum->n;
	some.more = sum->more;
	some.base = sum->base;
	some.values = sum->values;
	for (copy = 0; copy < sum->num; copy++) {
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
	struct ctr_sum sum;

	sum.copies = &found;
	sum.num = 1;
	sum.at = 0;
	sum.n = n;
	sum.more = more;
	sum.base = NULL;
	sum.values = (char *)values;
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
