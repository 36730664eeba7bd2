/* SPDX-License-Identifier: BSD-3-Clause */
/* One counter of a table, by its offset in the struct of values. */
#ifndef CTR_CORE_COUNTER_H
#define CTR_CORE_COUNTER_H

#include "core.h"

/* The run of the counter at an offset in the struct of values; runs are in the order of these. */
static inline const struct ctr_run *
ctr_core_run(const struct ctr_table *table, size_t value)
{
	const struct ctr_run *run = table->runs;
	uint32_t n = table->num_runs;

	while (n > 1) {
		if (run[n / 2].value <= value) {
			run += n / 2;
			n -= n / 2;
		} else {
			n /= 2;
		}
	}
	return run;
}

/* That counter. */
static inline struct ctr_counter
ctr_core_counter(const struct ctr_table *table, size_t value)
{
	const struct ctr_run *run = ctr_core_run(table, value);
	const uint32_t offset = (uint32_t)value - run->value;
	struct ctr_counter counter;

	counter.data = run->data + offset;
	if (run->stored < run->bits)
		counter.data = run->data + offset / (run->bits / 8u) * (run->stored / 8u);
	counter.base = run->base + offset;
	counter.common = run->common + offset;
	counter.bits = run->bits;
	counter.stored = run->stored;
	return counter;
}

/* A word at an offset of the elements of one copy. */
static inline uint64_t
ctr_core_word_of(const struct ctr_table *table, const struct ctr_place *place, const void *copy,
		 uint32_t at, uint32_t offset, uint32_t bits)
{
	const char *element = ctr_element(table, place, copy, at);

	return element != NULL ? ctr_core_word(element + offset, bits) : 0;
}

#endif /* CTR_CORE_COUNTER_H */
