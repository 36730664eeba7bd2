/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies and sums of the counters of an element. */
#ifndef CTR_CORE_WORDS_H
#define CTR_CORE_WORDS_H

#include "core.h"

static CTR_UNROLLED void
ctr_core_copy(const uint64_t *from, uint64_t *to, bool add)
{
	*to = ctr_load64(from) + (add ? *to : 0);
}

/* As many words as there are follow each other in the code: nothing is counted, up to 8. */
static CTR_UNROLLED void
ctr_core_copy_64(const uint64_t *from, uint64_t *to, unsigned int num, bool add)
{
	for (; ctr_unlikely(num > 8); num--, from++, to++)
		ctr_core_copy(from, to, add);
	switch (num) {
	case 8:
		ctr_core_copy(&from[7], &to[7], add);
		__attribute__((fallthrough));
	case 7:
		ctr_core_copy(&from[6], &to[6], add);
		__attribute__((fallthrough));
	case 6:
		ctr_core_copy(&from[5], &to[5], add);
		__attribute__((fallthrough));
	case 5:
		ctr_core_copy(&from[4], &to[4], add);
		__attribute__((fallthrough));
	case 4:
		ctr_core_copy(&from[3], &to[3], add);
		__attribute__((fallthrough));
	case 3:
		ctr_core_copy(&from[2], &to[2], add);
		__attribute__((fallthrough));
	case 2:
		ctr_core_copy(&from[1], &to[1], add);
		__attribute__((fallthrough));
	case 1:
	default:
		ctr_core_copy(&from[0], &to[0], add);
	}
}

/* The counters of an element: put into *values, or added to them. */
static CTR_UNROLLED void
ctr_core_words(const struct ctr_table *table, const char *element, char *values, bool add)
{
	const struct ctr_run *run = table->runs;

	for (unsigned int runs = table->num_runs; runs != 0; runs--, run++) {
		const char *from = element + run->data;
		char *to = values + run->value;

		if (ctr_likely(run->bits == 64)) {
			ctr_core_copy_64((const uint64_t *)(const void *)from,
					 (uint64_t *)(void *)to, run->num, add);
			continue;
		}
		for (unsigned int i = run->num; i != 0; i--, from += 4, to += 4)
			*(uint32_t *)(void *)to = ctr_load32((const uint32_t *)(const void *)from) +
						  (add ? *(uint32_t *)(void *)to : 0);
	}
}

#endif /* CTR_CORE_WORDS_H */
