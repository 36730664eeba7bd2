/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Snapshots of all scopes of a module, from their tables (ctr_table.h).
 *
 * A snapshot is a generated struct. What of it belongs to a scope is in a `struct
 * ctr_snapshot_scope` (ctr_scope.h), so that the library can fill it.
 */
#ifndef CTR_SNAPSHOT_H
#define CTR_SNAPSHOT_H

#include "ctr_common.h"

struct ctr_module_state;
struct ctr_snapshot_scope;

/** The snapshots of a module. */
struct ctr_snapshots {
	const struct ctr_module_state *module;   /**< Its read sections. */
	const struct ctr_snapshot_scope *scopes; /**< In the order of the schema. */
	uint32_t num_scopes;                     /**< Length of `scopes`. */
	uint32_t size;                           /**< Bytes of a snapshot. */
	uint32_t start_ns;                       /**< Offset of the time of the first value. */
	uint32_t end_ns;                         /**< Offset of the time of the last value. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Allocate a snapshot, with room for all static instances, to the pointer at @p snap. 0; -ENOMEM;
 * -EINVAL: NULL. */
int ctr_snapshot_create(const struct ctr_snapshots *snapshots, void *snap);

/** Read everything, in one read section; with @p reset also reset it. 0; -EAGAIN: counters of some
 * instances may not belong together, whose flags lack CTR_CONSISTENT; -ENOMEM: nothing was read
 * or reset; -EINVAL: NULL. */
int ctr_snapshot_read(const struct ctr_snapshots *snapshots, void *snap, bool reset);

/** Free a snapshot; NULL is allowed. */
void ctr_snapshot_free(const struct ctr_snapshots *snapshots, void *snap);

#ifdef __cplusplus
}
#endif

#endif /* CTR_SNAPSHOT_H */
