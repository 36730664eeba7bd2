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
#include "ctr_word.h"

/** Enter the write section. The caller must exclude other writers. */
static inline void
ctr_seq_write_begin(uint32_t *seq)
{
	ctr_add32(seq, 1);
	/* The odd count is visible before anything written in the section. */
	ctr_fence(__ATOMIC_RELEASE);
}

/** Leave the write section. */
static inline void
ctr_seq_write_end(uint32_t *seq)
{
#if CTR_ASM_X86_64
	/* Stores are seen in their order; the compiler must keep it. */
	__asm__ volatile("add{l}\t{$1, %0|%0, 1}" : "+m"(*seq) : : "cc", "memory");
#else
	__atomic_store_n(seq, *seq + 1, __ATOMIC_RELEASE);
#endif
}

#if CTR_ASM_AARCH64
/** Stores before it are seen before stores after it. C11 has no such fence. */
#define CTR_ASM_FENCE_STORES() __asm__ volatile("dmb ishst" : : : "memory")
#endif

/**
 * Enter the write section of an update, which only stores: the words that it loads are written by
 * nobody else. So it is enough to order stores, which on arm64 costs less than to order what was
 * loaded as well, and leaves no store with release on which later loads with acquire would wait.
 * Where there is no fence for stores alone, this is ctr_seq_write_begin().
 */
static inline void
ctr_seq_update_begin(uint32_t *seq)
{
#if CTR_ASM_AARCH64
	ctr_add32(seq, 1);
	CTR_ASM_FENCE_STORES();
#else
	ctr_seq_write_begin(seq);
#endif
}

/** Leave the write section of an update. */
static inline void
ctr_seq_update_end(uint32_t *seq)
{
#if CTR_ASM_AARCH64
	CTR_ASM_FENCE_STORES();
	ctr_add32(seq, 1);
#else
	ctr_seq_write_end(seq);
#endif
}

/**
 * End the write section of a writer that is gone. The caller must know that there is no other;
 * it sees what that writer wrote, if that ended before.
 */
static inline void
ctr_seq_repair(uint32_t *seq)
{
	if ((__atomic_load_n(seq, __ATOMIC_RELAXED) & 1) != 0)
		ctr_seq_write_end(seq);
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
	ctr_fence(__ATOMIC_ACQUIRE);
	return (begin & 1) != 0 || __atomic_load_n(seq, __ATOMIC_RELAXED) != begin;
}

#endif /* CTR_SEQCOUNT_H */
