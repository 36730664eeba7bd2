/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The view of a request: the values from which the agent answers all parts of one
 * request of a manager. Each value is read once. Not installed.
 */
#ifndef CTR_AGENTX_VIEW_H
#define CTR_AGENTX_VIEW_H

#include "ctr_agentx_index.h"

/** Maximum number of requests in progress, each with its own view. */
#define CTR_AGENTX_BURSTS 4u

/** Maximum number of rows of one table that are cached for a request. */
#define CTR_AGENTX_KEPT 4096u

/** A row of a view. */
struct ctr_agentx_kept {
	uint32_t at;    /**< Position of the instance. */
	uint32_t value; /**< Number of its value; UINT32_MAX: it does not exist. */
	uint64_t discontinuity_ns; /**< As in the scope's table; 0: none. */
	uint64_t life;             /**< Of its key: ctr_agentx_index_life(). */
};

/** The values of an instance. */
struct ctr_agentx_values {
	const uint8_t *value; /**< Its value struct. */
	uint64_t discontinuity_ns;     /**< As in the scope's table; 0: none. */
	uint64_t life;                 /**< Of the key that it had: ctr_agentx_index_life(). */
};

/** Rows of a scope as one request sees them. */
struct ctr_agentx_view {
	uint64_t burst;  /**< For which request they were read. */
	bool whole;      /**< Whether all existing rows are in it. */
	uint32_t num;    /**< Used elements of @ref row. */
	uint32_t max;    /**< Available elements of @ref row, and of the values but for one. */
	struct ctr_agentx_kept *row; /**< By position. */
	uint8_t *values;             /**< Value structs, in the order in which they were read. */
};

/** A scope that is served. */
struct ctr_agentx_source {
	const struct ctr_module *module; /**< Its module. */
	const struct ctr_scope *scope;   /**< The scope. */
	struct ctr_agentx_index index;   /**< What its rows are called. */
	uint64_t total;                  /**< Number of possible instances. */
	bool small;                      /**< Read as a whole when a request begins. */
	uint64_t *discontinuity_ns;                 /**< Times of discontinuities, or NULL. */
	struct ctr_agentx_view view[CTR_AGENTX_BURSTS]; /**< One for each request. */
};

/** All that is served. */
struct ctr_agentx_sources {
	struct ctr_agentx_source *source; /**< The sources of a module are adjacent. */
	uint32_t num;                     /**< Length of @ref source. */
};

/** A request in progress. */
struct ctr_agentx_burst {
	int64_t transaction; /**< The master's number. */
	long session;        /**< The session with the master. */
	uint64_t number;     /**< Ours; 0 for none. */
	uint64_t used_ns;    /**< When it was last answered. */
	uint64_t wide;  /**< Bytes that its answers to GETNEXT of type Counter64 take at least. */
	uint64_t other; /**< The same of its other answers to GETNEXT. */
};

/** Requests in progress. Zero-initialise. */
struct ctr_agentx_bursts {
	uint64_t last; /**< Number of the newest. */
	struct ctr_agentx_burst slot[CTR_AGENTX_BURSTS]; /**< One slot for each. */
};

/** Free the memory of a source. */
void ctr_agentx_source_fini(struct ctr_agentx_source *source);

/** Decide which sources are small: CTR_AGENTX_VIEW rows of a module, the first scopes first. */
void ctr_agentx_choose_small(struct ctr_agentx_sources *sources);

/** The slot of a request; for a new request, the least recently used slot. */
uint32_t ctr_agentx_burst(struct ctr_agentx_bursts *bursts, int64_t transaction, long session,
		uint64_t now);

/**
 * Get the view of a source for a request. The first call of a request reads all rows
 * of the small sources of the module in one read section.
 */
struct ctr_agentx_view *ctr_agentx_view(const struct ctr_agentx_sources *sources,
		struct ctr_agentx_source *source, const struct ctr_agentx_bursts *bursts,
		uint32_t slot);

/**
 * The values of an instance, the same in all parts of a request; false if it does not
 * exist. Valid until the next call for this view. Inside read_lock().
 */
bool ctr_agentx_view_row(struct ctr_agentx_view *view, const struct ctr_agentx_source *source,
		uint32_t at, struct ctr_agentx_values *values);

/** Position of the first row of a complete view from `at` on, or UINT32_MAX. */
uint32_t ctr_agentx_view_next(const struct ctr_agentx_view *view, uint64_t at);

#endif /* CTR_AGENTX_VIEW_H */
