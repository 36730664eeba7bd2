/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Copies with narrow words (ctr_narrow.h): the strategy `per_core_narrow`.
 *
 * Updates add to a narrow word inline, and call what is here when that is full.
 */
#ifndef CTR_NARROW_COPY_H
#define CTR_NARROW_COPY_H

#include "ctr_narrow.h"
#include "ctr_others.h"

/** What a copy begins with. */
struct ctr_narrow_head {
	uint16_t group;    /**< Which number of landings is that of this copy. */
	uint16_t share;    /**< Bits of a number. */
	uint32_t spilling; /**< Not 0 while its owner spills. */
};

/** How narrow words are cut in two, and where wide words have the numbers of groups. */
struct ctr_narrow_shape {
	uint32_t bits;  /**< Of a narrow word: 32 or 16. */
	uint32_t share; /**< Bits of its number: CTR_NARROW_SHARE(). */
	uint64_t even;  /**< The numbers of even groups. */
	uint64_t odd;   /**< The numbers of odd groups. */
};

/** The numbers of @p groups groups, one in two, from bit 0 on. */
#define CTR_NARROW_EVERY_OTHER(share, groups) \
	(((UINT64_C(1) << (share)) - 1) *     \
	 (((UINT64_C(1) << (2 * (share) * (groups))) - 1) / ((UINT64_C(1) << (2 * (share))) - 1)))

/** The shape of narrow words, a constant initialiser. */
#define CTR_NARROW_SHAPE(bits, share)                                                        \
	{                                                                                    \
		(bits), (share),                                                             \
		CTR_NARROW_EVERY_OTHER(share, (CTR_NARROW_GROUPS(bits, share) + 1) / 2),     \
		CTR_NARROW_EVERY_OTHER(share, CTR_NARROW_GROUPS(bits, share) / 2) << (share) \
	}

/** `own` of such a domain. */
struct ctr_narrow_own {
	struct ctr_narrow_shape shape; /**< That of all words. */
	struct ctr_line32 *copies;     /**< How many copies there are. */
	uint32_t most;                 /**< How many there may be. */
};

#ifdef __cplusplus
extern "C" {
#endif

/** The operations of `per_core_narrow`. */
extern const struct ctr_strategy ctr_strategy_per_core_narrow;

/**
 * Add to a narrow word what ctr_narrow_add32() did not, and move a full unit to the wide word. Of
 * the owner of the copy; waits for no thread.
 *
 * @param copy  that of the caller
 * @param word  the narrow word in it
 * @param sum   the wide word
 * @param n     what was to be added
 */
void ctr_narrow_carry32_64(struct ctr_narrow_head *copy, uint32_t *word, uint64_t *sum,
			   uint64_t n) CTR_COLD;
/** The same from a word of 16 bits. */
void ctr_narrow_carry16_64(struct ctr_narrow_head *copy, uint16_t *word, uint64_t *sum,
			   uint64_t n) CTR_COLD;
/** The same from a word of 16 bits to one of 32. */
void ctr_narrow_carry16_32(struct ctr_narrow_head *copy, uint16_t *word, uint32_t *sum,
			   uint32_t n) CTR_COLD;

/**
 * Add to a word of @p copy on a thread without an lcore id: under its lock, or atomically where the
 * word is as wide as the counter. Spins.
 *
 * @param lock  that of the copy
 * @param copy  the copy
 * @param word  the word in it
 * @param bits  how many it has
 * @param sum   the wide word
 * @param wide  how many that has
 * @param n     the amount
 */
void ctr_narrow_other_add(struct ctr_spin *lock, struct ctr_narrow_head *copy, void *word,
			  unsigned int bits, void *sum, unsigned int wide, uint64_t n) CTR_COLD;

#ifdef __cplusplus
}
#endif

#endif /* CTR_NARROW_COPY_H */
