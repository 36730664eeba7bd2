/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of discontinuities: the word in front of a table counts its users. */
#include <stdlib.h>

#include "ctr_control.h"
#include "ctr_module.h"

static uint64_t *
make_table(const struct ctr_scope *scope)
{
	uint64_t total = 1, *words;
	unsigned int level;

	for (level = 0; level < scope->num_indexes; level++)
		total *= scope->index_maxima[level];
	if (total >= SIZE_MAX / sizeof(*words))
		return NULL;
	words = (uint64_t *)malloc((size_t)(total + 1) * sizeof(*words));
	if (words == NULL)
		return NULL;
	memset(words, 0, (size_t)(total + 1) * sizeof(*words));
	return words + 1;
}

int
ctr_discontinuity_open(const struct ctr_module *module, const struct ctr_scope *scope,
		       uint64_t **table)
{
	*table = NULL;
	if (scope->discontinuity_ns == NULL)
		return 0;
	module->read_lock();
	*table = *scope->discontinuity_ns;
	if (*table == NULL) {
		*table = make_table(scope);
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
