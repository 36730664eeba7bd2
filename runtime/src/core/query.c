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
