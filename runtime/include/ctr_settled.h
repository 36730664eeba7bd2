/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Strategies that hold back updates tell when they have applied them: an instance that ends is
 * settled when every lcore has told so since.
 */
#ifndef CTR_SETTLED_H
#define CTR_SETTLED_H

#include "ctr_quiescent.h"

/**
 * By lcore id, since when nothing of before is held back: the moment when its lcore last applied
 * all that it held back of one strategy of a module; 0 if it never said so. A report alone does not
 * tell: it may be that of another module.
 */
struct ctr_settled {
	uint64_t moment[CTR_MAX_LCORE]; /**< By lcore id. */
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Whether every lcore that takes part, and has ever told, has told since a moment that it has
 * applied what it held back. Never waits. Any thread.
 */
bool ctr_settled_since(const struct ctr_settled *settled, uint64_t moment);

#ifdef __cplusplus
}
#endif

/** The calling lcore is going to tell, so who ends something waits for it. No moment is 1. */
static inline void
ctr_settled_begin(struct ctr_settled *settled)
{
	const unsigned int lcore = ctr_lcore_id();

	if (lcore < CTR_MAX_LCORE &&
	    __builtin_expect(__atomic_load_n(&settled->moment[lcore], __ATOMIC_RELAXED) == 0, 0))
		__atomic_store_n(&settled->moment[lcore], 1, __ATOMIC_RELAXED);
}

/**
 * The calling lcore has applied all that it held back at @p now of ctr_quiescent_now(), and reports
 * before it holds back more.
 */
static inline void
ctr_settled_tell(struct ctr_settled *settled, uint64_t now)
{
	__atomic_store_n(&settled->moment[ctr_lcore_id()], now, __ATOMIC_RELEASE);
}

/** The thread with an lcore id goes, or comes: nothing of it is held back. */
static inline void
ctr_settled_leave(struct ctr_settled *settled, unsigned int lcore)
{
	if (lcore < CTR_MAX_LCORE)
		__atomic_store_n(&settled->moment[lcore], 0, __ATOMIC_RELEASE);
}

#endif /* CTR_SETTLED_H */
