/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Adds to two counters that one thread writes.
 */
#ifndef PAIR_H
#define PAIR_H

#include "ctr_word.h"

/** Add to two words that only the calling thread writes. */
static inline void
pair_add(uint64_t *first, uint64_t n, uint64_t *second, uint64_t m)
{
	ctr_add64(first, n);
	ctr_add64(second, m);
}

#endif /* PAIR_H */
