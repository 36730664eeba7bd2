/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Who may still be in memory that is to be given back: lcores that update, and reads.
 *
 * Whoever gives memory back takes it out of sight first, and begins a struct ctr_grace. When it has
 * passed, all that could still use the memory have ended. Nobody waits for that: one asks again.
 *
 * Lcores report quiescence (ctr_quiescent.h). Reads take no lock and report nothing, so each counts
 * itself in one of two counters while it runs. Whoever reads after the memory is out of sight does
 * not find it. So when each counter has been 0 at some moment since, all reads from before have
 * ended. The phase says which counter a read is to use, and is changed when the other one is 0: so
 * each gets there, however many reads there are. A read that is late, and uses the counter of the
 * former phase, is counted as well: which counter it is matters to nobody but the reads after it.
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

/**
 * Begin to wait for all that may have found what the caller has just taken out of sight, by a store
 * to each pointer to it. One thread at a time.
 *
 * @param grace what is to be asked
 */
void ctr_grace_begin(struct ctr_grace *grace);

/**
 * Whether all of them have moved on; then what they did happened before this call returns. Never
 * waits. One thread at a time for each @p readers.
 */
bool ctr_grace_passed(struct ctr_grace *grace, struct ctr_readers *readers);

/** In a child of fork(), where only the calling thread is left, which does not read. */
void ctr_readers_mend(struct ctr_readers *readers);

#ifdef __cplusplus
}
#endif

/**
 * Begin to read, before the first ctr_readers_load(). Any thread; never waits.
 *
 * @return what ctr_readers_leave() is to be told
 */
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
