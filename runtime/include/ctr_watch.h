/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Evaluates the notifications of modules in the thread that calls ctr_watch_run(), with their read
 * functions, and passes events to a callback of the application. The AgentX subagent (ctr_agentx.h)
 * does this by itself.
 *
 * ctr_watch_run() allocates nothing. ctr_watch_open() allocates, for each notification and possible
 * instance of its scope, 1 byte, 8 more for a counter, 4 more with `for`, and 4 times `count` more
 * with `at_most`; and 8 bytes for the time of the last discontinuity of each instance that can be
 * reset or is dynamic. */
#ifndef CTR_WATCH_H
#define CTR_WATCH_H

#include "ctr_module.h"

CTR_C_BEGIN

/** Most notifications sent in a second; ctr_watch_limit() sets another limit. */
#ifndef CTR_WATCH_MOST
#define CTR_WATCH_MOST 100u
#endif

/** A notification raised or cleared by an instance. Valid during the callback. */
struct ctr_event {
	const struct ctr_module *module;   /**< The module. */
	uint32_t number;                   /**< Number of the notification in the module. */
	const struct ctr_notification *notification; /**< The notification. */
	bool raised;                       /**< false: it has cleared. */
	uint32_t at;                       /**< Position (row-major) of the instance. */
	const uint32_t *index;             /**< Its indexes, outermost first. */
	const void *values;                /**< Its value struct, as it was read. */
	double seen;                       /**< Watched value: of a counter, units per second. */
};

/** Callback that sends a notification. Called outside of read sections, so it may block.
 * @return 0: sent; -EAGAIN: call again at the next evaluation, if the event still applies then; any
 *   other negative number: do not send it */
typedef int (*ctr_watch_fn)(const struct ctr_event *event, void *context);

/** Totals of all evaluations. */
struct ctr_watch_totals {
	uint64_t raised;  /**< Raised notifications sent. */
	uint64_t cleared; /**< Cleared notifications sent. */
	uint64_t limited; /**< Raised, and over before a rate limit permitted sending. */
	uint64_t lost;    /**< Raised, and over before they could be sent. */
	uint64_t passes;  /**< Completed evaluations of a scope. */
	uint64_t rows;    /**< Instances read in evaluations. */
	uint64_t busy_ns; /**< Time spent in evaluations. */
};

/** Evaluates the notifications of some modules. */
struct ctr_watch;

/** Prepare to evaluate, after the `_init()` of @p count @p modules; *@p watch is NULL if they have
 * no notifications. @p tell is called with @p context for each event. 0; -EINVAL; -ENOMEM. */
int ctr_watch_open(struct ctr_watch **watch, const struct ctr_module *const *modules,
		unsigned int count, ctr_watch_fn tell, void *context);

/** Limit the notifications sent in a second, raised or cleared, of all instances and modules. Those
 * over the limit are sent in later evaluations, if they still apply. Call it before or between
 * calls of ctr_watch_run(), in the same thread. Allocates 8 bytes for each.
 * @param watch of ctr_watch_open(); no effect on NULL
 * @param most the limit; 0: none. CTR_WATCH_MOST until this is called
 * @return 0; -ENOMEM: the limit is unchanged */
int ctr_watch_limit(struct ctr_watch *watch, uint32_t most);

/** Evaluate due notifications, of at most some ten thousand instances. Returns the milliseconds
 * until the next call; 0: call again at once. Not MT-safe. */
uint32_t ctr_watch_run(struct ctr_watch *watch);

/** Milliseconds until an evaluation is due; UINT32_MAX for NULL. In the same thread. */
uint32_t ctr_watch_due(const struct ctr_watch *watch);

/** Totals since ctr_watch_open(). Any thread. All zero for a NULL watch. */
void ctr_watch_totals(const struct ctr_watch *watch, struct ctr_watch_totals *totals);

/** Stop and free it; no effect on NULL. Close in reverse order of opening. */
void ctr_watch_close(struct ctr_watch *watch);

CTR_C_END

#endif /* CTR_WATCH_H */
