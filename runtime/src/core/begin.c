/* SPDX-License-Identifier: BSD-3-Clause */
/* A generation of an instance begins, with what the former one still counted. */
#include "memory.h"
#include "ctr_fork.h"
#include "ctr_limit.h"

/* Make *out, the sums of an instance, the baselines of all views; then its default counts. */
static void
settle_bases(const struct ctr_table *table, uint32_t at, void *out)
{
	char *bases = ctr_core_stored_base(table, at, 0);
	char *sums = __builtin_alloca(table->value_size);

	for (unsigned int view = 0; view < table->bases; view++) {
		if (view == table->view)
			continue;
		memcpy(sums, out, table->value_size);
		ctr_core_begin_period(table, bases + (size_t)view * table->base_size, sums);
	}
	bases += (size_t)table->view * table->base_size;
	ctr_core_begin_period(table, bases, (char *)out);
}

/* Zero the counters of an instance in one copy, and subtract them from the baselines. */
static void
wipe_copy(const struct ctr_table *table, void *copy, uint32_t at)
{
	char *element = ctr_element(table, &table->data, copy, at);
	char *bases = ctr_core_stored_base(table, at, 0);
	const struct ctr_run *run;
	unsigned int view;
	uint64_t part;

	for (run = table->runs; element != NULL && run != table->runs + table->num_runs; run++) {
		for (unsigned int i = 0; i < run->num; i++) {
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

void
ctr_core_settle_counts(const struct ctr_table *table, uint32_t at, void *out)
{
	struct ctr_reading brief;

	ctr_reading_begin(&brief, table->domain->module->control);
	(void)table->collect(table, at, out, true, &brief);
	if (table->base_size != 0)
		settle_bases(table, at, out);
	/* No lcore can still count there: sections that are open are of other instances. */
	for (unsigned int view = 0; table->torn != NULL && view < table->bases; view++)
		ctr_bit_put(ctr_core_torn(table, view), at, false);
	if (table->num_values != 0)
		table->value_ops->peaks(table, at, out);
	if (table->limits != NULL)
		table->limit_ops->end(table->limits, at);
}

void
ctr_core_begin(const struct ctr_table *table, uint32_t at, void *last)
{
	const struct ctr_table *mortal = table->dynamic ? table : table->holder;
	const uint32_t alive = table->dynamic ? at : at / table->stride;
	struct ctr_record *record = ctr_core_record(mortal, alive);
	uint32_t *period = ctr_core_period(table, at);
	unsigned int lcore;

	ctr_period_begin(period);
	ctr_core_settle_counts(table, at, last);
	/* Each copy, too, so that lcores' contributions begin at 0: no thread writes to them. Not
	 * while an lcore may still use the former generation. */
	if (table->restarts && record->moment != 0 && ctr_quiescent_passed(record->moment))
		CTR_SLOTS_FOREACH(lcore, table->domain->slots)
			if (ctr_slots_quiet(lcore))
				wipe_copy(table, ctr_slots_get(table->domain->slots, lcore), at);
	if (table->value_ops != NULL)
		table->value_ops->clear(table, at);
	ctr_core_restart_sources(table, at, false);
	if (table->dynamic) {
		ctr_store32(&record->life, CTR_LIVES);
		ctr_add32(&table->state->occupancy.instances, 1);
	}
	ctr_period_end(period);
	if (table->dynamic)
		ctr_bit_set(table->live, at);
	ctr_control_mark(&table->state->discontinuity_ns, at);
}
