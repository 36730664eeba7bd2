/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A counter is a wide word in the common part and a narrow one in each copy; ctr_narrow.h says how
 * they are read together. Counters as wide as a narrow word are plain sums.
 */
#include <errno.h>

#include "ctr_narrow.h"
#include "ctr_strategy.h"

/* Copies there are at most, of lcores and of CPUs. */
#define NARROW_MOST ((size_t)2 * CTR_SLOTS)

/* The copies of a read: those of even groups come first, from the end those of odd ones. */
struct members {
	uint32_t even; /* How many are of even groups. */
	uint32_t odd;  /* From there on up to the end of the array they are of odd ones. */
	struct member {
		const char *element; /* The first of those that are read. */
		uint16_t group;
		uint16_t shift; /* Where wide words have the number of its group. */
	} of[NARROW_MOST];
};

/* A counter of an instance. */
struct word {
	size_t at;        /* Offset of the narrow word, from `element`. */
	const char *wide; /* The wide word. */
};

static const struct ctr_narrow_own *
narrow_own_of(const struct ctr_domain *domain)
{
	return (const struct ctr_narrow_own *)domain->own;
}

/* List the copies in a set, for reads of instances from `at` on, in one chunk. */
static inline void
list_set(struct members *members, const struct ctr_table *table, const struct ctr_slots *slots,
	 uint32_t at)
{
	const uint32_t share = narrow_own_of(table->domain)->shape.share;
	const uint32_t num = ctr_load_acquire(&slots->num);
	uint32_t n;

	for (n = 0; n < num; n++) {
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

/* List all copies. */
static inline void
narrow_list(struct members *members, const struct ctr_table *table, uint32_t at)
{
	members->even = 0;
	members->odd = NARROW_MOST;
	list_set(members, table, table->domain->slots, at);
	if (table->domain->cpus != NULL)
		list_set(members, table, table->domain->cpus, at);
}

/* ---- one counter; `bits` and `wide_bits` are constants ---- */

static CTR_UNROLLED uint32_t
load_narrow(const char *word, unsigned int bits)
{
	if (bits == 16)
		return __atomic_load_n((const uint16_t *)(const void *)word, __ATOMIC_RELAXED);
	return ctr_load32((const uint32_t *)(const void *)word);
}

/* Load the narrow words of some copies. */
static void
load_parts(struct ctr_narrow *read, const struct member *of, const struct member *end, size_t at)
{
	for (; of != end; of++)
		ctr_narrow_part(read, of->group, load_narrow(of->element + at, read->bits));
}

/* As many tries as a read takes. */
static __attribute__((noinline)) void
read_slowly(struct ctr_narrow *read, const struct members *members, struct word word,
	    const struct ctr_narrow_shape *shape, unsigned int wide_bits)
{
	const uint64_t *wide64 = (const uint64_t *)(const void *)word.wide;
	const uint32_t *wide32 = (const uint32_t *)(const void *)word.wide;

	ctr_narrow_begin(read, shape->bits, shape->share);
	do {
		if (wide_bits == 64)
			ctr_narrow_try64(read, wide64);
		else
			ctr_narrow_try32(read, wide32);
		load_parts(read, members->of, members->of + members->even, word.at);
		load_parts(read, members->of + members->odd, members->of + NARROW_MOST, word.at);
	} while (wide_bits == 64 ? ctr_narrow_again64(read, wide64) :
				   ctr_narrow_again32(read, wide32));
}

static __attribute__((noinline)) uint64_t
value_slowly(const struct members *members, struct word word, const struct ctr_narrow_shape *shape,
	     unsigned int wide_bits)
{
	struct ctr_narrow read;

	read_slowly(&read, members, word, shape, wide_bits);
	return ctr_narrow_value(&read);
}

/* The first try, which is enough if nothing landed during it, and nothing is on its way. */
static CTR_UNROLLED uint64_t
narrow_value_of(const struct members *members, struct word word, const struct ctr_narrow_shape *shape,
	 unsigned int bits, unsigned int wide_bits)
{
	const uint64_t *wide64 = (const uint64_t *)(const void *)word.wide;
	const uint32_t *wide32 = (const uint32_t *)(const void *)word.wide;
	const uint64_t sum = wide_bits == 64 ? ctr_load_acquire(wide64) : ctr_load_acquire(wide32);
	const uint32_t share = shape->share;
	uint64_t low = 0, even = 0, odd = 0;
	const struct member *of;

	for (of = members->of; of != members->of + members->even; of++) {
		const uint32_t narrow = load_narrow(of->element + word.at, bits);

		low += ctr_narrow_low(bits, share, narrow);
		even += (uint64_t)ctr_narrow_number(bits, share, narrow) << of->shift;
	}
	for (of = members->of + members->odd; of != members->of + NARROW_MOST; of++) {
		const uint32_t narrow = load_narrow(of->element + word.at, bits);

		low += ctr_narrow_low(bits, share, narrow);
		odd += (uint64_t)ctr_narrow_number(bits, share, narrow) << of->shift;
	}
	ctr_fence(__ATOMIC_ACQUIRE);
	if (ctr_likely((wide_bits == 64 ? ctr_load64(wide64) : ctr_load32(wide32)) == sum &&
		       (((even ^ sum) & shape->even) | ((odd ^ sum) & shape->odd)) == 0))
		return (sum & ~(ctr_narrow_unit(bits, share) - 1)) + low;
	return value_slowly(members, word, shape, wide_bits);
}

/* The same of a word that is not narrow. */
static uint32_t
plain_of(const struct members *members, size_t at)
{
	const struct member *of;
	uint32_t sum = 0;

	for (of = members->of; of != members->of + members->even; of++)
		sum += load_narrow(of->element + at, 32);
	for (of = members->of + members->odd; of != members->of + NARROW_MOST; of++)
		sum += load_narrow(of->element + at, 32);
	return sum;
}

/* ---- instances ---- */

/* Add the counters of a run, of one instance, to 64-bit values. */
static CTR_UNROLLED void
sum64(const struct members *members, struct word word, const struct ctr_narrow_shape *shape,
      unsigned int num, unsigned int bits, uint64_t *values)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		values[i] += narrow_value_of(members, word, shape, bits, 64);
		word.at += bits / 8;
		word.wide += 8;
	}
}

static void
sum32(const struct members *members, struct word word, const struct ctr_narrow_shape *shape,
      const struct ctr_run *run, uint32_t *values)
{
	unsigned int i;

	for (i = 0; i < run->num; i++) {
		values[i] += run->stored == 32 ? plain_of(members, word.at) :
						 (uint32_t)narrow_value_of(members, word, shape, 16, 32);
		word.at += run->stored / 8;
		word.wide += 4;
	}
}

static void
sum_run(const struct members *members, const struct ctr_narrow_shape *shape,
	const struct ctr_run *run, struct word word, char *value)
{
	if (run->bits == 32)
		sum32(members, word, shape, run, (uint32_t *)(void *)value);
	else if (run->stored == 16)
		sum64(members, word, shape, run->num, 16, (uint64_t *)(void *)value);
	else
		sum64(members, word, shape, run->num, 32, (uint64_t *)(void *)value);
}

/* Where the wide words of an instance are; NULL if there are none. */
static const char *
wide_of(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_place place = { 0, 0, table->common_size };

	return (const char *)ctr_element(table, &place, table->common, at);
}

static void
narrow_sum(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc,
    struct ctr_reading *reading)
{
	const struct ctr_narrow_shape *shape = &narrow_own_of(table->domain)->shape;
	const char *common = wide_of(table, at);
	const struct ctr_run *run;
	char *to = (char *)values;
	struct members members;
	struct word word;
	uint32_t i;

	(void)rc;
	(void)reading;
	if (common == NULL)
		return;
	narrow_list(&members, table, at);
	for (i = 0; i < n; i++, to += table->value_size, common += table->common_size) {
		for (run = table->runs; run != table->runs + table->num_runs; run++) {
			word.at = (size_t)i * table->data.size + run->data;
			word.wide = common + run->common;
			sum_run(&members, shape, run, word, to + run->value);
		}
	}
}

static int
narrow_gather(const struct ctr_table *table, uint32_t at, const uint64_t *base, uint64_t *values)
{
	const struct ctr_narrow_shape *shape = &narrow_own_of(table->domain)->shape;
	const struct ctr_run *run = table->runs;
	uint64_t sums[CTR_GATHER] = { 0 };
	struct members members;
	struct word word;

	narrow_list(&members, table, at);
	word.at = run->data;
	word.wide = wide_of(table, at) + run->common;
	sum_run(&members, shape, run, word, (char *)sums);
	ctr_gather_values(sums, run->num, base, values);
	return 0;
}

static uint64_t
narrow_get(const struct ctr_table *table, uint32_t at, struct ctr_counter counter)
{
	const struct ctr_run run = { .num = 1, .bits = counter.bits, .stored = counter.stored };
	const char *common = wide_of(table, at);
	struct members members;
	struct word word;
	uint64_t value = 0;
	uint32_t half = 0;

	if (common == NULL)
		return 0;
	narrow_list(&members, table, at);
	word.at = counter.data;
	word.wide = common + counter.common;
	sum_run(&members, &narrow_own_of(table->domain)->shape, &run, word,
		run.bits == 64 ? (char *)&value : (char *)&half);
	return run.bits == 64 ? value : half;
}

/* ---- copies ---- */

static int
narrow_prepare(const struct ctr_domain *domain, void *copy)
{
	const struct ctr_narrow_own *own = narrow_own_of(domain);
	struct ctr_narrow_head *head = (struct ctr_narrow_head *)copy;
	const uint32_t share = own->shape.share;

	if (own->copies->word == own->most)
		return -ENOSPC;
	head->group = (uint16_t)ctr_narrow_group(own->shape.bits, share, own->copies->word++);
	head->share = (uint16_t)share;
	return 0;
}

static void
narrow_adopt(const struct ctr_domain *domain, void *copy, unsigned int lcore)
{
	(void)domain;
	(void)copy;
	(void)lcore;
	ctr_narrow_adopt();
}

static void
narrow_anew(const struct ctr_domain *domain)
{
	narrow_own_of(domain)->copies->word = 0;
}

/* ---- a child of fork(), which has the thread alone that forked ---- */

/* Land what is on its way to the wide words of an instance. */
static void
land(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_narrow_shape *shape = &narrow_own_of(table->domain)->shape;
	const char *common = wide_of(table, at);
	const struct ctr_run *run;
	struct ctr_narrow read;
	struct members members;
	struct word word;
	unsigned int i;

	if (common == NULL)
		return;
	narrow_list(&members, table, at);
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (i = 0; run->stored != run->bits && i < run->num; i++) {
			word.at = run->data + (size_t)i * (run->stored / 8u);
			word.wide = common + run->common + (size_t)i * (run->bits / 8u);
			read_slowly(&read, &members, word, shape, run->bits);
			if (run->bits == 64)
				ctr_store64((uint64_t *)(uintptr_t)word.wide,
					    ctr_narrow_settled(&read));
			else
				ctr_store32((uint32_t *)(uintptr_t)word.wide,
					    (uint32_t)ctr_narrow_settled(&read));
		}
	}
}

static void
narrow_mend(const struct ctr_domain *domain)
{
	struct ctr_narrow_head *copy;
	bool spilling = false;
	uint32_t n, at;

	ctr_others_mend(domain);
	for (n = 0; (copy = (struct ctr_narrow_head *)ctr_copy_at(domain, n)) != NULL; n++) {
		spilling = spilling || copy->spilling != 0;
		copy->spilling = 0;
	}
	for (n = 0; spilling && n < domain->num_tables; n++)
		for (at = 0; domain->tables[n]->data.size != 0 && at < domain->tables[n]->max; at++)
			land(domain->tables[n], at);
}

/* ---- updates: while a word spills, a child of fork() is told so ---- */

#define CARRY(bits, wide)                                                                   \
	void ctr_narrow_carry##bits##_##wide(struct ctr_narrow_head *copy, uint##bits##_t *word,\
					     uint##wide##_t *sum, uint##wide##_t n)         \
	{                                                                                   \
		ctr_store32(&copy->spilling, 1);                                            \
		ctr_fence(__ATOMIC_RELEASE);                                                \
		ctr_narrow_spill##bits##_##wide(word, sum, copy->share, copy->group, n);    \
		__atomic_store_n(&copy->spilling, 0, __ATOMIC_RELEASE);                     \
	}                                                                                   \
                                                                                            \
	void ctr_narrow_other_add##bits##_##wide(struct ctr_spin *lock,                     \
						 struct ctr_narrow_head *copy,              \
						 uint##bits##_t *word, uint##wide##_t *sum, \
						 uint##wide##_t n)                          \
	{                                                                                   \
		ctr_spin_lock(lock);                                                        \
		ctr_narrow_adopt();                                                         \
		if (!ctr_narrow_add##bits(word, copy->share, n))                            \
			ctr_narrow_carry##bits##_##wide(copy, word, sum, n);                \
		ctr_spin_unlock(lock);                                                      \
	}

CARRY(32, 64)
CARRY(16, 64)
CARRY(16, 32)

static void
narrow_add(const struct ctr_domain *domain, const struct ctr_target *target, uint64_t n)
{
	const struct ctr_narrow_own *own = (const struct ctr_narrow_own *)domain->own;
	struct ctr_spin *lock = ctr_others_lock(domain, target->copy);
	struct ctr_narrow_head *head = (struct ctr_narrow_head *)target->copy;

	if (own->shape.bits == target->bits)
		ctr_atomic_add32((uint32_t *)target->word, (uint32_t)n);
	else if (own->shape.bits == 32)
		ctr_narrow_other_add32_64(lock, head, (uint32_t *)target->word,
					  (uint64_t *)target->sum, n);
	else if (target->bits == 64)
		ctr_narrow_other_add16_64(lock, head, (uint16_t *)target->word,
					  (uint64_t *)target->sum, n);
	else
		ctr_narrow_other_add16_32(lock, head, (uint16_t *)target->word,
					  (uint32_t *)target->sum, (uint32_t)n);
}

const struct ctr_strategy ctr_strategy_per_core_narrow = {
	.sum = narrow_sum,
	.gather = narrow_gather,
	.get = narrow_get,
	.add = narrow_add,
	.mend = narrow_mend,
	.anew = narrow_anew,
	.prepare = narrow_prepare,
	.adopt = narrow_adopt,
	.leave = narrow_adopt,
};
