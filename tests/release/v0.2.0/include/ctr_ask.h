/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Lcores copy what is their own, because another thread asks them to.
 *
 * A reader that copies the counters of an lcore sees them change meanwhile. The lcore itself does
 * not: what it copies between two updates is of one moment. So a reader hands each lcore a place
 * for a copy, and the lcore fills it when it reports the end of a burst. It waits for nothing,
 * takes no lock and allocates nothing; an lcore that nobody asks loads one word, which is not
 * written meanwhile.
 *
 * An lcore may not come: it sleeps, or is gone. So the reader takes a request back that is not
 * accepted yet. Either the lcore accepts a request or the reader takes it back, since both change
 * the same word from the same value; and who has accepted it is waited for. So nobody writes to a
 * place after ctr_asks_wait(), and the reader to none that an lcore may write to.
 */
#ifndef CTR_ASK_H
#define CTR_ASK_H

#include "ctr_port.h"
#include "ctr_word.h"

/** What became of a request. */
enum ctr_ask_state {
	CTR_ASK_NONE,    /**< There is none, or it was taken back: the place is the reader's. */
	CTR_ASK_ASKED,   /**< Nobody has accepted it; the place is nobody's. */
	CTR_ASK_COPYING, /**< The lcore has: the place is the lcore's. */
	CTR_ASK_DONE     /**< The copy is complete: the place is the reader's. */
};

/** The request to one lcore, on a line of its own. */
struct ctr_ask {
	uint32_t state;   /**< An enum ctr_ask_state. */
	void *place;      /**< What to fill; set before the lcore is asked. */
	uint64_t time_ns; /**< ctr_time_ns() when the lcore began to copy. */
} CTR_CACHE_ALIGNED;

/** The requests to all lcores, of one reader at a time. Zero-initialise. */
struct ctr_asks {
	struct ctr_line32 open;           /**< Not 0 while lcores are asked; they look at it. */
	bool busy;                        /**< Whether a reader is there; under its lock. */
	struct ctr_ask of[CTR_MAX_LCORE]; /**< By lcore id. */
};

/** Who made a copy. */
enum ctr_copied_by {
	CTR_COPIED_BY_NOBODY, /**< There is none. */
	CTR_COPIED_BY_OWNER,  /**< The lcore: all counters are of one moment. */
	CTR_COPIED_BY_READER  /**< The reader, one counter after the other. */
};

/** Where a copy of what one lcore has comes from. */
struct ctr_copied {
	uint64_t time_ns; /**< ctr_time_ns() when the copying began. */
	uint32_t by;      /**< An enum ctr_copied_by. */
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Wait until no lcore has a request any more: each has answered, or its request was taken back
 * because it takes no part (ctr_quiescent.h), or because of the time. Of those that copy the end is
 * waited for. Then the state of each is CTR_ASK_NONE or CTR_ASK_DONE. Sleeps meanwhile.
 *
 * @param asks of the one reader
 * @param wait_ns how long to wait for lcores that have not begun to copy, in nanoseconds
 */
void ctr_asks_wait(struct ctr_asks *asks, uint64_t wait_ns);

/** In a child of fork(), in which neither who was asked is, nor the thread that asked them. */
void ctr_asks_mend(struct ctr_asks *asks);

#ifdef __cplusplus
}
#endif

/** Ask an lcore, which has no request. One reader at a time; lcores look when it sets `open`. */
static inline void
ctr_ask_begin(struct ctr_asks *asks, unsigned int lcore, void *place)
{
	asks->of[lcore].place = place;
	ctr_store_release(&asks->of[lcore].state, CTR_ASK_ASKED);
}

/** Whether an lcore has a request, perhaps: a load. Any thread. */
static inline bool
ctr_asked(const struct ctr_asks *asks)
{
	return ctr_load32(&asks->open.word) != 0;
}

/**
 * Accept the request to the calling lcore: it is then to fill the place at once, and to answer.
 *
 * @return the place; NULL without a request, or without an lcore id
 */
static inline void *
ctr_ask_accept(struct ctr_asks *asks, unsigned int lcore)
{
	uint32_t state = CTR_ASK_ASKED;

	if (lcore >= CTR_MAX_LCORE ||
	    !__atomic_compare_exchange_n(&asks->of[lcore].state, &state, CTR_ASK_COPYING, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return NULL;
	asks->of[lcore].time_ns = ctr_time_ns();
	return asks->of[lcore].place;
}

/** Answer: the copy is complete. */
static inline void
ctr_ask_answer(struct ctr_asks *asks, unsigned int lcore)
{
	ctr_store_release(&asks->of[lcore].state, CTR_ASK_DONE);
}

/** Take a request back; false if the lcore has accepted it. For the reader. */
static inline bool
ctr_ask_withdraw(struct ctr_asks *asks, unsigned int lcore)
{
	uint32_t state = CTR_ASK_ASKED;

	return __atomic_compare_exchange_n(&asks->of[lcore].state, &state, CTR_ASK_NONE, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/**
 * Whether an lcore, or CTR_NON_LCORE, has answered, for the reader behind ctr_asks_wait(); then it
 * has no request any more.
 *
 * @param asks of the one reader
 * @param lcore its id
 * @param copied set to who makes the copy, and when: if not the lcore the caller, now
 */
static inline bool
ctr_ask_taken(struct ctr_asks *asks, unsigned int lcore, struct ctr_copied *copied)
{
	const bool done = lcore < CTR_MAX_LCORE &&
			  ctr_load_acquire(&asks->of[lcore].state) == CTR_ASK_DONE;

	if (done)
		ctr_store32(&asks->of[lcore].state, CTR_ASK_NONE);
	copied->by = done ? CTR_COPIED_BY_OWNER : CTR_COPIED_BY_READER;
	copied->time_ns = done ? asks->of[lcore].time_ns : ctr_time_ns();
	return done;
}

/**
 * Copy words that only the calling thread adds to.
 *
 * Another thread may set words of an instance that is created at that time to 0, and then uses
 * nothing of what is copied of it. So sanitizers and model checkers see loads of whole words.
 *
 * @param to memory of the calling thread alone
 * @param from the words
 * @param bytes a multiple of 4
 */
static inline void
ctr_copy_words(void *to, const void *from, size_t bytes)
{
#if CTR_ASM
	memcpy(to, from, bytes);
#else
	uint32_t *word = (uint32_t *)to;
	const uint32_t *own = (const uint32_t *)from;

	for (size_t n = 0; n < bytes / sizeof(*word); n++)
		word[n] = ctr_load32(&own[n]);
#endif
}

#endif /* CTR_ASK_H */
