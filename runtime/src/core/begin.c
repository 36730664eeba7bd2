/* SPDX-License-Identifier: BSD-3-Clause */
/* A generation of an instance begins; collects late counts of the former one. */
#include "memory.h"
#include "ctr_limit.h"

/* Store *out, the sums of an instance, as the baselines of all views; *out becomes the counts of
 * the default view. */
static void
settle_bases(const struct ctr_table *table, uint32_t at, void *out)
{
	char *bases = ctr_core_stored_base(table, at, 0);
	char *sums = __builtin_alloca(table->value_size);

	for (unsigned int view = 0; view < table->bases; view++) {
		if (view == table->view)
			continue;
		memcpy(sums, out, table->value_size);
		ctr_core_begin_epoch(table, bases + (size_t)view * table->base_size, sums);
	}
	bases += (size_t)table->view * table->base_size;
	ctr_core_begin_epoch(table, bases, (char *)out);
}

void
ctr_core_settle_counts(const struct ctr_table *table, uint32_t at, void *out)
{
	struct ctr_read_ctx brief;

	ctr_read_ctx_init(&brief, table->domain->module->control);
	if (table->padded)
		memset(out, 0, table->value_size);
	(void)table->collect(table, at, out, true, &brief);
	if (table->base_size != 0)
		settle_bases(table, at, out);
	/* No lcore can still count there: open sections belong to other instances. */
	for (unsigned int view = 0; table->torn != NULL && view < table->bases; view++)
		ctr_bit_put(ctr_core_torn(table, view), at, false);
	ctr_core_values(table, at, 1, out, false);
	if (table->limits != NULL)
		table->limit_ops->end(table->limits, at);
}

void
ctr_core_begin(const struct ctr_table *table, uint32_t at, void *last)
{
	uint32_t *epoch = ctr_core_epoch(table, at);

	ctr_epoch_write_begin(epoch);
	ctr_core_settle_counts(table, at, last);
	if (table->value_ops != NULL)
		table->value_ops->clear(table, at);
	ctr_core_restart_sources(table, at, false);
	if (table->dynamic) {
		ctr_store32(&ctr_core_record(table, at)->life, CTR_LIFE_LIVE);
		ctr_add32(&table->state->occupancy.instances, 1);
	}
	ctr_epoch_write_end(epoch);
	if (table->dynamic)
		ctr_bit_set(table->live, at);
	ctr_control_mark(&table->state->discontinuity_ns, at);
}
