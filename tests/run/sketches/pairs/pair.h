/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Two counters side by side that one thread writes: by one store of 16 bytes on x86-64.
 */
#ifndef PAIR_H
#define PAIR_H

#include "ctr_word.h"

#if CTR_ASM_X86_64
/** Two words of 64 bits. */
typedef uint64_t pair_words __attribute__((vector_size(16), may_alias));
#endif

/**
 * Add to two words that only the calling thread writes.
 *
 * @param pair the first of them, at a multiple of 16 bytes
 */
static inline void
pair_add(uint64_t *pair, uint64_t first, uint64_t second)
{
#if CTR_ASM_X86_64
	pair_words sum = { first, second };

	/* The compiler would be free to store the halves by themselves. */
	sum += *(pair_words *)pair;
	__asm__ volatile("movdqa %1, %0" : "=m"(*(pair_words *)pair) : "x"(sum));
#else
	ctr_add64(&pair[0], first);
	ctr_add64(&pair[1], second);
#endif
}

#endif /* PAIR_H */
