/* SPDX-License-Identifier: BSD-3-Clause */
/* Words and baselines of an instance that ends. */
#include "core.h"
#include "memory.h"

void
ctr_core_settle_bases(const struct ctr_table *table, uint32_t at, void *out)
{
	char *bases = ctr_core_kept_base(table, at, 0);
	const struct ctr_run *run;
	unsigned int i, view;

	if (ctr_likely(table->bases == 1)) {
		ctr_core_begin_period(table, bases, (char *)out);
		return;
	}
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (i = 0; i < run->num; i++) {
			const uint32_t step = i * (run->bits / 8);
			char *value = (char *)out + run->value + step;
			char *base = bases + run->base + step;
			const uint64_t sum = ctr_core_word(value, run->bits);

			ctr_core_store(value, run->bits,
				       sum - ctr_core_word(base + (size_t)table->view *
									   table->base_size,
							   run->bits));
			for (view = 0; view < table->bases; view++)
				ctr_core_store(base + (size_t)view * table->base_size, run->bits,
					       sum);
		}
	}
}

void
ctr_core_wipe(const struct ctr_table *table, void *copy, uint32_t at)
{
	char *element = ctr_element(table, &table->data, copy, at);
	char *bases = ctr_core_kept_base(table, at, 0);
	const struct ctr_run *run;
	unsigned int i, view;
	uint64_t part;

	for (run = table->runs; element != NULL && run != table->runs + table->num_runs; run++) {
		for (i = 0; i < run->num; i++) {
			char *word = element + run->data + (size_t)i * (run->stored / 8);
			char *base = bases + run->base + (size_t)i * (run->bits / 8);

			part = ctr_core_word(word, run->stored);
			if (part == 0)
				continue;
			ctr_core_store(word, run->stored, 0);
			for (view = 0; view < table->bases; view++, base += table->base_size)
				ctr_core_store(base, run->bits,
					       ctr_core_word(base, run->bits) - part);
		}
	}
}
