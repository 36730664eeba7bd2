/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances of dynamic scopes are retired, and reclaimed when no lcore can still count there.
 * Everything here is done under the control lock. */
#include "core.h"
#include "memory.h"

/* ---- the end of a generation ---- */

static void
count_ending(const struct ctr_table *table, uint32_t by)
{
	for (unsigned int i = 0; i < table->num_ending; i++)
		ctr_core_count_ending(table->ending[i], by);
}

/* Collect the final counts of a retired instance and all inside of it; then its index is free. */
static void
close_life(const struct ctr_table *table, uint32_t at, void *last, const struct ctr_life_ops *ops)
{
	struct ctr_record *record = ctr_core_record(table, at);
	uint32_t *epoch = ctr_core_epoch(table, at);

	/* A function of `ops` cannot create an instance here. */
	if (table->num_inner != 0)
		ctr_store32(&record->life, CTR_LIFE_AWAITED);
	ctr_bit_clear(table->live, at);
	for (unsigned int i = 0; i < table->num_inner; i++)
		ctr_core_end_inside(table->inner[i], at, ops);
	ctr_epoch_write_begin(epoch);
	ctr_core_settle_counts(table, at, last);
	ctr_store32(&record->life, CTR_LIFE_FREE);
	ctr_epoch_write_end(epoch);
	count_ending(table, UINT32_MAX);
	if (at < table->state->first)
		table->state->first = at;
}

int
ctr_core_end(const struct ctr_table *table, uint32_t at, void *last, const struct ctr_life_ops *ops)
{
	const uint64_t token = ctr_core_record(table, at)->token;

	if (!ctr_quiescent_passed(token))
		return -EINPROGRESS;
	/* A report may be for another module, which has applied nothing here. */
	for (unsigned int i = 0; i < table->num_ending; i++)
		if (table->ending[i]->drain_tokens != NULL &&
		    !ctr_drained_since(table->ending[i]->drain_tokens, token))
			return -EINPROGRESS;
	for (unsigned int i = 0; i < table->num_ending; i++)
		ctr_core_settle(table->ending[i]);
	close_life(table, at, last, ops);
	return 0;
}

/* Over the instances inside the one at `outer` that exist or are retired. */
static uint32_t
next_inside(const struct ctr_table *table, uint32_t at, uint32_t last)
{
	return table->dynamic ? ctr_bit_next(table->live, at, last) : at;
}

void
ctr_core_end_inside(const struct ctr_table *table, uint32_t outer, const struct ctr_life_ops *ops)
{
	const uint32_t last = (outer + 1) * table->stride;
	char *values = __builtin_alloca(table->value_size);
	uint32_t at = outer * table->stride;

	for (; (at = next_inside(table, at, last)) < last; at++) {
		const struct ctr_life_ops *own = ops;

		if (table->dynamic) {
			if (ctr_core_record(table, at)->life != CTR_LIFE_AWAITED)
				own = NULL;
			close_life(table, at, values, own);
		} else {
			if (table->key_ops != NULL)
				table->key_ops->clear(table->keys, at);
			ctr_core_begin(table, at, values);
		}
		if (own == NULL)
			continue;
		ctr_core_derive(table, at, values, 0, 0);
		table->ended(own, at, values);
	}
}

/* ---- retirement ---- */

/* Retire an instance and all inside of it: readers do not find it any more. */
static void
retire(const struct ctr_table *table, uint32_t at, enum ctr_life life)
{
	struct ctr_record *record = ctr_core_record(table, at);
	uint32_t *epoch = ctr_core_epoch(table, at);

	ctr_epoch_write_begin(epoch);
	/* The token comes last: lcores that report later see all changes. */
	ctr_store64(&record->token, UINT64_MAX);
	ctr_store_release(&record->life, (uint32_t)life);
	ctr_add32(&table->state->occupancy.instances, UINT32_MAX);
	ctr_epoch_write_end(epoch);
	if (table->key_ops != NULL)
		table->key_ops->clear(table->keys, at);
	count_ending(table, 1);
	for (unsigned int i = 0; i < table->num_inner; i++) {
		const struct ctr_table *inner = table->inner[i];
		const uint32_t last = (at + 1) * inner->stride;
		uint32_t in = at * inner->stride;

		if (!inner->dynamic && inner->keys == NULL)
			continue;
		for (; (in = next_inside(inner, in, last)) < last; in++) {
			if (!inner->dynamic)
				inner->key_ops->clear(inner->keys, in);
			else if (ctr_core_record(inner, in)->life == CTR_LIFE_LIVE)
				retire(inner, in, CTR_LIFE_AWAITED);
		}
	}
}

/* Whether any instance inside of one exists, or has final counts that a caller waits for. */
static bool
busy_inside(const struct ctr_table *table, uint32_t outer)
{
	for (unsigned int i = 0; i < table->num_inner; i++) {
		const struct ctr_table *inner = table->inner[i];
		const uint32_t last = (outer + 1) * inner->stride;
		uint32_t at = outer * inner->stride;

		if (!inner->dynamic)
			continue;
		for (; (at = ctr_bit_next(inner->live, at, last)) < last; at++)
			if (ctr_core_record(inner, at)->life != CTR_LIFE_RETIRED)
				return true;
	}
	return false;
}

void
ctr_core_tidy(const struct ctr_table *table)
{
	struct ctr_fifo *line = &table->state->line;
	void *discarded = __builtin_alloca(table->value_size);

	while (line->first != 0) {
		const uint32_t at = line->first - 1;
		struct ctr_record *record = ctr_core_record(table, at);

		/* Where a caller waits for the final counts, only that caller reclaims it. */
		if (record->life == CTR_LIFE_RETIRED &&
		    ctr_core_end(table, at, discarded, NULL) != 0)
			return;
		line->first = record->next != at + 1 ? record->next : 0;
		record->next = 0;
	}
}

/* ---- the public functions ---- */

int
ctr_life_destroy(const struct ctr_table *table, uint32_t at, void *last,
		 const struct ctr_life_ops *ops)
{
	void *final = last != NULL ? last : __builtin_alloca(table->value_size);
	struct ctr_fifo *line = &table->state->line;
	struct ctr_record *record;
	int rc = 0;

	if (at >= table->max)
		return -ERANGE;
	ctr_core_flush(table->domain);
	ctr_control_lock(table->domain->module->control);
	record = ctr_core_record(table, at);
	if (record == NULL || record->life == CTR_LIFE_FREE ||
	    (table->holder != NULL && ctr_core_holder(table, at) != 0)) {
		rc = -ENOENT;
	} else if (ops == NULL && busy_inside(table, at)) {
		rc = -EBUSY;
	} else {
		if (record->life == CTR_LIFE_LIVE) {
			retire(table, at, CTR_LIFE_RETIRED);
			ctr_store64(&record->token, ctr_quiescent_start());
		}
		rc = ctr_core_end(table, at, final, ops);
		if (rc != 0 && (last != NULL || (ops != NULL && ops->ops != NULL))) {
			ctr_store32(&record->life, CTR_LIFE_AWAITED);
		} else if (rc != 0 && record->next == 0) {
			if (line->first == 0)
				line->first = at + 1;
			else
				ctr_core_record(table, line->last - 1)->next = at + 1;
			record->next = line->last = at + 1;
		}
	}
	ctr_control_unlock(table->domain->module->control);
	if (last != NULL)
		ctr_core_derive(table, at, last, 0, rc);
	return rc;
}
