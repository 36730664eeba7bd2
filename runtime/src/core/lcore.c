/* SPDX-License-Identifier: BSD-3-Clause */
/* What one lcore has of an instance. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "ctr_strategy.h"

/* Subtract what one copy held at the last reset. */
static void
less_offset(const struct ctr_table *table, const void *copy, uint32_t at, void *values)
{
	const char *base;

	if (table->offset.size == 0)
		return;
	base = ctr_element(table, &table->offset, copy, at);
	if (base != NULL)
		ctr_core_subtract(table, base, 0, 1, values);
}

/* Add what one lcore has of an instance; CTR_NON_LCORE has the copies of CPUs, if there are any. */
static void
load_lcore(const struct ctr_table *table, unsigned int lcore, uint32_t at, void *values, int *rc,
	   struct ctr_reading *reading)
{
	const struct ctr_domain *domain = table->domain;
	void *copy = ctr_slots_get(domain->slots, lcore);
	unsigned int cpu;

	if (copy != NULL) {
		ctr_core_load(table, copy, at, 1, values, rc, reading);
		less_offset(table, copy, at, values);
	}
	if (domain->cpus == NULL || lcore != CTR_NON_LCORE)
		return;
	CTR_SLOTS_FOREACH(cpu, domain->cpus) {
		copy = ctr_slots_get(domain->cpus, cpu);
		ctr_core_load(table, copy, at, 1, values, rc, reading);
		less_offset(table, copy, at, values);
	}
}

int
ctr_table_lcore_read(const struct ctr_table *table, unsigned int lcore, uint32_t at,
		     void *values)
{
	const struct ctr_strategy *strategy = table->domain->strategy;
	struct ctr_reading reading;
	uint32_t phase;
	int rc;

	if (!table->parts)
		return -ENOTSUP;
	if (values == NULL)
		return -EINVAL;
	if (lcore >= CTR_SLOTS || at >= table->max)
		return -ERANGE;
	if (table->gathers && strategy->gather == NULL && strategy->load == NULL &&
	    table->domain->cpus == NULL && table->offset.size == 0) {
		void *copy = ctr_slots_get(table->domain->slots, lcore);

		ctr_core_gather(table, &copy, copy != NULL, at, NULL, values);
		return 0;
	}
	phase = ctr_core_enter(table, &reading);
	if (table->periodic)
		ctr_reading_at(&reading, ctr_core_period(table, at));
	do {
		memset(values, 0, table->value_size);
		rc = -ENOENT;
		if (table->dynamic && !ctr_core_lives(ctr_core_record(table, at)))
			continue;
		rc = 0;
		load_lcore(table, lcore, at, values, &rc, &reading);
		if (table->offset.size != 0 && table->torn != NULL &&
		    ctr_bit(ctr_core_torn(table, table->view), at))
			rc = -EAGAIN;
	} while (table->periodic && ctr_reading_again(&reading));
	ctr_core_leave(table, phase);
	ctr_core_derive(table, at, values, 0, rc);
	return rc;
}
