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

/* One word if their number is odd, and the rest in pairs. */
static CTR_UNROLLED void
ctr_core_copy_64(const uint64_t *from, uint64_t *to, unsigned int num, bool add)
{
	if ((num & 1) != 0)
		ctr_core_copy(from++, to++, add);
	for (const uint64_t *const end = from + (num & ~1u); from != end; from += 2, to += 2) {
		ctr_core_copy(&from[0], &to[0], add);
		ctr_core_copy(&from[1], &to[1], add);
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
