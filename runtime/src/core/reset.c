/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "ctr_peak.h"

void
ctr_core_begin_epoch(const struct ctr_table *table, char *base, char *values)
{
	const struct ctr_run *run;

	for (run = table->runs; run != table->runs + table->num_runs; run++) {
		uint64_t *base64 = (uint64_t *)(void *)(base + run->base);
		uint64_t *value64 = (uint64_t *)(void *)(values + run->value);
		uint32_t *base32 = (uint32_t *)(void *)(base + run->base);
		uint32_t *value32 = (uint32_t *)(void *)(values + run->value), now;
		unsigned int i;

		for (i = run->bits == 64 ? run->num : 0; i-- != 0; base64++, value64++)
			*value64 = ctr_rebase64(base64, *value64);
		for (i = run->bits == 64 ? 0 : run->num; i-- != 0; base32++, value32++) {
			now = *value32;
			*value32 = now - *base32;
			ctr_store32(base32, now);
		}
	}
}

int
ctr_core_renew(const struct ctr_table *table, unsigned int view, uint32_t at, void *out,
	       struct ctr_read_ctx *reading)
{
	uint32_t *epoch = ctr_core_epoch(table, at);
	uint64_t *torn = table->torn != NULL ? ctr_core_torn(table, view) : NULL;
	const bool before = torn != NULL && ctr_bit(torn, at);
	int rc;

	ctr_epoch_write_begin(epoch);
	if (table->padded)
		memset(out, 0, table->value_size);
	rc = table->collect(table, at, out, view == table->view, reading);
	if (table->base_size != 0) {
		ctr_core_begin_epoch(table, ctr_core_base(table, at, view), out);
		if (torn != NULL)
			ctr_bit_put(torn, at, rc != 0);
		if (before)
			rc = -EAGAIN;
	}
	if (view == table->view)
		ctr_core_restart_sources(table, at, true);
	ctr_core_reported(table, view, at, out, true);
	ctr_core_values(table, at, 1, out, true);
	ctr_epoch_write_end(epoch);
	if (view == table->view && table->state->discontinuity_ns != NULL)
		ctr_control_mark(&table->state->discontinuity_ns, at);
	return rc;
}

int
ctr_table_reset(const struct ctr_table *table, unsigned int view, uint32_t at, void *last)
{
	struct ctr_control *control = table->domain->module->control;
	struct ctr_read_ctx reading;
	void *counted = last != NULL ? last : __builtin_alloca(table->value_size);
	int rc;

	/* The raw view is never reset. */
	if (view >= table->bases || (table->bases > 1 && view == 0))
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	rc = ctr_core_query(table, at);
	if (rc != 0)
		return rc;
	ctr_core_flush(table->domain);
	ctr_control_lock(control);
	if (!ctr_core_exists(table, at)) {
		rc = -ENOENT;
	} else {
		ctr_read_ctx_init(&reading, control);
		rc = ctr_core_renew(table, view, at, counted, &reading);
	}
	ctr_control_unlock(control);
	if (last != NULL)
		ctr_core_derive(table, at, last, 0, rc);
	return rc;
}

/* ---- all ---- */

int
ctr_core_query_all(const struct ctr_table *table)
{
	int rc = 0;

	if (table->sources == NULL || table->sources->sourced == NULL)
		return 0;
	for (uint32_t at = 0; rc != -ENOMEM; at++) {
		at = ctr_core_visit(table, at);
		if (at >= table->max)
			return 0;
		rc = ctr_core_query(table, at);
	}
	return rc;
}

int
ctr_table_reset_all(const struct ctr_table *table, void *last)
{
	void *counted = __builtin_alloca(table->value_size);
	struct ctr_read_ctx reading;
	uint32_t at;
	int rc = 0;

	if (ctr_core_query_all(table) != 0)
		return -ENOMEM;
	ctr_read_ctx_init(&reading, table->domain->module->control);
	if (table->dynamic && last != NULL)
		memset(last, 0, (size_t)table->max * table->value_size);
	ctr_module_read_lock(table->domain->module);
	for (at = ctr_core_visit(table, 0); at < table->max; at = ctr_core_visit(table, at + 1)) {
		void *out = last != NULL ? (char *)last + (size_t)at * table->value_size : counted;

		if (ctr_core_renew(table, table->view, at, out, &reading) != 0)
			rc = -EAGAIN;
	}
	ctr_module_read_unlock(table->domain->module);
	at = table->sources != NULL && last != NULL ? 0 : table->max;
	for (; (at = ctr_core_visit(table, at)) < table->max; at++)
		ctr_core_derive(table, at, (char *)last + (size_t)at * table->value_size, 0, 0);
	return rc;
}

int
ctr_module_reset(const struct ctr_module_state *module)
{
	int rc = 0;

	for (uint32_t i = 0; i < module->num_tables; i++)
		if (module->tables[i]->resets && ctr_core_query_all(module->tables[i]) != 0)
			return -ENOMEM;
	ctr_module_read_lock(module);
	for (uint32_t i = 0; i < module->num_tables; i++)
		if (module->tables[i]->resets && ctr_table_reset_all(module->tables[i], NULL) != 0)
			rc = -EAGAIN;
	ctr_module_read_unlock(module);
	return rc;
}
