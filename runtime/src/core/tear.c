/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"
#include "position.h"

void
ctr_index_tear(const struct ctr_table *table, const uint32_t *index)
{
	const uint32_t at = position_of(table, index);
	unsigned int view;

	if (table->torn == NULL || at >= table->max)
		return;
	ctr_control_lock(table->domain->module->control);
	for (view = table->bases > 1; view < table->bases; view++)
		ctr_bit_set(ctr_core_torn(table, view), at);
	ctr_control_unlock(table->domain->module->control);
}
