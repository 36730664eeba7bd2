/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Loads, stores and adds on the words that hold counters, gauges and states: plain uint64_t and
 * uint32_t, accessed through compiler builtins, modulo 2^width. Nothing here locks. */
#ifndef CTR_WORD_H
#define CTR_WORD_H

#include "ctr_common.h"

/** A word on its own cache line, as other threads than its readers write to adjacent words. */
struct ctr_padded32 {
	uint32_t word; /**< The word. */
} CTR_CACHE_ALIGNED;

/** The same of 64 bits. */
struct ctr_padded64 {
	uint64_t word; /**< The word. */
} CTR_CACHE_ALIGNED;

/** A flag that updates load and that rarely changes, on its own cache line. */
struct ctr_flag {
	bool set;          /**< The flag. */
	uint64_t since_ns; /**< ctr_time_ns() when it was last set. */
} CTR_CACHE_ALIGNED;

#if CTR_ASM_X86_64
#define CTR_ASM_CHANGE(instruction, constants, word, n, otherwise) \
	__asm__ volatile(instruction "\t{%1, %0|%0, %1}" : "+m"(*(word)) : constants "r"(n) : "cc")
#else
/** One instruction that changes a word of memory, into which compilers do not fold an atomic store.
 * For the compiler it reads and writes the word, so it stays on its side of fences and locks;
 * `volatile` keeps adds in their order. @p constants is `e` for words of 64 bits, `i` for 32 bits.
 */
#define CTR_ASM_CHANGE(instruction, constants, word, n, otherwise) ((void)(otherwise))
#endif

/* ---- words of 64 bits ---- */

/** Load a word that others may be writing; any thread. */
static inline uint64_t
ctr_load64(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/** Store a word that others may be reading; any thread. */
static inline void
ctr_store64(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/** Add to a word that only the calling thread writes. */
static inline void
ctr_add64(uint64_t *word, uint64_t n)
{
	CTR_ASM_CHANGE("add{q}", "e", word, n, __atomic_store_n(word, *word + n, __ATOMIC_RELAXED));
}

/** Subtract from a word that only the calling thread writes. */
static inline void
ctr_sub64(uint64_t *word, uint64_t n)
{
	CTR_ASM_CHANGE("sub{q}", "e", word, n, __atomic_store_n(word, *word - n, __ATOMIC_RELAXED));
}

/** Add to a word that several threads write. */
static inline void
ctr_atomic_add64(uint64_t *word, uint64_t n)
{
	CTR_ASM_CHANGE("lock add{q}", "e", word, n, __atomic_fetch_add(word, n, __ATOMIC_RELAXED));
}

/** Subtract from a word that several threads write. */
static inline void
ctr_atomic_sub64(uint64_t *word, uint64_t n)
{
	CTR_ASM_CHANGE("lock sub{q}", "e", word, n, __atomic_fetch_sub(word, n, __ATOMIC_RELAXED));
}

/* ---- words of 32 bits ---- */

/** Load a word that others may be writing; any thread. */
static inline uint32_t
ctr_load32(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/** Store a word that others may be reading; any thread. */
static inline void
ctr_store32(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/** Add to a word that only the calling thread writes. */
static inline void
ctr_add32(uint32_t *word, uint32_t n)
{
	CTR_ASM_CHANGE("add{l}", "i", word, n, __atomic_store_n(word, *word + n, __ATOMIC_RELAXED));
}

/** Add to a word that several threads write. */
static inline void
ctr_atomic_add32(uint32_t *word, uint32_t n)
{
	CTR_ASM_CHANGE("lock add{l}", "i", word, n, __atomic_fetch_add(word, n, __ATOMIC_RELAXED));
}

/* ---- publication ---- */

/** Load a pointer or a flag that is set after the data it refers to is ready. */
#define ctr_load_acquire(at) __atomic_load_n(at, __ATOMIC_ACQUIRE)

#if CTR_ASM_AARCH64
#define ctr_load_pointer(at)                                                           \
	__extension__({                                                                \
		__typeof__(&**(at)) loaded_ = __atomic_load_n(at, __ATOMIC_RELAXED);   \
		__asm__("" : "+r"(loaded_));                                           \
		loaded_;                                                               \
	})
#else
/** Load a pointer that is set after its data, to access only that data. For updates: on arm64 the
 * address orders the accesses, as a load with acquire would wait for the last store with
 * release. */
#define ctr_load_pointer(at) ctr_load_acquire(at)
#endif

/** Set such a pointer or flag, to publish its data. */
#define ctr_store_release(at, value) __atomic_store_n(at, value, __ATOMIC_RELEASE)

#endif /* CTR_WORD_H */
