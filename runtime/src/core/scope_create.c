/* SPDX-License-Identifier: BSD-3-Clause */
#include "ctr_access.h"
#include "position.h"

int
ctr_index_create(const struct ctr_table *table, const uint32_t *index)
{
	return ctr_life_create(table, position_of(table, index));
}
