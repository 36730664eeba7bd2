/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over blocks of instances and runs of counters.
 *
 * A read of many instances spends its time here. The length of a run is a constant in each case of
 * the switch, so that the inner loop is unrolled and no table is loaded for each word.
 */
#ifndef CTR_CORE_KERNELS_H
#define CTR_CORE_KERNELS_H

#include "ctr_table.h"

#define CTR_ALWAYS_INLINE inline __attribute__((always_inline))

/* A run of words of `n` instances in storage, and where their values are. */
struct block {
	const char *from; /* The first word of the first instance. */
	size_t step;      /* Bytes from one instance to the next. */
	char *to;         /* Its value. */
	size_t size;      /* Bytes from one value to the next. */
	uint32_t n;       /* How many instances. */
};

/* What a kernel does to a value: add the word, subtract it, or put it there. */
enum sense {
	ADD,
	SUBTRACT,
	SET
};

static CTR_ALWAYS_INLINE void
block64(const struct block *block, unsigned int num, enum sense sense)
{
	const char *from = block->from;
	char *to = block->to;
	uint32_t n;
	unsigned int i;

	for (n = block->n; n != 0; n--, from += block->step, to += block->size) {
		const uint64_t *word = (const uint64_t *)(const void *)from;
		uint64_t *value = (uint64_t *)(void *)to;

		for (i = 0; i < num; i++)
			value[i] += sense == ADD ? ctr_load64(&word[i]) : -ctr_load64(&word[i]);
	}
}

static CTR_ALWAYS_INLINE void
block32(const struct block *block, unsigned int num, enum sense sense)
{
	const char *from = block->from;
	char *to = block->to;
	uint32_t n;
	unsigned int i;

	for (n = block->n; n != 0; n--, from += block->step, to += block->size) {
		const uint32_t *word = (const uint32_t *)(const void *)from;
		uint32_t *value = (uint32_t *)(void *)to;

		for (i = 0; i < num; i++)
			value[i] += sense == ADD ? ctr_load32(&word[i]) : -ctr_load32(&word[i]);
	}
}

/* A case for each length, as far as that is a constant. */
static CTR_ALWAYS_INLINE void
block64_run(const struct block *block, unsigned int num, enum sense sense)
{
	switch (num) {
	case 1:
		block64(block, 1, sense);
		break;
	case 2:
		block64(block, 2, sense);
		break;
	case 3:
		block64(block, 3, sense);
		break;
	case 4:
		block64(block, 4, sense);
		break;
	case 5:
		block64(block, 5, sense);
		break;
	case 6:
		block64(block, 6, sense);
		break;
	case 7:
		block64(block, 7, sense);
		break;
	case 8:
		block64(block, 8, sense);
		break;
	default:
		block64(block, num, sense);
		break;
	}
}

/* ---- one instance ---- */

static CTR_ALWAYS_INLINE void
word64(const uint64_t *word, uint64_t *value, enum sense sense)
{
	const uint64_t n = ctr_load64(word);

	*value = sense == SET ? n : sense == ADD ? *value + n : *value - n;
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
		values[i] = sense == SET ? n : sense == ADD ? values[i] + n : values[i] - n;
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
