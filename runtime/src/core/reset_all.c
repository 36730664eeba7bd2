/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

int
ctr_core_query_all(const struct ctr_table *table)
{
	uint32_t at;
	int rc = 0;

	if (table->sources == NULL || table->sources->query == NULL)
		return 0;
	for (at = 0; rc != -ENOMEM; at++) {
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
	struct ctr_reading reading;
	uint32_t at;
	int rc = 0;

	if (ctr_core_query_all(table) != 0)
		return -ENOMEM;
	ctr_reading_begin(&reading, table->domain->module->control);
	if (table->dynamic && last != NULL)
		memset(last, 0, (size_t)table->max * table->value_size);
	ctr_module_read_lock(table->domain->module);
	for (at = ctr_core_visit(table, 0); at < table->max; at = ctr_core_visit(table, at + 1)) {
		void *out = last != NULL ? (char *)last + (size_t)at * table->value_size : counted;

		if (ctr_core_renew(table, table->view, at, out, &reading) != 0)
			rc = -EAGAIN;
		ctr_control_mark(&table->state->discontinuity_ns, at);
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
	uint32_t i;
	int rc = 0;

	for (i = 0; i < module->num_tables; i++)
		if (module->tables[i]->resets && ctr_core_query_all(module->tables[i]) != 0)
			return -ENOMEM;
	ctr_module_read_lock(module);
	for (i = 0; i < module->num_tables; i++)
		if (module->tables[i]->resets && ctr_table_reset_all(module->tables[i], NULL) != 0)
			rc = -EAGAIN;
	ctr_module_read_unlock(module);
	return rc;
}
