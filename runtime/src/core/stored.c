/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of what is stored, for items that are derived from it. */
#include <errno.h>

#include "core.h"

int
ctr_table_stored(const struct ctr_table *table, uint32_t at, void *values)
{
	struct ctr_reading reading;
	uint32_t phase;
	int rc;

	if (at >= table->max)
		return -ERANGE;
	phase = ctr_core_enter(table, &reading);
	rc = ctr_core_fetch(table, table->view, at, values, &reading);
	ctr_core_leave(table, phase);
	return rc;
}
