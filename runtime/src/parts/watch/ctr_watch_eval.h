/* SPDX-License-Identifier: BSD-3-Clause */
/** @file Evaluates the conditions of notifications for ctr_watch.c. Not installed. */
#ifndef CTR_WATCH_JUDGE_H
#define CTR_WATCH_JUDGE_H

#include "ctr_values.h"
#include "ctr_watch.h"

/** Instances of one read section: resets, and writers under strategies with a lock, wait for it. */
#define CTR_WATCH_ROWS 256u

/** A notification, and its state for each instance. */
struct ctr_watch_followed {
	const struct ctr_notification *what; /**< The notification. */
	uint32_t number; /**< Its number in the module. */
	void *memory;    /**< Of the next four. */
	uint8_t *flags;  /**< State of each instance; 0: none at the last evaluation. */
	uint64_t *last;  /**< Value of a counter; unused for others. */
	uint32_t *since; /**< Tick from which on the condition holds; 0: it does not. Or NULL. */
	uint32_t *sent_ticks; /**< Ticks of notifications sent, `most` of each; 0: none. Or NULL. */
	uint32_t share;  /**< Notifications that this pass may still send. */
	uint32_t first;  /**< First instance that this pass may notify. */
	uint32_t next;   /**< The same for the next pass. */
	bool stopped;    /**< Whether @ref next is the first deferred instance of this pass. */
	bool held;       /**< Whether this pass has deferred a notification. */
	bool waits;      /**< Whether the previous pass did. */
	uint64_t sent;   /**< Number of the one sent last, while there is a limit; 0: none. */
};

/** The notifications of a scope that are evaluated at the same time. */
struct ctr_watch_group {
	const struct ctr_module *module; /**< The module. */
	const struct ctr_scope *scope;   /**< The scope. */
	struct ctr_watch_followed *followed; /**< The notifications. */
	uint32_t num_followed;           /**< Length of @ref followed. */
	uint64_t every_ns;               /**< Time from one pass to the next. */
	uint64_t total;                  /**< Possible instances. */
	uint64_t *read_ns;               /**< When each section was read last; 0: never. */
	uint64_t *discontinuity_ns;      /**< Of each instance; NULL: there are none. */
	bool runs;                       /**< Whether a pass has begun and is not complete. */
	uint64_t next_ns;                /**< When the next one begins. */
	uint64_t at;                     /**< How far this one is. */
	uint64_t ahead;                  /**< No instance exists from @ref at to here. */
};

/** An instance that was read. */
struct ctr_watch_row {
	uint32_t at;      /**< Its position. */
	bool torn;        /**< Its values are not mutually consistent and are not evaluated. */
	uint64_t discontinuity_ns; /**< Its last discontinuity: reset or creation; 0: none. */
	uint32_t index[CTR_INDEXES_MAX]; /**< Its indexes. */
};

struct ctr_watch {
	struct ctr_watch_group *group;   /**< Groups of notifications. */
	uint32_t num_groups;             /**< Length of @ref group. */
	ctr_watch_fn tell;               /**< Sends a notification. */
	void *context;                   /**< Argument of @ref tell. */
	uint64_t zero_ns;                /**< Time of tick 1. */
	uint64_t sent;                   /**< How many were sent while there was a limit. */
	uint32_t most;                   /**< Limit of notifications in a second; 0: none. */
	uint32_t oldest;                 /**< The oldest element of @ref sent_ns. */
	uint64_t *sent_ns;               /**< Times of the last `most` notifications: a ring. */
	uint8_t *values;                 /**< Value structs of a section. */
	struct ctr_watch_totals totals;  /**< Atomic, written by one thread. */
	struct ctr_watch_row row[CTR_WATCH_ROWS]; /**< The rows of a section. */
};

/** Add to one of the totals. */
static inline void
ctr_watch_count(uint64_t *total, uint64_t more)
{
	__atomic_store_n(total, *total + more, __ATOMIC_RELAXED);
}

/** Evaluate an instance by its value struct of `now_ns`; `before_ns`: the previous read, or 0. */
void ctr_watch_eval(struct ctr_watch *watch, const struct ctr_watch_group *group,
		struct ctr_watch_followed *followed, const struct ctr_watch_row *row,
		const uint8_t *value, uint64_t before_ns, uint64_t now_ns);

/** Begin a pass of a group: share the limit among the notifications that wait. */
void ctr_watch_limit_begin(const struct ctr_watch *watch, struct ctr_watch_group *group);

/** Clear the state of an instance that no longer exists. */
void ctr_watch_forget(struct ctr_watch *watch, const struct ctr_watch_followed *followed,
		uint32_t at);

#endif /* CTR_WATCH_JUDGE_H */
