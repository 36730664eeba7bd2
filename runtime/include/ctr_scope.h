/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the functions of a scope's descriptor (ctr_module.h) do: by indexes, from its table; and its
 * part in snapshots. For generated sources.
 */
#ifndef CTR_SCOPE_H
#define CTR_SCOPE_H

#include "ctr_access.h"
#include "ctr_life.h"

struct ctr_scope;

/** The members of a snapshot that belong to a scope: their offsets in it. */
struct ctr_snapshot_scope {
	const struct ctr_table *table; /**< The scope in storage. */
	const struct ctr_scope *scope; /**< Its items. */
	uint32_t values;     /**< The value struct of global; of others the pointer to an array. */
	uint32_t valid;      /**< The flags, likewise. */
	uint32_t valid_size; /**< Bytes of the flags of an instance. */
	uint32_t index;      /**< Of a dynamic scope: the pointer to positions of entries. */
	uint32_t num;        /**< Of a dynamic scope: how many entries there are, uint32_t. */
	uint32_t room;       /**< Of a dynamic scope: how many there is room for, uint32_t. */
};

/** The initialiser of one: members @p values_ and @p flags of struct @p snap. */
#define CTR_SNAPSHOT_SCOPE(table_, scope_, snap, values_, flags, type)  \
	{                                                               \
		.table = table_,                                        \
		.scope = scope_,                                        \
		.values = offsetof(struct snap, values_),               \
		.valid = offsetof(struct snap, flags),                  \
		.valid_size = sizeof(struct type),                      \
	}
/** The same of a dynamic scope, with its further members. */
#define CTR_SNAPSHOT_DYNAMIC(table_, scope_, snap, values_, flags, type, at, count, most)       \
	{                                                                                       \
		.table = table_,                                                                \
		.scope = scope_,                                                                \
		.values = offsetof(struct snap, values_),                                       \
		.valid = offsetof(struct snap, flags),                                          \
		.valid_size = sizeof(struct type),                                              \
		.index = offsetof(struct snap, at),                                             \
		.num = offsetof(struct snap, count),                                            \
		.room = offsetof(struct snap, most),                                            \
	}

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

/** As ctr_table_read() in the default view, without what is reported or derived. */
int ctr_table_stored(const struct ctr_table *table, uint32_t at, void *values);

/** Read @p n instances from position @p at on, inside a read section of the calling thread; @p rc
 * gets for each what ctr_table_read() would return. */
void ctr_table_rows(const struct ctr_table *table, uint32_t at, uint32_t n, void *values, int *rc);

#ifdef __cplusplus
}
#endif

#endif /* CTR_SCOPE_H */
