/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The rows of one table of the agent: which exist, in the order of their OIDs. Not
 * installed.
 */
#ifndef CTR_AGENTX_ROWS_H
#define CTR_AGENTX_ROWS_H

#include "ctr_agentx_view.h"

/** A row whose index is a key, or one that the application gives. */
struct ctr_agentx_row {
	uint32_t at;     /**< Position of the instance. */
	uint32_t length; /**< Length of the index. */
	size_t suffix;   /**< Where the index is in the pool. */
	uint64_t life;   /**< Of the key: ctr_agentx_index_life(). */
	uint64_t start;  /**< Orders rows that begin differently, once it is set. */
};

/** The rows of a group. */
struct ctr_agentx_rows {
	struct ctr_agentx_source *source; /**< The scope of the rows. */
	ctr_agentx_map_fn map;         /**< Index of an instance; NULL: key, or position + 1. */
	bool keyed;                    /**< Whether the index is a key. */
	uint64_t total;                /**< Number of possible instances. */
	uint64_t cap;                  /**< Maximum number of rows. */
	uint64_t limit;                /**< Positions from here on are beyond the cap. */
	uint64_t checked_ns;           /**< When `limit` or `row` was made; 0 for never. */
	uint64_t rest_ns;              /**< How long that stays so. */
	unsigned int changes;          /**< Value of the counter of changes at that time. */
	uint64_t keys;                 /**< Likewise of those of keys. */
	struct ctr_agentx_row *row;    /**< Of a mapped or keyed table, sorted by index. */
	size_t num_rows, max_rows;     /**< Used and available elements of @ref row. */
	uint32_t *pool;                /**< Their indexes. */
	size_t used, max_pool;         /**< Used and available elements of @ref pool. */
};

/** A place among the rows. */
struct ctr_agentx_place {
	uint32_t at;                           /**< Position of the instance. */
	uint32_t length;                       /**< Length of the index. */
	uint64_t life;                         /**< Of its key. */
	uint32_t suffix[CTR_AGENTX_INDEX_MAX]; /**< The index. */
};

/** Prepare. */
void ctr_agentx_rows_init(struct ctr_agentx_rows *rows, struct ctr_agentx_source *source,
		uint32_t cap, ctr_agentx_map_fn map);

/** Free what there is. */
void ctr_agentx_rows_fini(struct ctr_agentx_rows *rows);

/** Update the rows, if they may have changed. */
void ctr_agentx_rows_refresh(struct ctr_agentx_rows *rows, unsigned int changes);

/**
 * The first existing row whose index is greater than `key` (`inclusive`: or equal to
 * it); taken from `view` if that is complete.
 *
 * @return whether there is one
 */
bool ctr_agentx_rows_next(const struct ctr_agentx_rows *rows, const struct ctr_agentx_view *view,
		const uint32_t *key, uint32_t length, bool inclusive,
		struct ctr_agentx_place *place);

#endif /* CTR_AGENTX_ROWS_H */
