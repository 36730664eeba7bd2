/* SPDX-License-Identifier: BSD-3-Clause */
/** @file Judges instances for ctr_watch.c. Not installed. */
#ifndef CTR_WATCH_JUDGE_H
#define CTR_WATCH_JUDGE_H

#include "ctr_watch.h"

/** Instances of one read section: resets, and writers under strategies with a lock, wait for it. */
#define CTR_WATCH_ROWS 256u

/** Maximum number of nested scopes. */
#define CTR_WATCH_LEVELS 16u

/** A notification, and what is known of each instance. */
struct ctr_watch_followed {
	const struct ctr_notification *what; /**< The notification. */
	uint32_t number; /**< Its number in the module. */
	uint8_t *flags;  /**< What is known; 0: it did not exist when it was evaluated last. */
	uint64_t *last;  /**< Value of a counter, else NULL. */
	uint32_t *since; /**< Tick from which on the condition holds; 0: it does not. Or NULL. */
	uint32_t *told;  /**< Ticks when it was told, `most` of each; 0: never. Or NULL. */
	uint32_t share;  /**< How often this pass may still tell. */
	uint32_t first;  /**< This pass tells nothing of instances before it. */
	uint32_t next;   /**< The same for the next pass. */
	bool stopped;    /**< Whether @ref next is where this pass could tell no more. */
	bool told_some;  /**< Whether this pass has told anything. */
	bool held;       /**< Whether this pass has held something back. */
	bool waits;      /**< Whether the last one did. */
	uint32_t starved; /**< Passes before this one that held something back, and told nothing. */
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
	bool torn;        /**< Its values do not belong together: they are not judged. */
	uint64_t jump_ns; /**< When it was reset or created last; 0: never. */
	uint32_t index[CTR_WATCH_LEVELS]; /**< Its indexes. */
};

struct ctr_watch {
	struct ctr_watch_group *group;   /**< What is evaluated. */
	uint32_t num_groups;             /**< Length of @ref group. */
	ctr_watch_fn tell;               /**< Who is told. */
	void *context;                   /**< For them. */
	uint64_t zero_ns;                /**< When ticks began. */
	uint32_t most;                   /**< How much is told in a second; 0: no limit. */
	uint32_t oldest;                 /**< The oldest element of @ref told_ns. */
	uint64_t *told_ns;               /**< When what was told last was, `most` times. */
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

/** Judge an instance by its value struct of `now_ns`; it was read at `before_ns` before, or 0. */
void ctr_watch_judge(struct ctr_watch *watch, const struct ctr_watch_group *group,
		struct ctr_watch_followed *followed, const struct ctr_watch_row *row,
		const uint8_t *value, uint64_t before_ns, uint64_t now_ns);

/** A pass of a group begins: share out what may be told among those that have something. */
void ctr_watch_limit_begin(const struct ctr_watch *watch, struct ctr_watch_group *group);

/** A pass of a group has ended. */
void ctr_watch_limit_end(struct ctr_watch_group *group);

/** Forget an instance that no longer exists. */
void ctr_watch_forget(struct ctr_watch *watch, const struct ctr_watch_followed *followed,
		uint32_t at);

#endif /* CTR_WATCH_JUDGE_H */
