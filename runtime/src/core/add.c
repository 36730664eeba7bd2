/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds of threads without an lcore id, or without a pointer to their copy yet, and of counts from
 * another process. */
#include "core.h"

void
ctr_add_plain(const struct ctr_target *target, uint64_t n)
{
	if (target->bits == 64)
		ctr_add64((uint64_t *)target->word, n);
	else
		ctr_add32((uint32_t *)target->word, (uint32_t)n);
}

/* With `own`, to the copy of the calling lcore if it has one. */
static void
add(const struct ctr_table *table, uint32_t at, size_t data, size_t common, unsigned int bits,
    uint64_t n, bool own)
{
	const struct ctr_domain *domain = table->domain;
	const struct ctr_module_state *module = domain->module;
	struct ctr_target target = { .bits = (uint8_t)bits };

	CTR_ASSERT(at < table->max);
	if (module->ready->set) {
		const struct ctr_slots *slots = domain->slots;
		void *const copy = own && domain->find != NULL ? domain->find() : NULL;

		if (slots == NULL || copy != NULL)
			target.copy = slots == NULL ? domain->shared : copy;
		else /* Shared with other threads, if there is one. */
			target.copy = slots->non_lcore ? slots->slot[CTR_NON_LCORE] :
							 ctr_slots_own(slots);
	}
	if (target.copy != NULL && (!table->dynamic || ctr_bit(table->live, at)))
		target.element = ctr_element(table, &table->data, target.copy, at);
	if (target.element == NULL) {
		ctr_module_note(module->late, 1);
		return;
	}
	target.word = (char *)target.element + data;
	if (table->common != NULL)
		target.sum = ctr_common_of(table, at);
	if (target.sum != NULL)
		target.sum = (char *)target.sum + common;
	if (domain->strategy->add != NULL)
		domain->strategy->add(domain, &target, n);
	else if (bits == 64)
		ctr_atomic_add64((uint64_t *)target.word, n);
	else
		ctr_atomic_add32((uint32_t *)target.word, (uint32_t)n);
}

void
ctr_core_add(const struct ctr_table *table, uint32_t at, size_t data, size_t common,
	     unsigned int bits, uint64_t n)
{
	add(table, at, data, common, bits, n, false);
}

void
ctr_table_add64(uint32_t at, uint64_t n, const struct ctr_table *table, size_t data, size_t common)
{
	add(table, at, data, common, 64, n, true);
}

void
ctr_table_add32(uint32_t at, uint32_t n, const struct ctr_table *table, size_t data, size_t common)
{
	add(table, at, data, common, 32, n, true);
}

void
ctr_global_add64(uint64_t n, const struct ctr_table *table, size_t data, size_t common)
{
	add(table, 0, data, common, 64, n, true);
}

void
ctr_global_add32(uint32_t n, const struct ctr_table *table, size_t data, size_t common)
{
	add(table, 0, data, common, 32, n, true);
}
