/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation of instances of dynamic scopes, under the control lock. */
#include "core.h"
#include "ctr_limit.h"
#include "memory.h"

/* Count a creation that found no index, or no memory. */
static void
refuse_life(const struct ctr_table *table, int rc)
{
	if (rc == -ENOSPC || rc == -ENOMEM)
		ctr_add64(&table->state->occupancy.refused, 1);
}

static int
create_at(const struct ctr_table *table, uint32_t at)
{
	void *discarded = __builtin_alloca(table->value_size);
	struct ctr_record *record;
	int rc;

	rc = ctr_core_holder(table, at);
	if (rc == 0)
		rc = ctr_core_provide(table, at);
	if (rc == 0 && table->limits != NULL)
		rc = table->limit_ops->provide(table->limits, at);
	if (rc != 0)
		return rc;
	record = ctr_core_record(table, at);
	if (record->life == CTR_LIFE_LIVE)
		return -EEXIST;
	if (record->life == CTR_LIFE_FREE ? ctr_bit(table->live, at) :
				       record->life == CTR_LIFE_AWAITED ||
					       ctr_core_end(table, at, discarded, NULL) != 0)
		return -EBUSY;
	ctr_core_begin(table, at, discarded);
	for (unsigned int i = 0; i < table->num_inner; i++)
		if (!table->inner[i]->dynamic)
			ctr_core_end_inside(table->inner[i], at, NULL);
	return 0;
}

int
ctr_life_create(const struct ctr_table *table, uint32_t at)
{
	int rc;

	if (at >= table->max)
		return -ERANGE;
	ctr_control_lock(table->domain->module->control);
	rc = create_at(table, at);
	refuse_life(table, rc);
	ctr_control_unlock(table->domain->module->control);
	return rc;
}

int
ctr_life_alloc(const struct ctr_table *table, uint32_t first, uint32_t *index)
{
	const uint32_t last = first + table->index_maxima[table->num_indexes - 1];
	struct ctr_table_state *state = table->state;
	uint32_t at;
	int rc;

	if (index == NULL)
		return -EINVAL;
	if (first >= table->max)
		return -ERANGE;
	ctr_control_lock(table->domain->module->control);
	ctr_core_tidy(table);
	at = state->first > first ? state->first : first;
	at = ctr_bit_find(table->live, at, last, UINT64_MAX);
	rc = table->holder != NULL ? ctr_core_holder(table, first) : 0;
	if (rc == 0)
		rc = at < last ? create_at(table, at) : -ENOSPC;
	if (table->num_indexes == 1)
		state->first = at + (rc == 0);
	refuse_life(table, rc);
	ctr_control_unlock(table->domain->module->control);
	if (rc == 0)
		*index = at - first;
	return rc;
}

int
ctr_index_create(const struct ctr_table *table, const uint32_t *index)
{
	return ctr_life_create(table, ctr_core_position(table, index));
}

/* ---- an index that is reserved before the instance exists: updates begin it elsewhere ---- */

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
ctr_life_token(const struct ctr_table *table, uint32_t at)
{
	const struct ctr_record *record = ctr_core_record(table, at);

	return record != NULL ? record->token : 0;
}

int
ctr_life_open(const struct ctr_table *table, uint32_t at)
{
	uint32_t *epoch = ctr_core_epoch(table, at);
	struct ctr_record *record;
	int rc = -ENOENT;

	ctr_control_lock(table->domain->module->control);
	record = at < table->max ? ctr_core_record(table, at) : NULL;
	if (record != NULL && record->life == CTR_LIFE_FREE && ctr_bit(table->live, at)) {
		ctr_epoch_write_begin(epoch);
		ctr_store32(&record->life, CTR_LIFE_LIVE);
		ctr_add32(&table->state->occupancy.instances, 1);
		ctr_epoch_write_end(epoch);
		ctr_control_mark(&table->state->discontinuity_ns, at);
		rc = 0;
	}
	ctr_control_unlock(table->domain->module->control);
	return rc;
}
