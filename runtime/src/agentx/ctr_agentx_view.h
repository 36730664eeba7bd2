/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What the agent answers one request of a manager from: values that it read once,
 * however the master cuts the request up. Not installed.
 */
#ifndef CTR_AGENTX_VIEW_H
#define CTR_AGENTX_VIEW_H

#include "ctr_agentx.h"

/** Requests of managers that can be under way at a time, each with its own view. */
#define CTR_AGENTX_BURSTS 4u

/** Rows of one table that are kept for the rest of a request. */
#define CTR_AGENTX_KEPT 4096u

/** Most levels of scopes. */
#define CTR_AGENTX_LEVELS 16u

/** A row of a view. */
struct ctr_agentx_kept {
	uint32_t at;    /**< Position of the instance. */
	uint32_t value; /**< Which of the values; UINT32_MAX: it does not exist. */
	uint64_t discontinuity_ns; /**< When it was reset or created. */
};

/** What is known of an instance. */
struct ctr_agentx_values {
	const uint8_t *value; /**< Its value struct. */
	uint64_t discontinuity_ns;     /**< ctr_time_ns() of its last reset or creation; 0 for none. */
};

/** Rows of a scope as one request sees them. */
struct ctr_agentx_view {
	uint64_t burst;  /**< For which request they were read. */
	bool whole;      /**< All rows are here that there were. */
	uint32_t num;    /**< Used elements of @ref row. */
	uint32_t max;    /**< Available elements of @ref row, and of the values but for one. */
	struct ctr_agentx_kept *row; /**< By position. */
	uint8_t *values;             /**< Value structs, in the order in which they were read. */
};

/** A scope that is served. */
struct ctr_agentx_source {
	const struct ctr_module *module; /**< Whose it is. */
	const struct ctr_scope *scope;   /**< The scope. */
	uint64_t total;                  /**< Instances that there can be. */
	bool small;                      /**< Read as a whole when a request begins. */
	uint64_t *discontinuity_ns;                 /**< Moments of resets, or NULL. */
	struct ctr_agentx_view view[CTR_AGENTX_BURSTS]; /**< One for each request. */
};

/** All that is served. */
struct ctr_agentx_sources {
	struct ctr_agentx_source *source; /**< Those of a module are neighbours. */
	uint32_t num;                     /**< Length of @ref source. */
};

/** Requests that are under way. Zero-initialise. */
struct ctr_agentx_bursts {
	uint64_t last; /**< Number of the newest. */
	struct {
		int64_t transaction; /**< The master's number. */
		long session;        /**< The session with the master. */
		uint64_t number;     /**< Ours; 0 for none. */
		uint64_t used_ns;    /**< When it was last answered. */
	} slot[CTR_AGENTX_BURSTS]; /**< A place for the views of each. */
};

/** The indexes of the instance at a position. */
void ctr_agentx_unflat(const struct ctr_scope *scope, uint32_t at, uint32_t *index);

/** Free what a source holds. */
void ctr_agentx_source_fini(struct ctr_agentx_source *source);

/** Decide which sources are small: CTR_AGENTX_VIEW rows of a module, the first scopes first. */
void ctr_agentx_choose_small(struct ctr_agentx_sources *sources);

/** The slot of a request; that of the one that rested longest for a new one. */
uint32_t ctr_agentx_burst(struct ctr_agentx_bursts *bursts, int64_t transaction, long session,
		uint64_t now);

/**
 * Have a view of a source, and of the other ones of its module, for a request: the
 * first time, all rows of the small ones are read in one read section.
 */
struct ctr_agentx_view *ctr_agentx_view(const struct ctr_agentx_sources *sources,
		struct ctr_agentx_source *source, const struct ctr_agentx_bursts *bursts,
		uint32_t slot);

/**
 * The values of an instance, the same for all of a request; false if it did not
 * exist. Valid until the next call for this view. Inside read_lock().
 */
bool ctr_agentx_view_row(struct ctr_agentx_view *view, const struct ctr_agentx_source *source,
		uint32_t at, struct ctr_agentx_values *values);

/** Position of the first row of a whole view at or behind `at`, or UINT32_MAX. */
uint32_t ctr_agentx_view_next(const struct ctr_agentx_view *view, uint64_t at);

#endif /* CTR_AGENTX_VIEW_H */
