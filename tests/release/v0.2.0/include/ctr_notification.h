/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Descriptors of notifications: conditions of items of which somebody is to be told.
 *
 * They are constants. ctr_watch.h evaluates them; nothing of them is in updates.
 */
#ifndef CTR_NOTIFICATION_H
#define CTR_NOTIFICATION_H

#include "ctr_common.h"

/** When a notification is raised. */
enum ctr_condition {
	CTR_RISES_ABOVE, /**< What is watched is greater than a threshold. */
	CTR_FALLS_BELOW, /**< What is watched is less than a threshold. */
	CTR_BECOMES      /**< A state has one of some values. */
};

/**
 * A notification. What is watched of a counter is its rate, in units per second since the
 * evaluation before; of other items the value.
 */
struct ctr_notification {
	const char *name;        /**< Name in the schema. */
	const char *description; /**< Description in the schema. */
	uint32_t scope;          /**< Number of the scope in the module. */
	uint32_t item;           /**< Number of the item in the scope. */
	enum ctr_condition condition; /**< When it is raised. */
	bool cleared;            /**< Whether somebody is told as well when it has cleared. */
	int64_t raise;           /**< The threshold; of CTR_BECOMES nothing. */
	int64_t clear;           /**< It clears when the value is back past this one. */
	const int32_t *values;   /**< Values of CTR_BECOMES; NULL for others. */
	uint32_t num_values;     /**< Length of @ref values. */
	uint32_t every_s;        /**< Seconds between two evaluations; at least 1. */
	uint32_t lasts_s;        /**< Seconds that the condition must hold before it counts. */
	uint32_t most;           /**< An instance raises it at most so often; 0 for no limit, */
	uint32_t window_s;       /**< in so many seconds. */
};

#endif /* CTR_NOTIFICATION_H */
