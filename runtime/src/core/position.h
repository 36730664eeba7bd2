/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CTR_CORE_POSITION_H
#define CTR_CORE_POSITION_H

#include "ctr_table.h"

/* The position of an instance, outermost index first; UINT32_MAX for an index out of range. */
static inline uint32_t
position_of(const struct ctr_table *table, const uint32_t *index)
{
	uint32_t at = 0;
	unsigned int i;

	for (i = 0; i < table->num_indexes; i++) {
		if (index[i] >= table->index_maxima[i])
			return UINT32_MAX;
		at = at * table->index_maxima[i] + index[i];
	}
	return at;
}

#endif /* CTR_CORE_POSITION_H */
