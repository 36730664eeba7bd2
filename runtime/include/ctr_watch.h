/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Evaluates the notifications of modules in the thread that calls ctr_watch_run(), with their read
 * functions, and reports to a function of the application. The AgentX subagent (ctr_agentx.h) does
 * this by itself.
 *
 * Memory is allocated by ctr_watch_open() alone: for each notification and each possible instance
 * of its scope 1 byte, 8 more of a counter, 4 more with `for`, and 4 times `count` more with
 * `at_most`; and 8 bytes for the time of the discontinuity of an instance that can be reset or is
 * dynamic. */
#ifndef CTR_WATCH_H
#define CTR_WATCH_H

#include "ctr_module.h"

CTR_C_BEGIN

/** How many notifications are told in a second, at most, unless ctr_watch_limit() says so. */
#ifndef CTR_WATCH_MOST
#define CTR_WATCH_MOST 100u
#endif

/** What happened to an instance. Valid during the call that gets it. */
struct ctr_event {
	const struct ctr_module *module;   /**< The module. */
	uint32_t number;                   /**< Number of the notification in the module. */
	const struct ctr_notification *notification; /**< The notification. */
	bool raised;                       /**< false: it has cleared. */
	uint32_t at;                       /**< Position (row-major) of the instance. */
	const uint32_t *index;             /**< Its indexes, outermost first. */
	const void *values;                /**< Its value struct, as it was read. */
	double seen;                       /**< What was watched: of a counter, units per second. */
};

/** Tells somebody of an event. Called outside of read sections, so it may take its time.
 *
 * @return 0 when it is told; -EAGAIN to be called again at the next evaluation, if what
 *   is to be told is still so then; any other negative number when nobody is to be told */
typedef int (*ctr_watch_fn)(const struct ctr_event *event, void *context);

/** What evaluations have done so far. */
struct ctr_watch_totals {
	uint64_t raised;  /**< Told that were raised. */
	uint64_t cleared; /**< Told that have cleared. */
	uint64_t limited; /**< Raised, and over before a rate limit let them be told. */
	uint64_t lost;    /**< Raised, and over before they could be told. */
	uint64_t passes;  /**< Evaluations of a scope that are complete. */
	uint64_t rows;    /**< Instances that were read for them. */
	uint64_t busy_ns; /**< Time that all of this took. */
};

/** Evaluates the notifications of some modules. */
struct ctr_watch;

/** Prepare to evaluate, after the `_init()` of @p count @p modules; *@p watch is NULL if they have
 * no notifications. @p tell is called with @p context for each event. 0; -EINVAL; -ENOMEM. */
int ctr_watch_open(struct ctr_watch **watch, const struct ctr_module *const *modules,
		unsigned int count, ctr_watch_fn tell, void *context);

/** Set how many notifications are reported in a second, at most, of all instances and modules
 * together, clearing included. Others are reported in later evaluations, if still so. Call it
 * before or between calls of ctr_watch_run(), in the same thread. Takes 8 bytes for each.
 * @param watch of ctr_watch_open(); no effect on NULL
 * @param most how many; 0: no limit. CTR_WATCH_MOST until this is called
 * @return 0; -ENOMEM: the limit is what it was */
int ctr_watch_limit(struct ctr_watch *watch, uint32_t most);

/** Evaluate what is due, at most some ten thousand instances; returns after how many milliseconds
 * to call it again, 0 for at once. Not at the same time in two threads. */
uint32_t ctr_watch_run(struct ctr_watch *watch);

/** Milliseconds until something is due; UINT32_MAX for a NULL watch. In the same thread. */
uint32_t ctr_watch_due(const struct ctr_watch *watch);

/** Totals since ctr_watch_open(). Any thread. All zero for a NULL watch. */
void ctr_watch_totals(const struct ctr_watch *watch, struct ctr_watch_totals *totals);

/** Stop and free it; nothing for NULL. Close what was opened last first. */
void ctr_watch_close(struct ctr_watch *watch);

CTR_C_END

#endif /* CTR_WATCH_H */
