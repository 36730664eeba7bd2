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

#ifdef __cplusplus
}
#endif

#endif /* CTR_QUIESCENT_H */
