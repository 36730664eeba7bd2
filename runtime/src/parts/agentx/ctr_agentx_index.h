/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What rows are called: the sub-identifiers of the index of an instance, where the application does
 * not say. They are its own, or those of a row that it augments. Not installed.
 */
#ifndef CTR_AGENTX_INDEX_H
#define CTR_AGENTX_INDEX_H

#include "ctr_agentx.h"

/** Maximum number of nested scopes. */
#define CTR_AGENTX_LEVELS 16u

/**
 * The index of a scope's rows: that of a row of `base`, and behind it that of the scope's last
 * `own` levels. `base` is the scope itself with `own` 0, or the scope whose rows it augments, or
 * whose rows are augmented by the scope around it.
 */
struct ctr_agentx_index {
	const struct ctr_scope *scope; /**< Whose instances have the index. */
	const struct ctr_scope *base;  /**< Whose rows it begins with. */
	uint32_t own;                  /**< Levels of the scope behind that. */
	uint32_t each;                 /**< Instances for each row of @ref base. */
	uint64_t total;                /**< Instances that can have a row. */
	uint32_t levels;               /**< Numbers of an index without keys. */
	uint32_t maxima[CTR_AGENTX_LEVELS]; /**< Each is from 1 to this. */
	bool keyed;                    /**< Whether there is a key in the index. */
};

/** The indexes of the instance of a scope at a position (row-major). */
void ctr_agentx_unflat(const struct ctr_scope *scope, uint32_t at, uint32_t *index);

/**
 * Prepare.
 *
 * @param made the index
 * @param module the module
 * @param scope number of the scope whose instances have the index
 * @param base number of that whose rows it begins with
 * @param own number of levels behind that
 * @return 0; -EINVAL: there are too many levels
 */
int ctr_agentx_index_init(struct ctr_agentx_index *made, const struct ctr_module *module,
		uint32_t scope, uint32_t base, uint32_t own);

/**
 * The sub-identifiers of the instance at a position.
 *
 * @param of the index
 * @param at the position, less than `total`
 * @param suffix room for CTR_AGENTX_INDEX_MAX
 * @param life NULL, or where to put a number that is another one after each change of its keys
 * @return how many there are; -ENOENT: a key is missing, or what it augments does not exist
 */
int ctr_agentx_index_suffix(const struct ctr_agentx_index *of, uint32_t at, uint32_t *suffix,
		uint64_t *life);

/** The number that ctr_agentx_index_suffix() puts into `life`. */
uint64_t ctr_agentx_index_life(const struct ctr_agentx_index *of, uint32_t at);

/** The first position from `at` on, less than `total`, whose row may be there: what it augments
 * exists. `total` or more if there is none.
 */
uint64_t ctr_agentx_index_next(const struct ctr_agentx_index *of, uint64_t at);

/** Whether what the instance at a position augments exists. */
bool ctr_agentx_index_exists(const struct ctr_agentx_index *of, uint64_t at);

/** A number that is another one after each change of any key in the index. */
uint64_t ctr_agentx_index_changes(const struct ctr_agentx_index *of);

/** Whether rows come and go with their keys alone: who knows all keys knows all rows. */
bool ctr_agentx_index_by_keys(const struct ctr_agentx_index *of);

#endif /* CTR_AGENTX_INDEX_H */
