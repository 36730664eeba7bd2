/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Quiescence with an epoch and a word for each lcore. Include ctr_quiescent.h instead.
 */
#ifndef CTR_QUIESCENT_POSIX_H
#define CTR_QUIESCENT_POSIX_H

#include "ctr_word.h"

/** What an lcore has reported last, on a line of its own. */
struct ctr_quiescent_slot {
	uint64_t epoch; /**< Epoch of the last report; 0: takes no part. */
} __attribute__((aligned(2 * CTR_CACHE_LINE)));

CTR_C_BEGIN

/** The epoch, on a line of its own: moments are counted from 1. Use ctr_quiescent(). */
extern struct ctr_quiescent_slot ctr_quiescent_epoch;
/** By lcore id. Use ctr_quiescent(). */
extern struct ctr_quiescent_slot ctr_quiescent_slots[CTR_MAX_LCORE];

/** The calling lcore takes part from now on. No effect without an lcore id. */
void ctr_quiescent_online(void);

/** @cond INTERNAL */
/* The thread with an lcore id gives it back, or is not in this child of fork(). */
void ctr_quiescent_leave(unsigned int lcore);
/** @endcond */

CTR_C_END

/** Report a quiescent state, once a burst; online (again). Never waits. No effect without an lcore
 * id. */
static inline void
ctr_quiescent(void)
{
	unsigned int lcore = ctr_lcore_id();
	uint64_t *word;

	if (lcore >= CTR_MAX_LCORE)
		return;
	word = &ctr_quiescent_slots[lcore].epoch;
	/* Acquire: what was retired before the epoch. Release: uses before the report. */
	if (__builtin_expect(*word != 0, 1))
		__atomic_store_n(word,
				 __atomic_load_n(&ctr_quiescent_epoch.epoch, __ATOMIC_ACQUIRE),
				 __ATOMIC_RELEASE);
	else
		ctr_quiescent_online();
}

#endif /* CTR_QUIESCENT_POSIX_H */
