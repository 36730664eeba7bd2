/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The lock of the control side: resets, creation and removal of instances, and
 * explicit read sections exclude each other. No update ever takes it. A thread
 * that has taken it may take it again.
 */
#ifndef CTR_CONTROL_H
#define CTR_CONTROL_H

#include <pthread.h>

#include "ctr_common.h"

/** A recursive lock whose waiters sleep. Zero-initialise. */
struct ctr_control {
	pthread_mutex_t mutex; /**< Protects everything else. */
	uintptr_t owner;       /**< Identity of the owning thread; 0 while free. */
	uint32_t depth;        /**< How often the owner took it. */
};

/** A free lock. */
#define CTR_CONTROL_INITIALIZER { PTHREAD_MUTEX_INITIALIZER, 0, 0 }

#ifdef __cplusplus
extern "C" {
#endif

/** Take the lock. */
void ctr_control_lock(struct ctr_control *control);
/** Release the lock once. */
void ctr_control_unlock(struct ctr_control *control);
/** Store the present time at a position of a table, if there is one; the lock must be taken. */
void ctr_control_mark(uint64_t *const *discontinuity_ns, uint32_t at);

#ifdef __cplusplus
}
#endif

#endif /* CTR_CONTROL_H */
