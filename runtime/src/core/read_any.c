/* SPDX-License-Identifier: BSD-3-Clause */
/* Fast reads of any counters, tried before the slow ones. */
#include "core.h"

/* The counters of an instance over all copies, each of which is read by itself. */
static void
sum_elements(const struct ctr_table *table, uint32_t at, void *values)
{
	const void *copy, *element;
	bool any = false;

	for (uint32_t number = 0; (copy = ctr_copy_at(table->domain, number)) != NULL; number++) {
		element = ctr_element(table, &table->data, copy, at);
		if (element != NULL && any)
			ctr_words_add(table, element, values);
		else if (element != NULL)
			ctr_words_set(table, element, values);
		any = any || element != NULL;
	}
	if (!any)
		memset(values, 0, table->value_size);
}

/* The counters of an instance of a table of `words` since a baseline, unless that is NULL; what is
 * no counter may stay as it is. false: read it with ctr_core_sum(). */
static inline bool
try_words(const struct ctr_table *table, uint32_t at, const char *base, void *values)
{
	const struct ctr_strategy *strategy = table->domain->strategy;

	if (table->gathers && strategy->gather != NULL)
		return strategy->gather(table, at, (const uint64_t *)(const void *)base,
					(uint64_t *)(void *)((char *)values +
							     table->runs->value)) == 0;
	if (strategy->words != NULL) {
		if (strategy->words(table, at, values) != 0)
			return false;
	} else if (!ctr_core_is_plain(table)) {
		return false;
	} else if (table->gathers && table->domain->shared == NULL) {
		ctr_core_gather(table, at, base, values, table->runs->num);
		return true;
	} else {
		sum_elements(table, at, values);
	}
	if (base != NULL)
		ctr_core_subtract(table, base, 1, values);
	return true;
}

int
ctr_read_any(const struct ctr_table *table, unsigned int view, uint32_t at, void *values)
{
	const uint32_t *epoch = ctr_core_epoch(table, at);
	uint32_t begin, phase = 0;
	bool read;

	if (table->dynamic)
		phase = ctr_srcu_read_lock(&table->state->readers);
	begin = ctr_seq_read_begin(epoch);
	read = (!table->dynamic || ctr_core_lives(ctr_core_record(table, at))) &&
	       (table->torn == NULL || !ctr_bit(ctr_core_torn(table, view), at)) &&
	       try_words(table, at,
			 table->base_size != 0 ? ctr_core_stored_base(table, at, view) : NULL,
			 values);
	if (read)
		ctr_core_values(table, at, 1, values, false);
	ctr_fence(__ATOMIC_SEQ_CST);
	read = read && (begin & 1) == 0 && ctr_load32(epoch) == begin;
	ctr_core_leave(table, phase);
	return ctr_likely(read) ? 0 : ctr_read_slowly(table, view, at, values);
}

int
ctr_collect_sum(const struct ctr_table *table, uint32_t at, void *out, CTR_UNUSED bool parts,
		struct ctr_read_ctx *reading)
{
	int rc;

	if (table->words && try_words(table, at, NULL, out))
		return 0;
	ctr_core_sum(table, at, 1, NULL, out, &rc, reading);
	return rc;
}
