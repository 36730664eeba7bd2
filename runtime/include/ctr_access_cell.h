/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Gauges, peaks and states of any scope one by one, from its table (ctr_table.h). As in
 * ctr_access.h.
 */
#ifndef CTR_ACCESS_CELL_H
#define CTR_ACCESS_CELL_H

#include "ctr_common.h"

struct ctr_table;

#ifdef __cplusplus
extern "C" {
#endif

/** A gauge, a peak or a state, as a value struct has it; 0 where it does not exist. @p word is
 * which of `values` of the table, or of `beside` behind these. */
uint64_t ctr_table_value(const struct ctr_table *table, uint32_t at, unsigned int word);

/** Copy a state that is wider than a word to @p out. 0; -ENOENT. */
int ctr_table_cell_get(const struct ctr_table *table, uint32_t at, unsigned int word, void *out);

/** Set one from @p value; a string, with @p text, is cut. 0; -EINVAL: NULL; -ENODEV; -ENOENT. */
int ctr_table_cell_set(const struct ctr_table *table, uint32_t at, unsigned int word,
		       const void *value, bool text);

#ifdef __cplusplus
}
#endif

#endif /* CTR_ACCESS_CELL_H */
