/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Copies that begin with a sequence count of their writer (ctr_seqcount.h).
 *
 * A thread without an lcore id writes to a copy that others may write, too, so it takes a lock; for
 * its updates are these calls.
 */
#ifndef CTR_SEQ_COPY_H
#define CTR_SEQ_COPY_H

#include "ctr_others.h"
#include "ctr_seqcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The operations of `per_core_seqcount`. */
extern const struct ctr_strategy ctr_strategy_per_core_seqcount;

/** Begin an update of @p copy under its lock, on a thread without an lcore id. Spins. */
void ctr_seq_other_enter(struct ctr_spin *lock, void *copy) CTR_COLD;
/** End it. */
void ctr_seq_other_leave(struct ctr_spin *lock, void *copy) CTR_COLD;

#ifdef __cplusplus
}
#endif

#endif /* CTR_SEQ_COPY_H */
