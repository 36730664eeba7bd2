/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of the instances of a scope (ctr_key.h). */
#include "core.h"
#include "ctr_key.h"

const struct ctr_key_ops ctr_key_ops = { ctr_keys_clear, ctr_keys_free, ctr_keys_forget };

int
ctr_table_key_set(const struct ctr_table *table, uint32_t at, const void *key)
{
	const struct ctr_module_state *module = table->domain->module;
	int rc = 0;

	if (at >= table->max)
		return -ERANGE;
	ctr_control_lock(module->control);
	if (table->dynamic && !ctr_core_lives(ctr_core_record(table, at)))
		rc = -ENOENT;
	else if (!table->dynamic && !module->ready->set)
		rc = -ENODEV;
	else if (key != NULL)
		rc = ctr_keys_set(table->keys, at, key);
	else
		ctr_keys_clear(table->keys, at);
	ctr_control_unlock(module->control);
	return rc;
}

int
ctr_table_key_get(const struct ctr_table *table, uint32_t at, void *key)
{
	if (key == NULL)
		return -EINVAL;
	if (at >= table->max)
		return -ERANGE;
	return ctr_keys_get(table->keys, at, key, NULL);
}

int
ctr_table_key_find(const struct ctr_table *table, uint32_t first, const void *key, uint32_t *index)
{
	if (key == NULL || index == NULL)
		return -EINVAL;
	if (first >= table->max)
		return -ERANGE;
	return ctr_keys_find(table->keys, first / table->index_maxima[table->num_indexes - 1], key,
			     index);
}
