/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of discontinuities: the word in front of a table counts its users. */
#include <stdlib.h>

#include "ctr_control.h"
#include "ctr_values.h"

int
ctr_discontinuity_open(const struct ctr_module *module, const struct ctr_scope *scope,
		       uint64_t **table)
{
	const uint64_t total = ctr_scope_total(scope);

	*table = NULL;
	if (scope->discontinuity_ns == NULL)
		return 0;
	module->read_lock();
	*table = *scope->discontinuity_ns;
	if (*table == NULL) {
		uint64_t *words = NULL;

		if (total < SIZE_MAX / sizeof(*words))
			words = (uint64_t *)calloc((size_t)total + 1, sizeof(*words));
		*table = words != NULL ? words + 1 : NULL;
		__atomic_store_n(scope->discontinuity_ns, *table, __ATOMIC_RELEASE);
	}
	if (*table != NULL)
		(*table)[-1]++;
	module->read_unlock();
	return *table != NULL ? 0 : -ENOMEM;
}

void
ctr_discontinuity_close(const struct ctr_module *module, const struct ctr_scope *scope,
			uint64_t **table)
{
	if (*table == NULL)
		return;
	module->read_lock();
	if (--(*table)[-1] == 0) {
		__atomic_store_n(scope->discontinuity_ns, NULL, __ATOMIC_RELEASE);
		free(*table - 1);
	}
	module->read_unlock();
	*table = NULL;
}
