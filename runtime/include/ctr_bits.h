/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Bitmaps by position, of existing instances and of torn baselines; and first checks of updates.
 * One writer at a time, under the control lock; readers and updates at any time. */
#ifndef CTR_BITS_H
#define CTR_BITS_H

#include "ctr_word.h"

/** Whether bit @p at is set; then earlier stores are visible. Any thread. On arm64 with a fence of
 * loads, as a load with acquire would wait for the last store with release. */
static inline bool
ctr_bit(const uint64_t *bits, uint32_t at)
{
#if CTR_ASM_AARCH64
	uint64_t word = ctr_load64(&bits[at / 64]);

	__asm__ volatile("dmb ishld" : : : "memory");
#else
	uint64_t word = ctr_load_acquire(&bits[at / 64]);
#endif
	return (word >> at % 64 & 1) != 0;
}

/** Set a bit; under the control lock. */
static inline void
ctr_bit_set(uint64_t *bits, uint32_t at)
{
	ctr_store_release(&bits[at / 64], bits[at / 64] | UINT64_C(1) << at % 64);
}

/** Clear a bit; under the control lock. */
static inline void
ctr_bit_clear(uint64_t *bits, uint32_t at)
{
	ctr_store_release(&bits[at / 64], bits[at / 64] & ~(UINT64_C(1) << at % 64));
}

/** Set or clear a bit; under the control lock. */
static inline void
ctr_bit_put(uint64_t *bits, uint32_t at, bool set)
{
	if (set)
		ctr_bit_set(bits, at);
	else
		ctr_bit_clear(bits, at);
}

/** The first bit from @p at on that is set, with @p flip UINT64_MAX clear; @p size: none. */
static inline uint32_t
ctr_bit_find(const uint64_t *bits, uint32_t at, uint32_t size, uint64_t flip)
{
	uint32_t word = at / 64;
	uint64_t left;

	if (at >= size)
		return size;
	left = (ctr_load_acquire(&bits[word]) ^ flip) & (UINT64_MAX << at % 64);
	while (left == 0) {
		if (++word > (size - 1) / 64)
			return size;
		left = ctr_load_acquire(&bits[word]) ^ flip;
	}
	at = word * 64 + (uint32_t)__builtin_ctzll(left);
	return at < size ? at : size;
}

/** The first set bit from @p at on, or @p size if there is none. Any thread. */
static inline uint32_t
ctr_bit_next(const uint64_t *bits, uint32_t at, uint32_t size)
{
	return ctr_bit_find(bits, at, size, 0);
}

/** Pass @p n updates to @p note if one of their indexes is @p outside its range; returns that. */
static inline bool
ctr_update_outside(bool outside, void (*note)(uint64_t n), uint64_t n)
{
	if (ctr_unlikely(outside)) {
		note(n);
		return true;
	}
	return false;
}

/** Whether @p n updates are of a nonexistent instance; then passes them to @p note. */
static inline bool
ctr_update_unborn(const uint64_t *live, uint32_t at, void (*note)(uint64_t n), uint64_t n)
{
	return ctr_update_outside(!ctr_bit(live, at), note, n);
}

/** Whether @p n updates are of a module that is not initialised; then passes them to @p note. */
static inline bool
ctr_update_early(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t n)
{
	return ctr_update_outside(!ready->set, note, n);
}

/** Add to a gauge in the common part; of a module that is not initialised, pass 1 to @p note. */
static inline void
ctr_ready_add64(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t *word, uint64_t n)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_atomic_add64(word, n);
}

/** Subtract from one, likewise. */
static inline void
ctr_ready_sub64(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t *word, uint64_t n)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_atomic_sub64(word, n);
}

/** Set one, or a state, likewise. */
static inline void
ctr_ready_set64(const struct ctr_flag *ready, void (*note)(uint64_t n), uint64_t *word, uint64_t v)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_store64(word, v);
}

/** Set a state of 32 bits, likewise. */
static inline void
ctr_ready_set32(const struct ctr_flag *ready, void (*note)(uint64_t n), uint32_t *word, uint32_t v)
{
	if (!ctr_update_early(ready, note, 1))
		ctr_store32(word, v);
}

#endif /* CTR_BITS_H */
