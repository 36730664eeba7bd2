/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over the counters of an instance. The words of a run follow each other in the code as well,
 * as many as it has: no table is loaded for each of them.
 */
#ifndef CTR_CORE_KERNELS_H
#define CTR_CORE_KERNELS_H

#include "ctr_table.h"

#define CTR_ALWAYS_INLINE inline __attribute__((always_inline))

/* What a kernel does to a value: add the word, subtract it, or put it there. */
enum sense {
	ADD,
	SUBTRACT,
	SET
};

static CTR_ALWAYS_INLINE void
word64(const uint64_t *word, uint64_t *value, enum sense sense)
{
	const uint64_t n = ctr_load64(word);

	*value = sense == SET ? n : sense == ADD ? *value + n :
						   *value - n;
}

/* Up to 8 words. */
static CTR_ALWAYS_INLINE void
words64_some(const uint64_t *words, uint64_t *values, unsigned int num, enum sense sense)
{
	switch (num) {
	default:
		word64(&words[7], &values[7], sense); /* fallthrough */
	case 7:
		word64(&words[6], &values[6], sense); /* fallthrough */
	case 6:
		word64(&words[5], &values[5], sense); /* fallthrough */
	case 5:
		word64(&words[4], &values[4], sense); /* fallthrough */
	case 4:
		word64(&words[3], &values[3], sense); /* fallthrough */
	case 3:
		word64(&words[2], &values[2], sense); /* fallthrough */
	case 2:
		word64(&words[1], &values[1], sense); /* fallthrough */
	case 1:
		word64(&words[0], &values[0], sense);
	}
}

static CTR_ALWAYS_INLINE void
words64(const uint64_t *words, uint64_t *values, unsigned int num, enum sense sense)
{
	for (; ctr_unlikely(num > 8); num -= 8, words += 8, values += 8)
		words64_some(words, values, 8, sense);
	words64_some(words, values, num, sense);
}

static CTR_ALWAYS_INLINE void
words32(const uint32_t *words, uint32_t *values, unsigned int num, enum sense sense)
{
	unsigned int i;
	uint32_t n;

	for (i = 0; i < num; i++) {
		n = ctr_load32(&words[i]);
		values[i] = sense == SET ? n : sense == ADD ? values[i] + n :
						      values[i] - n;
	}
}

/* The counters of an element, or of a baseline. */
static CTR_ALWAYS_INLINE void
words(const struct ctr_table *table, const char *from, bool base, char *values, enum sense sense)
{
	const struct ctr_run *run = table->runs, *const end = run + table->num_runs;

	for (; run != end; run++) {
		const char *first = from + (base ? run->base : run->data);

		if (ctr_likely(run->bits == 64))
			words64((const uint64_t *)(const void *)first,
				(uint64_t *)(void *)(values + run->value), run->num, sense);
		else
			words32((const uint32_t *)(const void *)first,
				(uint32_t *)(void *)(values + run->value), run->num, sense);
	}
}

#endif /* CTR_CORE_KERNELS_H */
