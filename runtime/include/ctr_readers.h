/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Grace periods of memory that lcores update and readers read without a lock.
 *
 * A thread that frees memory unpublishes it first, and begins a struct ctr_grace. Lcores report
 * quiescence (ctr_quiescent.h). Each read counts itself in one of two counters, that of the phase,
 * which changes when the other is 0, as in SRCU. Reads that begin later do not find the memory; so
 * when each counter has been 0 once since, all reads from before have ended.
 */
#ifndef CTR_READERS_H
#define CTR_READERS_H

#include "ctr_port.h"
#include "ctr_word.h"

/** The reads that are under way. Zero-initialise. */
struct ctr_readers {
	struct ctr_line32 phase;     /**< The counter that new reads use. */
	struct ctr_line64 inside[2]; /**< How many reads are under way. */
};

/** What was taken out of sight at a moment, and who has moved on since. */
struct ctr_grace {
	uint64_t moment; /**< Since when the lcores are to report. */
	bool outside[2]; /**< Whether a counter of reads has been 0 since. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Begin to wait for all that may use what the caller has just unpublished. One thread at a time. */
void ctr_grace_begin(struct ctr_grace *grace);

/** Whether the grace period has elapsed; never waits. One thread at a time for each @p readers. */
bool ctr_grace_passed(struct ctr_grace *grace, struct ctr_readers *readers);

/** In a child of fork(), where only the calling thread is left, which does not read. */
void ctr_readers_mend(struct ctr_readers *readers);

#ifdef __cplusplus
}
#endif

/** Begin to read, before the first ctr_readers_load(); the result is for ctr_readers_leave(). Any
 * thread; never waits. */
static inline uint32_t
ctr_readers_enter(struct ctr_readers *readers)
{
	uint32_t phase = ctr_load32(&readers->phase.word);

	/* This, ctr_readers_load() and the fence of ctr_grace_begin() are in one order. */
	(void)__atomic_fetch_add(&readers->inside[phase].word, 1, __ATOMIC_SEQ_CST);
	return phase;
}

/** End to read: the caller uses nothing any more that it found. */
static inline void
ctr_readers_leave(struct ctr_readers *readers, uint32_t phase)
{
	(void)__atomic_fetch_sub(&readers->inside[phase].word, 1, __ATOMIC_RELEASE);
}

/** Load a pointer to what may be given back; NULL if it is out of sight. What is there is ready. */
#define ctr_readers_load(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)

#endif /* CTR_READERS_H */
