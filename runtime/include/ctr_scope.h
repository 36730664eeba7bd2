/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the functions of a scope's descriptor (ctr_module.h) do: by indexes, from its table. For
 * generated sources.
 */
#ifndef CTR_SCOPE_H
#define CTR_SCOPE_H

#include "ctr_access.h"
#include "ctr_life.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As `ctr_scope.read`. */
int ctr_index_read(const struct ctr_table *table, unsigned int view, const uint32_t *index,
		   void *values);
/** As `ctr_scope.lcore_read`. */
int ctr_index_lcore_read(const struct ctr_table *table, unsigned int lcore, const uint32_t *index,
			 void *values);
/** As `ctr_scope.reset`. */
int ctr_index_reset(const struct ctr_table *table, unsigned int view, const uint32_t *index,
		    void *last);
/** As `ctr_scope.create`. */
int ctr_index_create(const struct ctr_table *table, const uint32_t *index);
/** As `ctr_scope.adopt`. */
int ctr_index_adopt(const struct ctr_table *table, const uint32_t *index, const void *values);
/** As `ctr_scope.tear`. */
void ctr_index_tear(const struct ctr_table *table, const uint32_t *index);

#ifdef __cplusplus
}
#endif

#endif /* CTR_SCOPE_H */
