/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Sets of slots as the library opens and closes them (ctr_slots.h).
 */
#ifndef CTR_SLOTS_SET_H
#define CTR_SLOTS_SET_H

#include "ctr_slots.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As ctr_slots_open(); @p size is that of struct ctr_slots where the caller was compiled. */
int ctr_slots_open_sized(struct ctr_slots *slots, size_t size);

/**
 * Prevent slots from being added to any open set until ctr_slots_unlock(). Use: to
 * change all existing slots in the way in which `up` initialises later ones. In
 * between, do not open or close a set, and do not register or unregister the
 * thread. Does not wait for any `down`.
 */
void ctr_slots_lock(void);

/** Permit again that slots are added. */
void ctr_slots_unlock(void);

/**
 * Whether nobody writes any more to what was taken out of use in the slot of an lcore id, at a
 * moment that has passed (ctr_quiescent_passed()): its thread reports, or nobody has the id. Not so
 * of CTR_NON_LCORE, and of a thread that has never reported. While a set is open; any thread.
 */
bool ctr_slots_quiet(unsigned int lcore);

/**
 * Whether there is a slot of an lcore id, or of CTR_NON_LCORE, in any open set by lcore id: it is,
 * or was, in use. Any thread.
 */
bool ctr_slots_known(unsigned int lcore);

/** Free all slots; no thread may use them any more. Idempotent. */
void ctr_slots_close(struct ctr_slots *slots);

#ifdef __cplusplus
}
#endif

/**
 * Allocate the slots of the lcores in use and the shared one.
 *
 * @return 0; -EPROTO if the caller was compiled for another CTR_MAX_LCORE than the
 *   runtime; -ENOMEM, or the error of `up`; on an error no memory stays allocated
 */
static inline int
ctr_slots_open(struct ctr_slots *slots)
{
	const int rc = ctr_slots_open_sized(slots, sizeof(*slots));

	if (rc != 0)
		slots->cpus = 0;
	return rc;
}

#endif /* CTR_SLOTS_SET_H */
