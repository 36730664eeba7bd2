/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Keys of the instances of any scope, from its table (ctr_table.h). As in ctr_access.h.
 */
#ifndef CTR_ACCESS_KEY_H
#define CTR_ACCESS_KEY_H

#include "ctr_common.h"

struct ctr_table;

#ifdef __cplusplus
extern "C" {
#endif

/** Set the key of an instance; NULL removes it. For control threads; blocks for the control lock.
 * Readers see the former key or this one. 0; -EINVAL: a part has no such value; -EEXIST: another
 * instance of the same parent has the key; -ERANGE; -ENOMEM; -ENOENT; -ENODEV: not initialised. */
int ctr_table_key_set(const struct ctr_table *table, uint32_t at, const void *key);

/** Copy the key of an instance to @p key. 0; -EINVAL: NULL; -ERANGE; -ENOENT: it has none. */
int ctr_table_key_get(const struct ctr_table *table, uint32_t at, void *key);

/** The index of the instance with a key inside of the outer one that begins at position @p first,
 * to *@p index. 0; -EINVAL: NULL, or as of ctr_keys_set(); -ERANGE; -ENOENT. */
int ctr_table_key_find(const struct ctr_table *table, uint32_t first, const void *key,
		       uint32_t *index);

#ifdef __cplusplus
}
#endif

#endif /* CTR_ACCESS_KEY_H */
