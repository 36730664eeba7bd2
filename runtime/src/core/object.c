/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of the application, which are read and reset as their strategy says. */
#include "core.h"

int
ctr_object_read(const struct ctr_table *table, const void *object, void *values)
{
	struct ctr_read_ctx reading;
	int rc = 0;

	if (object == NULL || values == NULL)
		return -EINVAL;
	ctr_read_ctx_init(&reading, table->domain->module->control);
	memset(values, 0, table->value_size);
	ctr_core_load(table, (void *)(uintptr_t)object, 0, 1, values, &rc, &reading);
	ctr_core_derive(table, 0, values, 0, 0);
	return rc;
}

int
ctr_object_reset(const struct ctr_table *table, void *object, void *last)
{
	void *values = last != NULL ? last : __builtin_alloca(table->value_size);

	if (object == NULL)
		return -EINVAL;
	memset(values, 0, table->value_size);
	ctr_core_take_element(table, object, values);
	ctr_core_derive(table, 0, values, 0, 0);
	return 0;
}
