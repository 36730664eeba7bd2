/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "core.h"

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
