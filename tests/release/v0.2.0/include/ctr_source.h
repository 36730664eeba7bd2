/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Items that are not stored: what generated code needs to work them out when it reads an instance.
 *
 * None of this is on the path of updates. docs/sources.md says what such items mean.
 */
#ifndef CTR_SOURCE_H
#define CTR_SOURCE_H

#include "ctr_control.h"
#include "ctr_module.h"

/**
 * How much greater @p a is than @p b: modulo 2^width, so that counters that have wrapped differ by
 * as much as before. What would be negative, as the upper half is then, is 0.
 *
 * @param a, b   numbers of @p width bits, or sums of such
 * @param width  32 or 64
 */
static inline uint64_t
ctr_difference(uint64_t a, uint64_t b, unsigned int width)
{
	const uint64_t by = width == 32 ? (a - b) & UINT32_MAX : a - b;

	return by >> (width - 1) != 0 ? 0 : by;
}

/**
 * @p of times @p scale divided by @p to, cut to a whole number. Exact, as it is worked out in 128
 * bits; UINT64_MAX where it is greater than that.
 *
 * @param of     any number
 * @param to     not 0
 * @param scale  from 1
 */
static inline uint64_t
ctr_ratio(uint64_t of, uint64_t to, uint64_t scale)
{
	__extension__ typedef unsigned __int128 ctr_u128;
	const ctr_u128 ratio = (ctr_u128)of * scale / to;

	return ratio > UINT64_MAX ? UINT64_MAX : (uint64_t)ratio;
}

/** @p value, or the bound that it is beyond. */
static inline uint64_t
ctr_bound(uint64_t value, uint64_t minimum, uint64_t maximum)
{
	if (value < minimum)
		return minimum;
	return value > maximum ? maximum : value;
}

/** What a rate goes by: the last sample of its counter, and the rate up to then. */
struct ctr_rate_sample {
	uint64_t time_ns; /**< ctr_time_ns() before it was read, or when all was forgotten. */
	uint64_t value;   /**< The counter at that time. */
	uint64_t rate;    /**< Of the counter, per second, up to that time. */
	bool sampled;     /**< Whether there is a sample. */
	bool known;       /**< Whether there is a rate. */
};

/** The rates of a scope. */
struct ctr_rates {
	struct ctr_control lock;         /**< Protects the samples. */
	struct ctr_rate_sample *samples; /**< @ref num of each instance; NULL before a read. */
	uint32_t instances;              /**< How many instances there can be. */
	uint32_t num;                    /**< How many rates each has. */
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Give the rate of a counter that has just been read, and take that for a sample if the last one is
 * at least a window older. Any thread.
 *
 * A counter that went back begins anew: until a window later there is no rate.
 *
 * @param rates      the rates of the scope
 * @param at         position of the instance
 * @param which      number of the rate, from 0
 * @param value      the counter
 * @param time_ns    ctr_time_ns() before that was read
 * @param window_ns  least time between samples
 * @param[out] rate  the rate per second, cut to a whole number; left alone without one
 * @return whether there is a rate; false without memory, too
 */
bool ctr_rates_read(struct ctr_rates *rates, uint32_t at, uint32_t which, uint64_t value,
		    uint64_t time_ns, uint64_t window_ns, uint64_t *rate);

/** Forget the samples of an instance that was created or reset just now. Any thread. */
void ctr_rates_forget(struct ctr_rates *rates, uint32_t at);

/** Forget all samples. No thread may use the rates. */
void ctr_rates_anew(struct ctr_rates *rates);

/** Free the samples. No thread may use the rates. */
void ctr_rates_free(struct ctr_rates *rates);

#ifdef __cplusplus
}
#endif

#endif /* CTR_SOURCE_H */
