/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Quiescence: when every lcore has let go of what was taken out of use.
 *
 * An lcore that updates says once a burst that it keeps no index from before. Whoever takes an
 * instance out of use notes the moment and asks later whether all have said so since; then no
 * lcore is in the middle of an update of that instance any more. Nobody ever waits here.
 *
 * ctr_quiescent() reports; ctr_quiescent_offline() and ctr_quiescent_online() are for an lcore
 * that sleeps meanwhile. A thread takes part from its first report until it goes offline or its
 * lcore id goes out of use. A thread without an lcore id takes no part: nothing waits for it, so it
 * must not use what another thread takes out of use meanwhile.
 */
#ifndef CTR_QUIESCENT_H
#define CTR_QUIESCENT_H

#include "ctr_port.h"

#if defined(CTR_PORT_DPDK)
#include "ctr_quiescent_dpdk.h"
#else
#include "ctr_quiescent_posix.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The calling lcore is about to sleep or to block for long: until ctr_quiescent_online() or its
 * next report nobody waits for it, and it must not use any instance, nor hold back any update: call
 * P_flush() of each module before. Does nothing on a thread that takes no part.
 */
void ctr_quiescent_offline(void);

/**
 * A moment, for ctr_quiescent_passed(): what the caller has stored before is seen by every lcore
 * that reports after it. Any thread.
 */
uint64_t ctr_quiescent_start(void);

/**
 * Whether every lcore that takes part has reported since a moment. If so, all that these lcores
 * did before they reported happened before this call returns. Never waits. Any thread.
 *
 * @param moment of ctr_quiescent_start(), called before by this thread, or by one that has handed
 *   the moment over in a synchronized way
 */
bool ctr_quiescent_passed(uint64_t moment);

/**
 * Whether the thread with an lcore id has reported since it got the id, also if it is offline
 * now; of an id that nobody has any answer is possible. Then what it did before that report
 * happened before this call returns. Any thread.
 */
bool ctr_quiescent_reports(unsigned int lcore);

/**
 * Whether the thread with an lcore id takes part at present: it has reported, has the id still and
 * is not offline. That may change at once. Any thread.
 */
bool ctr_quiescent_takes_part(unsigned int lcore);

/** Whether the calling lcore takes part and has reported since @p moment of
 * ctr_quiescent_start(). */
bool ctr_quiescent_since(uint64_t moment);

/** Whether any lcore has ever reported, or the application has handed over its own variable. */
bool ctr_quiescent_used(void);

/**
 * The moment that a report of the calling lcore would be of now; no later than that of its next.
 * It orders nothing: reports do. Any thread.
 */
uint64_t ctr_quiescent_now(void);

/**
 * By lcore id, since when nothing of before is held back: the moment when its lcore last applied
 * all that it held back of one strategy of a module; 0 if it never said so. A report alone does not
 * tell: it may be that of another module.
 */
struct ctr_settled {
	uint64_t moment[CTR_MAX_LCORE]; /**< By lcore id. */
};

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

#endif /* CTR_QUIESCENT_H */
