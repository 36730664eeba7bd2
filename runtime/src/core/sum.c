/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of counters over all copies. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "ctr_strategy.h"
#include "kernels.h"

const struct ctr_strategy ctr_strategy_plain = { 0 };

/* ---- copies of plain words ---- */

/* The elements of some instances, in all copies that have them. */
struct elements {
	uint32_t num;
	size_t step; /* From one instance to the next. */
	void *of[2 * CTR_SLOTS]; /* The first of those instances. */
};

static inline void
elements_of(struct elements *elements, const struct ctr_table *table, void *const *copies,
	    uint32_t num, uint32_t at)
{
	const struct ctr_place *place = &table->data;
	const size_t chunk = place->at + (size_t)(at >> table->chunk_bits) * sizeof(void *);
	const size_t first = place->first +
			     (size_t)(at & ((1u << table->chunk_bits) - 1)) * place->size;
	const size_t offset = place->at + (size_t)at * place->size;
	void **to = &elements->of[elements->num];
	uint32_t copy;

	for (copy = 0; table->dynamic && copy < num; copy++) {
		char *element = (char *)ctr_load_acquire(
			(void *const *)(const void *)((const char *)copies[copy] + chunk));

		if (ctr_likely(element != NULL))
			*to++ = element + first;
	}
	for (copy = 0; !table->dynamic && copy < num; copy++)
		*to++ = (char *)copies[copy] + offset;
	elements->num = (uint32_t)(to - elements->of);
}

static inline void
elements_of_set(struct elements *elements, const struct ctr_table *table,
		const struct ctr_slots *slots, uint32_t at)
{
	elements_of(elements, table, slots->copy, ctr_load_acquire(&slots->num), at);
}

static inline void
all_elements(struct elements *elements, const struct ctr_table *table, uint32_t at)
{
	const struct ctr_domain *domain = table->domain;

	elements->num = 0;
	if (domain->slots == NULL)
		elements_of(elements, table, &domain->shared, 1, at);
	else
		elements_of_set(elements, table, domain->slots, at);
	if (domain->cpus != NULL)
		elements_of_set(elements, table, domain->cpus, at);
}

/* The words of an instance in some copies, to `values`; num: how many words. */
static CTR_UNROLLED void
gather64(void *const *copies, uint32_t n, size_t offset, const uint64_t *base, uint64_t *values,
	 unsigned int num)
{
	uint64_t sums[CTR_GATHER] = { 0 };
	uint32_t copy;

	for (copy = 0; copy < n; copy++)
		ctr_gather_words((const uint64_t *)(const void *)((const char *)copies[copy] +
								  offset),
				 num, sums);
	ctr_gather_values(sums, num, base, values);
}

static void
gather(void *const *copies, uint32_t n, size_t offset, const uint64_t *base, uint64_t *values,
       unsigned int num)
{
	switch (num) {
	case 1:
		gather64(copies, n, offset, base, values, 1);
		break;
	case 2:
		gather64(copies, n, offset, base, values, 2);
		break;
	case 3:
		gather64(copies, n, offset, base, values, 3);
		break;
	default:
		gather64(copies, n, offset, base, values, 4);
		break;
	}
}

void
ctr_core_gather(const struct ctr_table *table, void *const *copies, uint32_t n, uint32_t at,
		const uint64_t *base, void *out)
{
	const struct ctr_run *run = table->runs;

	gather(copies, n, table->data.at + (size_t)at * table->data.size + run->data, base,
	       (uint64_t *)(void *)((char *)out + run->value), run->num);
}

/* ---- one instance ---- */

void
ctr_words_set(const struct ctr_table *table, const void *element, void *values)
{
	words(table, (const char *)element, false, (char *)values, SET);
}

void
ctr_words_add(const struct ctr_table *table, const void *element, void *values)
{
	words(table, (const char *)element, false, (char *)values, ADD);
}

/* Add what the copies in a set have of an instance, or put it there if there is nothing yet. */
static inline bool
words_of_set(const struct ctr_table *table, const struct ctr_slots *slots, uint32_t at,
	     void *values, bool any)
{
	const uint32_t num = ctr_load_acquire(&slots->num);
	const void *element;
	uint32_t copy;

	for (copy = 0; copy < num; copy++) {
		element = ctr_element(table, &table->data, slots->copy[copy], at);
		if (element == NULL)
			continue;
		if (any)
			ctr_words_add(table, element, values);
		else
			ctr_words_set(table, element, values);
		any = true;
	}
	return any;
}

bool
ctr_core_words_of_copies(const struct ctr_table *table, uint32_t at, const char *base, void *values)
{
	const struct ctr_domain *domain = table->domain;
	const struct ctr_run *run = table->runs;
	struct elements elements;
	bool any = false;

	if (table->num_runs == 1 && run->bits == 64 && run->num <= CTR_GATHER) {
		all_elements(&elements, table, at);
		gather(elements.of, elements.num, run->data,
		       base != NULL ? (const uint64_t *)(const void *)(base + run->base) : NULL,
		       (uint64_t *)(void *)((char *)values + run->value), run->num);
		return true;
	}
	any = words_of_set(table, domain->slots, at, values, false);
	if (domain->cpus != NULL)
		any = words_of_set(table, domain->cpus, at, values, any);
	if (any && base != NULL)
		ctr_core_subtract(table, base, 0, 1, values);
	return any;
}

/* ---- one copy, all copies ---- */

void
ctr_load_plain(const struct ctr_table *table, const void *copy, uint32_t at, uint32_t n,
	       void *values)
{
	const char *element = ctr_element(table, &table->data, copy, at);

	if (element != NULL)
		ctr_load_element(table, element, n, values);
}

void
ctr_load_element(const struct ctr_table *table, const void *element, uint32_t n, void *values)
{
	const char *from = (const char *)element;
	char *to = (char *)values;

	for (; n != 0; n--, from += table->data.size, to += table->value_size) {
		ctr_words_add(table, from, to);
		if (table->num_beside != 0)
			ctr_core_beside(table, from, to);
	}
}

void
ctr_core_load(const struct ctr_table *table, void *copy, uint32_t at, uint32_t n, void *values,
	      int *rc, struct ctr_reading *reading)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	if (strategy->load != NULL)
		strategy->load(table, copy, at, n, values, rc, reading);
	else
		ctr_load_plain(table, copy, at, n, values);
}

/* Where values of some instances go, and baselines that are subtracted. */
struct block {
	const char *from; /* The first baseline, or NULL. */
	size_t step;      /* Bytes from one to the next. */
	char *to;         /* The first value. */
	size_t size;      /* Bytes from one to the next. */
	uint32_t n;       /* How many instances. */
};

/* Sums of `num` words of instances from one offset on, less baselines at `from` of the block. */
static CTR_UNROLLED void
total64(const struct elements *elements, const struct block *block, size_t offset, unsigned int num)
{
	const char *base = block->from;
	char *to = block->to;
	uint32_t n, copy;

	for (n = block->n; n != 0; n--, offset += elements->step, to += block->size) {
		uint64_t sums[CTR_GATHER] = { 0 };

		for (copy = 0; copy < elements->num; copy++) {
			const char *from = (const char *)elements->of[copy] + offset;

			ctr_gather_words((const uint64_t *)(const void *)from, num, sums);
		}
		ctr_gather_values(sums, num,
				  (const uint64_t *)(const void *)base,
				  (uint64_t *)(void *)to);
		if (base != NULL)
			base += block->step;
	}
}

static void
total32(const struct elements *elements, const struct block *block, size_t offset)
{
	const char *base = block->from;
	char *to = block->to;
	uint32_t n, copy, sum;

	for (n = block->n; n != 0; n--, offset += elements->step, to += block->size) {
		sum = 0;
		for (copy = 0; copy < elements->num; copy++) {
			const char *from = (const char *)elements->of[copy] + offset;

			sum += ctr_load32((const uint32_t *)(const void *)from);
		}
		if (base != NULL) {
			sum -= ctr_load32((const uint32_t *)(const void *)base);
			base += block->step;
		}
		*(uint32_t *)(void *)to = sum;
	}
}

/* As many words as are summed up in registers, or less. */
static CTR_UNROLLED void
total64_some(const struct elements *elements, const struct block *block, size_t offset,
	   unsigned int num)
{
	switch (num) {
	case 1:
		total64(elements, block, offset, 1);
		break;
	case 2:
		total64(elements, block, offset, 2);
		break;
	case 3:
		total64(elements, block, offset, 3);
		break;
	default:
		total64(elements, block, offset, CTR_GATHER);
		break;
	}
}

/* The words of a run; block->from, unless that is NULL, and block->to are of the first of them. */
static void
total_run(const struct elements *elements, struct block *block, const struct ctr_run *run)
{
	const unsigned int step = run->bits == 64 ? CTR_GATHER : 1;
	unsigned int i;

	for (i = 0; i < run->num; i += step) {
		const size_t offset = run->data + (size_t)i * (run->bits / 8u);

		if (run->bits != 64)
			total32(elements, block, offset);
		else
			total64_some(elements, block, offset, run->num - i);
		block->to += (size_t)step * (run->bits / 8u);
		if (block->from != NULL)
			block->from += (size_t)step * (run->bits / 8u);
	}
}

/* The counters of instances, less baselines, if `base` is not NULL; other values stay. */
static void
total_words(const struct ctr_table *table, uint32_t at, uint32_t n, const char *base, void *values)
{
	const struct ctr_run *run = table->runs, *const end = run + table->num_runs;
	struct elements elements;
	struct block block;

	all_elements(&elements, table, at);
	elements.step = table->data.size;
	block.step = table->record_size;
	block.size = table->value_size;
	block.n = n;
	for (; run != end; run++) {
		block.from = base != NULL ? base + run->base : NULL;
		block.to = (char *)values + run->value;
		total_run(&elements, &block, run);
	}
}

void
ctr_load_only(const struct ctr_table *table, const void *element, uint32_t n, void *values)
{
	const struct ctr_run *run = table->runs, *const end = run + table->num_runs;
	struct elements elements;
	struct block block;

	if (n == 1 || !table->words) {
		ctr_load_element(table, element, n, values);
		return;
	}
	elements.num = 1;
	elements.step = table->data.size;
	elements.of[0] = (void *)(uintptr_t)element;
	block.from = NULL;
	block.size = table->value_size;
	block.n = n;
	for (; run != end; run++) {
		block.to = (char *)values + run->value;
		total_run(&elements, &block, run);
	}
}

/* ---- all copies ---- */

static void
sum_loads(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
	  struct ctr_reading *reading)
{
	const struct ctr_domain *domain = table->domain;
	uint32_t copy, num;

	if (domain->slots == NULL) {
		ctr_core_load(table, domain->shared, at, n, values, rc, reading);
		return;
	}
	num = ctr_load_acquire(&domain->slots->num);
	for (copy = 0; copy < num; copy++)
		ctr_core_load(table, domain->slots->copy[copy], at, n, values, rc, reading);
	if (domain->cpus == NULL)
		return;
	num = ctr_load_acquire(&domain->cpus->num);
	for (copy = 0; copy < num; copy++)
		ctr_core_load(table, domain->cpus->copy[copy], at, n, values, rc, reading);
}

/* Whether a block of instances is summed up here. */
static inline bool
is_plain(const struct ctr_table *table)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	return table->words && strategy->load == NULL && strategy->sum == NULL;
}

void
ctr_core_sum(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
	     struct ctr_reading *reading)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	if (n == 1) {
		*rc = 0;
		if (table->words && ctr_core_words(table, at, NULL, values))
			return;
	} else {
		memset(rc, 0, n * sizeof(*rc));
	}
	ctr_core_zero(values, (size_t)n * table->value_size);
	if (table->data.size == 0)
		return;
	if (strategy->sum != NULL)
		strategy->sum(table, at, n, values, rc, reading);
	else
		sum_loads(table, at, n, values, rc, reading);
}

/* ---- baselines ---- */

void
ctr_core_subtract(const struct ctr_table *table, const char *base, size_t step, uint32_t n,
		  void *values)
{
	char *to = (char *)values;

	for (; n != 0; n--, base += step, to += table->value_size)
		words(table, base, true, to, SUBTRACT);
}

void
ctr_core_total(const struct ctr_table *table, unsigned int view, uint32_t at, uint32_t n,
	       void *values, int *rc, struct ctr_reading *reading)
{
	const char *base = table->base_size != 0 ? ctr_core_base(table, at, view) : NULL;
	const uint64_t *torn;
	uint32_t i;

	if (n != 1 && is_plain(table)) {
		memset(rc, 0, n * sizeof(*rc));
		total_words(table, at, n, base, values);
	} else {
		ctr_core_sum(table, at, n, values, rc, reading);
		if (base != NULL)
			ctr_core_subtract(table, base, table->record_size, n, values);
	}
	if (table->torn == NULL)
		return;
	torn = ctr_core_torn(table, view);
	for (i = 0; i < n; i++)
		if (ctr_bit(torn, at + i))
			rc[i] = -EAGAIN;
}

bool
ctr_core_gather_all(const struct ctr_table *table, uint32_t at, const uint64_t *base, void *out)
{
	const struct ctr_domain *domain = table->domain;
	const struct ctr_strategy *strategy = domain->strategy;
	const struct ctr_slots *slots = domain->slots;
	char *to = (char *)out + table->runs->value;

	if (strategy->gather != NULL)
		return strategy->gather(table, at, base, (uint64_t *)(void *)to) == 0;
	if (strategy->load != NULL || strategy->sum != NULL)
		return false;
	if (slots == NULL)
		ctr_core_gather(table, &domain->shared, 1, at, base, out);
	else if (domain->cpus == NULL)
		ctr_core_gather(table, slots->copy, ctr_load_acquire(&slots->num), at, base, out);
	else
		return false;
	return true;
}
