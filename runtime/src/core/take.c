/* SPDX-License-Identifier: BSD-3-Clause */
/* Resets of scopes without baselines: words are set to 0. */
#include "core.h"
#include "ctr_peak.h"

/* Put the words of an element into *values, and set them to 0, with atomic exchanges or plainly. */
static inline void
take_words(const struct ctr_table *table, void *element, void *values, bool atomic)
{
	const struct ctr_run *run = table->runs, *const end = run + table->num_runs;

	for (; run != end; run++) {
		uint64_t *word64 = (uint64_t *)(void *)((char *)element + run->data);
		uint64_t *value64 = (uint64_t *)(void *)((char *)values + run->value);
		uint32_t *word32 = (uint32_t *)(void *)((char *)element + run->data);
		uint32_t *value32 = (uint32_t *)(void *)((char *)values + run->value);

		for (unsigned int i = run->bits == 64 ? run->num : 0; i-- != 0; word64++)
			*value64++ = atomic ? ctr_exchange64(word64) : ctr_take64(word64);
		for (unsigned int i = run->bits == 64 ? 0 : run->num; i-- != 0; word32++)
			*value32++ = __atomic_exchange_n(word32, 0, __ATOMIC_RELAXED);
	}
	ctr_core_beside(table, element, values);
}

void
ctr_take_atomic(const struct ctr_table *table, void *element, void *values)
{
	take_words(table, element, values, true);
}

void
ctr_take_plain(const struct ctr_table *table, void *element, void *values)
{
	take_words(table, element, values, false);
}

void
ctr_core_take_element(const struct ctr_table *table, void *element, void *values)
{
	if (table->domain->strategy->take != NULL)
		table->domain->strategy->take(table, element, values);
	else
		ctr_take_atomic(table, element, values);
}

int
ctr_collect_take(const struct ctr_table *table, uint32_t at, void *out, CTR_UNUSED bool parts,
		 CTR_UNUSED struct ctr_read_ctx *reading)
{
	void *element = NULL;

	if (table->data.size != 0)
		element = ctr_element(table, &table->data, table->domain->shared, at);
	if (element == NULL || table->num_values != 0 || table->sources != NULL)
		memset(out, 0, table->value_size);
	if (element != NULL)
		ctr_core_take_element(table, element, out);
	return 0;
}
