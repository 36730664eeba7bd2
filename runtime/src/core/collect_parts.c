/* SPDX-License-Identifier: BSD-3-Clause */
/* Resets of scopes where each copy has a baseline, so that the part of an lcore can be read. */
#include "core.h"

/* Add the words of an instance in one copy to *out, and make them the baseline of that copy. */
static int
rebase_copy(const struct ctr_table *table, void *copy, uint32_t at, void *out,
	    struct ctr_reading *reading)
{
	char *own = __builtin_alloca(table->value_size);
	char *base = ctr_element(table, &table->offset, copy, at);
	const struct ctr_run *run;
	int rc = 0;

	if (base == NULL)
		return 0;
	memset(own, 0, table->value_size);
	ctr_core_load(table, copy, at, 1, own, &rc, reading);
	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		for (uint32_t i = 0; i < run->num; i++) {
			const uint32_t step = i * (run->bits / 8u);
			const uint64_t part = ctr_core_word(own + run->value + step, run->bits);
			char *value = (char *)out + run->value + step;

			ctr_core_store(base + run->base + step, run->bits, part);
			ctr_core_store(value, run->bits, ctr_core_word(value, run->bits) + part);
		}
	}
	return rc;
}

int
ctr_collect_parts(const struct ctr_table *table, uint32_t at, void *out, bool parts,
		  struct ctr_reading *reading)
{
	void *copy;
	int rc = 0;

	if (!parts)
		return ctr_collect_sum(table, at, out, false, reading);
	memset(out, 0, table->value_size);
	for (uint32_t number = 0; (copy = ctr_copy_at(table->domain, number)) != NULL; number++)
		if (rebase_copy(table, copy, at, out, reading) != 0)
			rc = -EAGAIN;
	return rc;
}
