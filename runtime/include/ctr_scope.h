/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The functions of a scope's descriptor (ctr_module.h), around those of its table. For generated
 * sources.
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

/** Those of one table, whose name theirs begin with. */
#define CTR_SCOPE_FUNCTIONS(table)                                                          \
	static CTR_UNUSED int table##_read(const uint32_t *index, void *values)             \
	{                                                                                   \
		return ctr_index_read(&table, table.view, index, values);                   \
	}                                                                                   \
	static CTR_UNUSED int table##_lcore_read(unsigned int lcore, const uint32_t *index, \
						 void *values)                              \
	{                                                                                   \
		return ctr_index_lcore_read(&table, lcore, index, values);                  \
	}                                                                                   \
	static CTR_UNUSED int table##_reset(const uint32_t *index, void *last)              \
	{                                                                                   \
		return ctr_index_reset(&table, table.view, index, last);                    \
	}                                                                                   \
	static CTR_UNUSED int table##_view_read(unsigned int view, const uint32_t *index,   \
						void *values)                               \
	{                                                                                   \
		return ctr_index_read(&table, view, index, values);                         \
	}                                                                                   \
	static CTR_UNUSED int table##_view_reset(unsigned int view, const uint32_t *index,  \
						 void *last)                                \
	{                                                                                   \
		return ctr_index_reset(&table, view, index, last);                          \
	}                                                                                   \
	static CTR_UNUSED void table##_rows(uint32_t at, uint32_t count, void *values,      \
					    int *rc)                                        \
	{                                                                                   \
		ctr_table_rows(&table, at, count, values, rc);                              \
	}                                                                                   \
	static CTR_UNUSED int table##_adopt(const uint32_t *index, const void *values)      \
	{                                                                                   \
		return ctr_index_adopt(&table, index, values);                              \
	}                                                                                   \
	static CTR_UNUSED void table##_tear(const uint32_t *index)                          \
	{                                                                                   \
		ctr_index_tear(&table, index);                                              \
	}                                                                                   \
	static CTR_UNUSED int table##_create(const uint32_t *index)                         \
	{                                                                                   \
		return ctr_index_create(&table, index);                                     \
	}

#endif /* CTR_SCOPE_H */
