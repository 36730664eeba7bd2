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

/** Prevent slots from being added to any open set until ctr_slots_unlock(), to change all existing
 * slots. In between, open or close no set, and register or unregister no thread. */
void ctr_slots_lock(void);

/** Permit again that slots are added. */
void ctr_slots_unlock(void);

/** Whether no thread writes any more to retired instances in the slot of an lcore id, after the
 * grace period: its thread reports, or the id is free. Not so of CTR_NON_LCORE. Any thread. */
bool ctr_slots_quiet(unsigned int lcore);

/** Whether an open set by lcore id has a slot of an lcore id, or of CTR_NON_LCORE. Any thread. */
bool ctr_slots_known(unsigned int lcore);

/** Free all slots; no thread may use them any more. Idempotent. */
void ctr_slots_close(struct ctr_slots *slots);

#ifdef __cplusplus
}
#endif

/** Allocate the slots of the lcores in use and the shared one. 0; -EPROTO if the caller was
 * compiled for another CTR_MAX_LCORE; -ENOMEM; the error of `up`. After an error nothing stays
 * allocated. */
static inline int
ctr_slots_open(struct ctr_slots *slots)
{
	const int rc = ctr_slots_open_sized(slots, sizeof(*slots));

	if (rc != 0)
		slots->cpus = 0;
	return rc;
}

#endif /* CTR_SLOTS_SET_H */
