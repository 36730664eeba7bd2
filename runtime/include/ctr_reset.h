/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Words that begin anew: what a reset does, and a drain. Modulo 2^width; nothing here locks.
 */
#ifndef CTR_RESET_H
#define CTR_RESET_H

#include "ctr_word.h"

/* ---- words of 64 bits ---- */

/** Set a word that several threads write to 0; returns its old value. Loses no update. */
static inline uint64_t
ctr_exchange64(uint64_t *word)
{
	return __atomic_exchange_n(word, 0, __ATOMIC_RELAXED);
}

/** Set a word to 0 that no other thread writes at the same time; returns its old value. */
static inline uint64_t
ctr_take64(uint64_t *word)
{
	uint64_t old = ctr_load64(word);

	ctr_store64(word, 0);
	return old;
}

/** Begin a new period with the baseline @p now; returns what was counted in the former one, across
 * a wrap. One resetter at a time, in a write section of the period (ctr_reading.h). */
static inline uint64_t
ctr_rebase64(uint64_t *base, uint64_t now)
{
	uint64_t before = *base;

	ctr_store64(base, now);
	return now - before;
}

/* ---- words of 32 bits ---- */

/** Set a word that several threads write to 0; returns its old value. Loses no update. */
static inline uint32_t
ctr_exchange32(uint32_t *word)
{
	return __atomic_exchange_n(word, 0, __ATOMIC_RELAXED);
}

/** Set a word to 0 that no other thread writes at the same time; returns its old value. */
static inline uint32_t
ctr_take32(uint32_t *word)
{
	uint32_t old = ctr_load32(word);

	ctr_store32(word, 0);
	return old;
}

/** The same of 32 bits. */
static inline uint32_t
ctr_rebase32(uint32_t *base, uint32_t now)
{
	uint32_t before = *base;

	ctr_store32(base, now);
	return now - before;
}

#endif /* CTR_RESET_H */
