/* SPDX-License-Identifier: BSD-3-Clause */
/* Items that devices and the application report, and items that are derived (ctr_source.h). */
#include "core.h"
#include "ctr_source.h"

static int
source_query(const struct ctr_table *table, uint32_t at)
{
	struct ctr_control *control = table->domain->module->control;
	int rc;

	if (table->sources->query == NULL)
		return 0;
	rc = table->sources->query(at);
	if (rc <= 0)
		return rc;
	/* Its counters have restarted. */
	ctr_control_lock(control);
	ctr_control_mark(&table->state->discontinuity_ns, at);
	ctr_control_unlock(control);
	return 0;
}

static void
source_reported(const struct ctr_table *table, unsigned int view, uint32_t at, void *values,
		bool reset)
{
	const struct ctr_table_sources *sources = table->sources;

	if (sources->sourced != NULL)
		ctr_sourced_load(sources->sourced, at, view, sources->items, sources->num_items,
				 reset, values);
}

static void
source_restart(const struct ctr_table *table, uint32_t at, bool rates)
{
	if (table->sources->rates != NULL)
		ctr_rates_forget(table->sources->rates, at);
	if (!rates && table->sources->sourced != NULL)
		ctr_sourced_forget(table->sources->sourced, at, 1);
}

static void
source_forget(const struct ctr_table *table)
{
	const struct ctr_table_sources *sources = table->sources;

	if (sources->sourced != NULL)
		ctr_sourced_forget(sources->sourced, 0, table->max);
	if (sources->rates != NULL)
		ctr_rates_anew(sources->rates);
	if (sources->provider != NULL)
		sources->provider->busy = false;
}

static void
source_free(const struct ctr_table *table)
{
	const struct ctr_table_sources *sources = table->sources;
	uint32_t i;

	if (sources->rates != NULL)
		ctr_rates_free(sources->rates);
	for (i = 0; sources->devices != NULL && i < table->index_maxima[0]; i++)
		ctr_store32(&sources->devices[i], 0);
	if (sources->provider != NULL) {
		ctr_control_hold(&sources->sourced->asking);
		sources->provider->call = NULL;
		sources->provider->ctx = NULL;
		sources->sourced->provider++;
		ctr_control_release(&sources->sourced->asking);
	}
	if (sources->sourced != NULL)
		ctr_sourced_free(sources->sourced);
}

const struct ctr_source_ops ctr_source_ops = {
	.query = source_query,
	.reported = source_reported,
	.restart = source_restart,
	.forget = source_forget,
	.free = source_free,
};
