/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Reads of counters that are a wide word in the common part and a narrow one in each copy; those of
 * 32 bits are plain sums. For the C file of the strategy `per_core_narrow`. */
#ifndef CTR_NARROW_READ_H
#define CTR_NARROW_READ_H

#include "ctr_narrow.h"
#include "ctr_strategy.h"

/** The copies of a read: those of even groups come first, from the end those of odd ones. */
struct members {
	uint32_t even; /**< How many are of even groups. */
	uint32_t odd;  /**< From there on up to the end they are of odd ones. */
	/** One of them. */
	struct member {
		const char *element; /**< The first of those that are read. */
		uint16_t group;      /**< Its group. */
		uint16_t shift;      /**< Where wide words have the number of that. */
	} of[CTR_SLOTS];             /**< All of them. */
};

/** A counter of an instance. */
struct word {
	size_t at;            /**< Offset of the narrow word, from `element`. */
	const uint64_t *wide; /**< The wide word. */
};

/** What the strategy knows of a domain. */
static const struct ctr_narrow_own *
narrow_own_of(const struct ctr_domain *domain)
{
	return (const struct ctr_narrow_own *)domain->own;
}

/** List all copies, for reads of instances from `at` on, in one chunk. */
static inline void
narrow_list(struct members *members, const struct ctr_table *table, uint32_t at)
{
	const struct ctr_slots *slots = table->domain->slots;
	const uint32_t share = narrow_own_of(table->domain)->shape.share;
	const uint32_t num = ctr_load_acquire(&slots->num);

	members->even = 0;
	members->odd = CTR_SLOTS;
	for (uint32_t n = 0; n < num; n++) {
		const char *copy = (const char *)slots->copy[n];
		const uint32_t group = ((const struct ctr_narrow_head *)(const void *)copy)->group;
		const char *element = (const char *)ctr_element(table, &table->data, copy, at);
		struct member *member;

		if (element == NULL)
			continue;
		member = &members->of[group % 2 == 0 ? members->even++ : --members->odd];
		member->element = element;
		member->group = (uint16_t)group;
		member->shift = (uint16_t)(group * share);
	}
}

/* ---- one counter; `bits` is a constant ---- */

/** Load a narrow word. */
static CTR_UNROLLED uint32_t
load_narrow(const char *word, unsigned int bits)
{
	if (bits == 16)
		return __atomic_load_n((const uint16_t *)(const void *)word, __ATOMIC_RELAXED);
	return ctr_load32((const uint32_t *)(const void *)word);
}

/** Load the narrow words of some copies. */
static void
load_parts(struct ctr_narrow *read, const struct member *of, const struct member *end, size_t at)
{
	for (; of != end; of++)
		ctr_narrow_part(read, of->group, load_narrow(of->element + at, read->bits));
}

/** As many tries as a read takes. */
static __attribute__((noinline)) void
read_slowly(struct ctr_narrow *read, const struct members *members, struct word word,
	    const struct ctr_narrow_shape *shape)
{
	ctr_narrow_begin(read, shape->bits, shape->share);
	do {
		ctr_narrow_from(read, ctr_narrow_wide(word.wide));
		load_parts(read, members->of, members->of + members->even, word.at);
		load_parts(read, members->of + members->odd, members->of + CTR_SLOTS, word.at);
	} while (ctr_narrow_again(read, word.wide));
}

/** The value that such a read gives. */
static __attribute__((noinline)) uint64_t
value_slowly(const struct members *members, struct word word, const struct ctr_narrow_shape *shape)
{
	struct ctr_narrow read;

	read_slowly(&read, members, word, shape);
	return ctr_narrow_value(&read, NULL);
}

/** The sum of low parts in some copies; their numbers are added to *of_groups. */
static CTR_UNROLLED uint64_t
parts(const struct member *of, const struct member *end, size_t at, unsigned int bits,
      uint32_t share, uint64_t *of_groups)
{
	uint64_t low = 0;

	for (; of != end; of++) {
		const uint32_t narrow = load_narrow(of->element + at, bits);

		low += ctr_narrow_low(bits, share, narrow);
		*of_groups += (uint64_t)ctr_narrow_number(bits, share, narrow) << of->shift;
	}
	return low;
}

/** The first try, which is enough if nothing landed during it and nothing is in flight. */
static CTR_UNROLLED uint64_t
narrow_value_of(const struct members *members, struct word word,
		const struct ctr_narrow_shape *shape, unsigned int bits)
{
	const uint64_t sum = ctr_narrow_wide(word.wide);
	const uint32_t share = shape->share;
	uint64_t low, even = 0, odd = 0;

	low = parts(members->of, members->of + members->even, word.at, bits, share, &even);
	low += parts(members->of + members->odd, members->of + CTR_SLOTS, word.at, bits, share,
		     &odd);
	ctr_fence(__ATOMIC_ACQUIRE);
	if (ctr_likely(ctr_narrow_wide(word.wide) == sum &&
		       (((even ^ sum) & shape->even) | ((odd ^ sum) & shape->odd)) == 0))
		return (sum & ~(ctr_narrow_unit(bits, share) - 1)) + low;
	return value_slowly(members, word, shape);
}

/** The same of a word that is not narrow. */
static uint32_t
plain_of(const struct members *members, size_t at)
{
	const struct member *of;
	uint32_t sum = 0;

	for (of = members->of; of != members->of + members->even; of++)
		sum += load_narrow(of->element + at, 32);
	for (of = members->of + members->odd; of != members->of + CTR_SLOTS; of++)
		sum += load_narrow(of->element + at, 32);
	return sum;
}

/* ---- instances ---- */

/** Add counters in a row, of one instance, to their values. */
static CTR_UNROLLED void
narrow_words(const struct members *members, struct word word,
	     const struct ctr_narrow_shape *shape, unsigned int num, unsigned int bits,
	     uint64_t *values)
{
	for (; num-- != 0; word.at += bits / 8, word.wide++)
		*values++ += narrow_value_of(members, word, shape, bits);
}

/** Add the counters of a run. */
static void
sum_run(const struct members *members, const struct ctr_narrow_shape *shape,
	const struct ctr_run *run, struct word word, void *values)
{
	if (run->bits == 32)
		for (unsigned int i = 0; i < run->num; i++)
			((uint32_t *)values)[i] += plain_of(members, word.at + (size_t)4 * i);
	else if (run->stored == 32)
		narrow_words(members, word, shape, run->num, 32, (uint64_t *)values);
	else
		narrow_words(members, word, shape, run->num, 16, (uint64_t *)values);
}

/** `sum` of struct ctr_strategy. */
static void
narrow_sum(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, CTR_UNUSED int *rc,
	   CTR_UNUSED struct ctr_read_ctx *reading)
{
	const struct ctr_narrow_shape *shape = &narrow_own_of(table->domain)->shape;
	const char *common = ctr_common_of(table, at);
	const struct ctr_run *run;
	char *to = (char *)values;
	struct members members;
	struct word word;

	if (common == NULL)
		return;
	narrow_list(&members, table, at);
	for (uint32_t i = 0; i < n; i++, to += table->value_size, common += table->common_size) {
		for (run = table->runs; run != table->runs + table->num_runs; run++) {
			word.at = (size_t)i * table->data.size + run->data;
			word.wide = (const uint64_t *)(const void *)(common + run->common);
			sum_run(&members, shape, run, word, to + run->value);
		}
	}
}

/** Add the counters of a run, of one instance, to their values. */
static void
sum_one(const struct ctr_table *table, uint32_t at, const struct ctr_run *run, void *values)
{
	const char *common = ctr_common_of(table, at);
	struct members members;
	struct word word;

	if (common == NULL)
		return;
	narrow_list(&members, table, at);
	word.at = run->data;
	word.wide = (const uint64_t *)(const void *)(common + run->common);
	sum_run(&members, &narrow_own_of(table->domain)->shape, run, word, values);
}

/** `gather` of struct ctr_strategy. */
static int
narrow_gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	uint64_t sums[CTR_GATHER] = { 0 };

	sum_one(table, at, table->runs, sums);
	ctr_gather_values(sums, table->runs->num, base, values);
	return 0;
}

/** `get` of struct ctr_strategy. */
static uint64_t
narrow_get(const struct ctr_table *table, uint32_t at, const struct ctr_run *run)
{
	uint32_t half = 0;
	uint64_t value = 0;

	sum_one(table, at, run, run->bits == 64 ? (void *)&value : (void *)&half);
	return value + half;
}

/** In a child of fork(), land what is in flight to the wide words of an instance. */
static void
narrow_land(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_narrow_shape *shape = &narrow_own_of(table->domain)->shape;
	const char *common = ctr_common_of(table, at);
	const struct ctr_run *run;
	struct ctr_narrow read;
	struct members members;
	struct word word;
	uint64_t settled;

	if (common == NULL)
		return;
	narrow_list(&members, table, at);
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		word.at = run->data;
		word.wide = (const uint64_t *)(const void *)(common + run->common);
		for (unsigned int i = 0; run->bits == 64 && i < run->num; i++) {
			read_slowly(&read, &members, word, shape);
			(void)ctr_narrow_value(&read, &settled);
			ctr_store64((uint64_t *)(uintptr_t)word.wide, settled);
			word.at += run->stored / 8u;
			word.wide++;
		}
	}
}

#endif /* CTR_NARROW_READ_H */
