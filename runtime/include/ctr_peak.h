/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Peaks: the greatest or the least value since the last reset, observed or of a gauge.
 *
 * A word stores a maximum as it is and a minimum as its complement, so both only grow, and 0 is no
 * observation. Any number of threads observe, read and reset; none blocks another. Without an
 * observation a maximum is 0 and a minimum the greatest value; the peak of a gauge is at least the
 * gauge. */
#ifndef CTR_PEAK_H
#define CTR_PEAK_H

#include "ctr_word.h"

/* ---- words that a reset or a drain restarts; nothing here locks ---- */

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

/** Begin a new epoch with the baseline @p now; returns the count of the former epoch, also across
 * a wrap. One resetter at a time, in a write section of the epoch (ctr_read_ctx.h). */
static inline uint64_t
ctr_rebase64(uint64_t *base, uint64_t now)
{
	uint64_t before = *base;

	ctr_store64(base, now);
	return now - before;
}

/* ---- values within their range ---- */

/** @p value, clamped to its bounds. */
static inline uint64_t
ctr_bound(uint64_t value, uint64_t minimum, uint64_t maximum)
{
	if (value < minimum)
		return minimum;
	return value > maximum ? maximum : value;
}

/** The value of a gauge that models @p raw, a signed quantity: cut to its range while it is beyond
 * a bound (RFC 2578, 7.1.7). The quantity itself is never cut. */
static inline uint64_t
ctr_latch(uint64_t raw, uint64_t minimum, uint64_t maximum)
{
	if ((raw >> 63) != 0 || raw < minimum)
		return minimum;
	return raw > maximum ? maximum : raw;
}

/** @cond INTERNAL */
/* A try fails if another thread has raised the word, or a reset has emptied it. */
static inline void
ctr_peak_raise_from(uint64_t *word, uint64_t seen, uint64_t value)
{
	while (ctr_unlikely(value > seen) &&
	       !__atomic_compare_exchange_n(word, &seen, value, true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		continue;
}
/** @endcond */

/* ---- of observed values ---- */

/** Observe @p value for a maximum. Any thread. */
static inline void
ctr_peak_highest(uint64_t *word, uint64_t value)
{
	ctr_peak_raise_from(word, ctr_load64(word), value);
}

/** Observe @p value for a minimum. Any thread. */
static inline void
ctr_peak_lowest(uint64_t *word, uint64_t value)
{
	ctr_peak_highest(word, ~value);
}

/** The value in such a word, cut to @p low and @p high; one of these without an observation.
 * With @p restart a new epoch begins: each value is in one of the two. */
static inline uint64_t
ctr_peak_read(uint64_t *word, bool lowest, uint64_t low, uint64_t high, bool restart)
{
	const uint64_t stored = restart ? ctr_exchange64(word) : ctr_load64(word);

	return ctr_bound(lowest ? ~stored : stored, low, high);
}

/* ---- of a gauge ---- */

/* A change of a gauge then loads the peak; a reset of the peak then loads the gauge. All four
 * accesses are SEQ_CST, so one of the two sees the other. */

/** Add to a gauge that has peaks; returns the new value. Any thread. */
static inline uint64_t
ctr_gauge_add(uint64_t *gauge, uint64_t n)
{
	return __atomic_add_fetch(gauge, n, __ATOMIC_SEQ_CST);
}

/** Subtract from a gauge that has peaks; returns the new value. Any thread. */
static inline uint64_t
ctr_gauge_sub(uint64_t *gauge, uint64_t n)
{
	return __atomic_sub_fetch(gauge, n, __ATOMIC_SEQ_CST);
}

/** Set a gauge that has peaks; returns @p v. Any thread. */
static inline uint64_t
ctr_gauge_set(uint64_t *gauge, uint64_t v)
{
	__atomic_store_n(gauge, v, __ATOMIC_SEQ_CST);
	return v;
}

/** After a change of its gauge to @p now: store it if it is the greatest. */
static inline void
ctr_mark_highest(uint64_t *mark, uint64_t now)
{
	ctr_peak_raise_from(mark, __atomic_load_n(mark, __ATOMIC_SEQ_CST), now);
}

/** After a change of its gauge to @p now: store it if it is the least. */
static inline void
ctr_mark_lowest(uint64_t *mark, uint64_t now)
{
	ctr_mark_highest(mark, ~now);
}

/** The peak of a gauge from @p low to @p high. With @p restart a new one begins with the gauge. */
static inline uint64_t
ctr_mark_read(uint64_t *mark, const uint64_t *gauge, bool lowest, uint64_t low, uint64_t high,
	      bool restart)
{
	uint64_t stored, now;

	if (restart) {
		stored = __atomic_exchange_n(mark, 0, __ATOMIC_SEQ_CST);
		now = ctr_latch(__atomic_load_n(gauge, __ATOMIC_SEQ_CST), low, high);
		ctr_mark_highest(mark, lowest ? ~now : now);
	} else {
		stored = ctr_load64(mark);
		now = ctr_latch(ctr_load64(gauge), low, high);
	}
	return lowest ? ctr_bound(~stored, low, now) : ctr_bound(stored, now, high);
}

#endif /* CTR_PEAK_H */
