/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Sequence count: one writer, readers that retry and never block it.
 *
 * The data under the count are words accessed with relaxed atomics (ctr_word.h);
 * plain accesses would be a data race. Orders after H.-J. Boehm, "Can seqlocks
 * get along with programming language memory models?" (MSPC 2012).
 */
#ifndef CTR_SEQCOUNT_H
#define CTR_SEQCOUNT_H

#include "ctr_port.h"

/** Enter the write section. The caller must exclude other writers. */
static inline void
ctr_seq_write_begin(uint32_t *seq)
{
	__atomic_store_n(seq, *seq + 1, __ATOMIC_RELAXED);
	/* The odd count is visible before anything written in the section. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

/** Leave the write section. */
static inline void
ctr_seq_write_end(uint32_t *seq)
{
	__atomic_store_n(seq, *seq + 1, __ATOMIC_RELEASE);
}

/**
 * Whether an object exists whose count is 0 before it is first created and odd while it
 * is destroyed: creating ends a write section, destroying begins one.
 */
static inline bool
ctr_seq_lives(uint32_t seq)
{
	return seq != 0 && (seq & 1) == 0;
}

/** Begin a read; returns the count for ctr_seq_read_retry(). Never waits. */
static inline uint32_t
ctr_seq_read_begin(const uint32_t *seq)
{
	return __atomic_load_n(seq, __ATOMIC_ACQUIRE);
}

/** Whether the words that were read since ctr_seq_read_begin() may be torn. */
static inline bool
ctr_seq_read_retry(const uint32_t *seq, uint32_t begin)
{
	/* The words are loaded before the count is loaded again. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return (begin & 1) != 0 || __atomic_load_n(seq, __ATOMIC_RELAXED) != begin;
}

#endif /* CTR_SEQCOUNT_H */
