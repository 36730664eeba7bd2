/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Loads, stores and adds on the words that hold counters, gauges and states.
 *
 * Words are plain uint64_t and uint32_t, accessed through compiler builtins, so
 * that the same source builds as C11 and C++17 and with every DPDK since 22.11.
 * All arithmetic is modulo 2^width. Nothing here locks.
 */
#ifndef CTR_WORD_H
#define CTR_WORD_H

#include "ctr_common.h"

/** Where a counter is in the structs of its scope, in bytes from their beginnings. */
struct ctr_field {
	uint32_t value;  /**< In the struct of values. */
	uint32_t data;   /**< In the storage. */
	uint32_t offset; /**< In the counts at the last reset, if they are kept. */
};

/** The initialiser of a ctr_field: member @p m of three structs. */
#define CTR_FIELD(values, data, offsets, m)                                 \
	{ offsetof(struct values, m), offsetof(struct data, m), offsetof(struct offsets, m) }

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

/**
 * Add to a word that only the calling thread writes.
 *
 * The load is plain on purpose: it costs nothing, and a race detector then
 * reports any second writer.
 */
static inline void
ctr_add64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

/** Subtract from a word that only the calling thread writes. */
static inline void
ctr_sub64(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word - n, __ATOMIC_RELAXED);
}

/** Add to a word that several threads write. */
static inline void
ctr_atomic_add64(uint64_t *word, uint64_t n)
{
	(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

/** Subtract from a word that several threads write. */
static inline void
ctr_atomic_sub64(uint64_t *word, uint64_t n)
{
	(void)__atomic_fetch_sub(word, n, __ATOMIC_RELAXED);
}

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

/**
 * What was counted since the last reset.
 *
 * The offset is loaded with acquire before the count. ctr_rebase64() loads the
 * count before it publishes the offset with release, so the count seen here is
 * never older than the offset; the difference is right across a wrap. The offset
 * must not have changed after the count was loaded: a reader that was preempted
 * in between would return the sum of several periods. Waits for nobody: a retry
 * means that another reset completed.
 */
static inline uint64_t
ctr_since64(const uint64_t *count, const uint64_t *offset)
{
	uint64_t base, now;

	do {
		base = __atomic_load_n(offset, __ATOMIC_ACQUIRE);
		now = __atomic_load_n(count, __ATOMIC_ACQUIRE);
	} while (ctr_load64(offset) != base);
	return now - base;
}

/**
 * Reset by offset; returns what was counted from the last reset up to @p now. A
 * thread that sees a later update of the calling thread sees the offset, too.
 *
 * @param offset written by one resetter at a time
 * @param now a value that was loaded from the count
 */
static inline uint64_t
ctr_rebase64(uint64_t *offset, uint64_t now)
{
	uint64_t base = *offset;

	__atomic_store_n(offset, now, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	return now - base;
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

/**
 * Add to a word that only the calling thread writes.
 *
 * The load is plain on purpose: it costs nothing, and a race detector then
 * reports any second writer.
 */
static inline void
ctr_add32(uint32_t *word, uint32_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

/** Add to a word that several threads write. */
static inline void
ctr_atomic_add32(uint32_t *word, uint32_t n)
{
	(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

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

/**
 * What was counted since the last reset.
 *
 * The offset is loaded with acquire before the count. ctr_rebase32() loads the
 * count before it publishes the offset with release, so the count seen here is
 * never older than the offset; the difference is right across a wrap. The offset
 * must not have changed after the count was loaded: a reader that was preempted
 * in between would return the sum of several periods. Waits for nobody: a retry
 * means that another reset completed.
 */
static inline uint32_t
ctr_since32(const uint32_t *count, const uint32_t *offset)
{
	uint32_t base, now;

	do {
		base = __atomic_load_n(offset, __ATOMIC_ACQUIRE);
		now = __atomic_load_n(count, __ATOMIC_ACQUIRE);
	} while (ctr_load32(offset) != base);
	return now - base;
}

/**
 * Reset by offset; returns what was counted from the last reset up to @p now. A
 * thread that sees a later update of the calling thread sees the offset, too.
 *
 * @param offset written by one resetter at a time
 * @param now a value that was loaded from the count
 */
static inline uint32_t
ctr_rebase32(uint32_t *offset, uint32_t now)
{
	uint32_t base = *offset;

	__atomic_store_n(offset, now, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	return now - base;
}

/* ---- gauges and publication ---- */

/**
 * The value of a gauge that models @p raw, a signed quantity, within its range.
 *
 * RFC 2578 section 7.1.7: while the modelled quantity is beyond a bound, the gauge has
 * the value of the bound; then it follows the quantity again. The quantity itself is
 * never clamped.
 */
static inline uint64_t
ctr_latch(uint64_t raw, uint64_t minimum, uint64_t maximum)
{
	if ((raw >> 63) != 0 || raw < minimum)
		return minimum;
	return raw > maximum ? maximum : raw;
}

/** Load a pointer or a flag that is set after the data it refers to is ready. */
#define ctr_load_acquire(at) __atomic_load_n(at, __ATOMIC_ACQUIRE)

/** Set such a pointer or flag: publish that the data is ready. */
#define ctr_store_release(at, value) __atomic_store_n(at, value, __ATOMIC_RELEASE)

#endif /* CTR_WORD_H */
