/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Read-side retry protocol: a read is of one generation of an instance and of one reset epoch.
 * Resets, creations and ends are write sections of the instance's epoch, a sequence counter that
 * is written under the control lock. A reader validates it after its last load, over all copies. If
 * it fails too often, it takes the control lock, so every read ends. Updates do not use epochs. */
#ifndef CTR_READ_CTX_H
#define CTR_READ_CTX_H

#include "ctr_bits.h"
#include "ctr_control.h"
#include "ctr_seqcount.h"
#include "ctr_word.h"

/** Number of epochs of a scope; an instance has that of its position modulo this number. */
#define CTR_EPOCH_STRIPES 64u
/** Failed reads of an instance after which a reader takes the control lock. */
#define CTR_READ_RETRIES 64u
/** Retries for a further writer, in a call that has reached the limit for one writer. */
#define CTR_READ_RETRIES_BRIEF 16u

/** State of an instance of a dynamic scope. */
enum ctr_life {
	CTR_LIFE_FREE,    /**< Never created, or reclaimed; or reserved: then its bit is set. */
	CTR_LIFE_LIVE,    /**< It exists. */
	CTR_LIFE_RETIRED, /**< It is retired and not yet reclaimed. */
	CTR_LIFE_AWAITED  /**< Likewise, and a caller waits for its final counts. */
};

/** FIFO of positions, linked by the members `next` of records. */
struct ctr_fifo {
	uint32_t first; /**< The first position + 1; 0: the FIFO is empty. */
	uint32_t last;  /**< The last position + 1. */
};

/** Usage of a dynamic scope; written under the control lock, read by any thread. */
struct ctr_occupancy {
	uint32_t instances; /**< Instances that exist. */
	uint64_t refused;   /**< Creations that found no free index, or no memory. */
} CTR_CACHE_ALIGNED;

/** The epochs of a scope's instances. */
struct ctr_epochs {
	/** Odd while a reset, a creation or an end is in progress. */
	uint32_t seq[CTR_EPOCH_STRIPES];
} CTR_CACHE_ALIGNED;

/** Begin a write section of an epoch; under the control lock. The fence and that of
 * ctr_read_retry() are in one order: a reader that has seen a count which this section does not
 * load finds the epoch changed. A fence with release would let loads overtake the first store. */
static inline void
ctr_epoch_write_begin(uint32_t *epoch)
{
	ctr_add32(epoch, 1);
	ctr_fence(__ATOMIC_SEQ_CST);
}

/** End a write section of an epoch. */
static inline void
ctr_epoch_write_end(uint32_t *epoch)
{
	ctr_seq_write_end(epoch);
}

/** One call that reads, of one or of many instances; on the caller's stack. */
struct ctr_read_ctx {
	struct ctr_control *control; /**< What excludes changes of epochs. */
	const uint32_t *epoch;      /**< That of the present instance. */
	uint32_t begin;              /**< Its value when the present try began. */
	uint32_t tries;              /**< Failed tries on the present instance. */
	bool locked;                 /**< Whether the present try has the control lock. */
	bool retries_exhausted;      /**< Whether the call gave up waiting for a writer. */
};

/** Begin a call. */
static inline void
ctr_read_ctx_init(struct ctr_read_ctx *reading, struct ctr_control *control)
{
	memset(reading, 0, sizeof(*reading));
	reading->control = control;
}

/** Begin to read an instance. */
static inline void
ctr_read_begin(struct ctr_read_ctx *reading, const uint32_t *epoch)
{
	reading->epoch = epoch;
	reading->tries = 0;
	reading->begin = ctr_seq_read_begin(epoch);
}

CTR_C_BEGIN
/** Begin the next try; false: the last try had the control lock. */
bool ctr_read_retry_slow(struct ctr_read_ctx *reading);
CTR_C_END

/** Whether what was loaded since ctr_read_begin() must be loaded again. */
static inline bool
ctr_read_retry(struct ctr_read_ctx *reading)
{
	ctr_fence(__ATOMIC_SEQ_CST);
	if (ctr_likely((reading->begin & 1) == 0 && ctr_load32(reading->epoch) == reading->begin &&
		       !reading->locked))
		return false;
	return ctr_read_retry_slow(reading);
}

/** Wait for a writer, at most @p limit times; false: limit reached. A call waits long only once. */
static inline bool
ctr_read_wait(struct ctr_read_ctx *reading, unsigned int *tries, unsigned int limit)
{
	if (reading->retries_exhausted && limit > CTR_READ_RETRIES_BRIEF)
		limit = CTR_READ_RETRIES_BRIEF;
	if (*tries >= limit) {
		reading->retries_exhausted = true;
		return false;
	}
	ctr_spin_wait(tries);
	return true;
}

/* ---- grace periods of memory that is read without a lock ---- */

/** Reads in progress, each in the counter of its phase, which changes when the other one is 0,
 * as in SRCU: when each has been 0 once, all reads from before have ended. Zero-initialise. */
struct ctr_srcu {
	struct ctr_padded32 phase;     /**< The counter that new reads use. */
	struct ctr_padded64 inside[2]; /**< How many reads are in progress. */
};

/** A grace period of memory that was unpublished: of lcores (ctr_quiescent.h) and of reads. */
struct ctr_grace {
	uint64_t token; /**< Token of ctr_quiescent_start(). */
	bool outside[2]; /**< Whether a counter of reads has been 0 since. */
};

CTR_C_BEGIN

/** Start a grace period for objects that the caller has unpublished. One thread at a time. */
void ctr_grace_start(struct ctr_grace *grace);

/** Whether the grace period has elapsed; never waits. One thread at a time for each @p readers. */
bool ctr_grace_elapsed(struct ctr_grace *grace, struct ctr_srcu *readers);

CTR_C_END

/** Begin to read; the result is for ctr_srcu_read_unlock(). Any thread; never waits. */
static inline uint32_t
ctr_srcu_read_lock(struct ctr_srcu *readers)
{
	uint32_t phase = ctr_load32(&readers->phase.word);

	/* This, ctr_srcu_dereference() and the fence of ctr_grace_start() are in one order. */
	(void)__atomic_fetch_add(&readers->inside[phase].word, 1, __ATOMIC_SEQ_CST);
	return phase;
}

/** End a read: the caller does not use the objects that it found any more. */
static inline void
ctr_srcu_read_unlock(struct ctr_srcu *readers, uint32_t phase)
{
	(void)__atomic_fetch_sub(&readers->inside[phase].word, 1, __ATOMIC_RELEASE);
}

/** Load a pointer to memory that may be retired; NULL: unlinked. The memory is initialised. */
#define ctr_srcu_dereference(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)

#endif /* CTR_READ_CTX_H */
