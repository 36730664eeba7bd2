/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances whose index is reserved before they exist: updates begin them elsewhere. */
#include "memory.h"

int
ctr_life_reserve(const struct ctr_table *table, uint32_t *index)
{
	void *discarded = __builtin_alloca(table->value_size);
	uint32_t at;
	int rc;

	ctr_control_lock(table->domain->module->control);
	ctr_core_tidy(table);
	at = ctr_bit_find(table->live, table->state->first, table->max, UINT64_MAX);
	rc = ctr_core_holder(table, at);
	if (rc == 0)
		rc = at < table->max ? ctr_core_provide(table, at) : -ENOSPC;
	if (rc == 0) {
		ctr_core_settle_counts(table, at, discarded);
		if (table->value_ops != NULL)
			table->value_ops->clear(table, at);
		ctr_core_restart_sources(table, at, false);
		for (unsigned int i = 0; i < table->num_inner; i++)
			if (!table->inner[i]->dynamic)
				ctr_core_end_inside(table->inner[i], at, NULL);
		ctr_bit_set(table->live, at);
		table->state->first = at + 1;
		*index = at;
	}
	ctr_control_unlock(table->domain->module->control);
	return rc;
}

uint64_t
ctr_life_moment(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_record *record = ctr_core_record(table, at);

	return record != NULL ? record->moment : 0;
}

int
ctr_life_open(const struct ctr_table *table, uint32_t at)
{
	uint32_t *period = ctr_core_period(table, at);
	struct ctr_record *record;
	int rc = -ENOENT;

	ctr_control_lock(table->domain->module->control);
	record = at < table->max ? ctr_core_record(table, at) : NULL;
	if (record != NULL && record->life == CTR_GONE && ctr_bit(table->live, at)) {
		ctr_period_begin(period);
		ctr_store32(&record->life, CTR_LIVES);
		ctr_add32(&table->state->occupancy.instances, 1);
		ctr_period_end(period);
		ctr_control_mark(&table->state->discontinuity_ns, at);
		rc = 0;
	}
	ctr_control_unlock(table->domain->module->control);
	return rc;
}
