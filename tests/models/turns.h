/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Included in front of every source of a model that runs in turns (turns.c): what accesses words
 * that threads share gives way first, so that each order of such accesses can be run. An add that
 * is not atomic is a load and a store, with a turn between.
 *
 * Accesses are sequentially consistent then. That is all there is to see of read-modify-writes that
 * need no order, each of one word; it says nothing of orders.
 */
#ifndef TURNS_H
#define TURNS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#define ctr_load32 turns_of_load32
#define ctr_load64 turns_of_load64
#define ctr_add64 turns_of_add64
#define ctr_atomic_add64 turns_of_atomic_add64
#define ctr_exchange64 turns_of_exchange64
#define ctr_take64 turns_of_take64
#include "ctr_word.h"
#undef ctr_load32
#undef ctr_load64
#undef ctr_add64
#undef ctr_atomic_add64
#undef ctr_exchange64
#undef ctr_take64

/** Give way, if the word at @p address is one that threads share. */
void turns_step(const void *address);

static inline uint32_t
ctr_load32(const uint32_t *word)
{
	uint32_t now = turns_of_load32(word);

	/* Who has looked acts upon it later. */
	turns_step(word);
	return now;
}

static inline uint64_t
ctr_load64(const uint64_t *word)
{
	turns_step(word);
	return turns_of_load64(word);
}

static inline void
ctr_add64(uint64_t *word, uint64_t n)
{
	uint64_t now = ctr_load64(word);

	turns_step(word);
	ctr_store64(word, now + n);
}

static inline void
ctr_atomic_add64(uint64_t *word, uint64_t n)
{
	turns_step(word);
	turns_of_atomic_add64(word, n);
}

static inline uint64_t
ctr_exchange64(uint64_t *word)
{
	turns_step(word);
	return turns_of_exchange64(word);
}

static inline uint64_t
ctr_take64(uint64_t *word)
{
	uint64_t now = ctr_load64(word);

	turns_step(word);
	ctr_store64(word, 0);
	return now;
}

#endif /* TURNS_H */
