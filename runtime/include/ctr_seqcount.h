/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Sequence counters: one writer, readers that retry and never block it. Words under it are accessed
 * with relaxed atomics. Orders after H.-J. Boehm, "Can seqlocks get along with programming language
 * memory models?" (MSPC 2012). */
#ifndef CTR_SEQCOUNT_H
#define CTR_SEQCOUNT_H

#include "ctr_port.h"
#include "ctr_word.h"

struct ctr_spin;

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

/** Enter the write section of an update, which only stores what no other thread writes, so ordering
 * stores is enough: on arm64 cheaper than ctr_seq_write_begin(), which this is elsewhere. */
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

/** End the write section of a writer that has ended. There is no other writer. */
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

/* ---- states wider than a word (strings, addresses): set them from control threads ---- */

/** Number of 64-bit words of a cell that holds @p octets octets. */
#define CTR_CELL_WORDS(octets) (((octets) + 7u) / 8u)

CTR_C_BEGIN

/** Set a cell of @p room octets to @p size octets at @p value, then 0. Any thread. */
void ctr_cell_set(uint32_t *seq, uint64_t *words, const void *value, size_t size, size_t room);

/** Set a cell to a string, cut to @p room - 1 octets and terminated; any thread. */
void ctr_cell_set_text(uint32_t *seq, uint64_t *words, const char *text, size_t room);

/** Read a cell; any thread. @p room octets are written to @p out. */
void ctr_cell_get(const uint32_t *seq, const uint64_t *words, void *out, size_t room);

/* ---- copies that begin with such a counter: the strategy `per_core_seqcount` ---- */

/** Begin an update of @p copy under its lock, on a thread without an lcore id. Spins. @p lock is
 * NULL where @p copy is that of the calling lcore. */
void ctr_seq_other_enter(struct ctr_spin *lock, void *copy) CTR_COLD;
/** End it. */
void ctr_seq_other_leave(struct ctr_spin *lock, void *copy) CTR_COLD;

CTR_C_END

#endif /* CTR_SEQCOUNT_H */
