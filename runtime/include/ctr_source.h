/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Items that are not stored: generated code computes them in a read (docs/schema.md). */
#ifndef CTR_SOURCE_H
#define CTR_SOURCE_H

#include "ctr_control.h"
#include "ctr_module.h"

/** @p a - @p b, modulo 2^width (32 or 64); 0 for the upper half, which is negative. */
static inline uint64_t
ctr_difference(uint64_t a, uint64_t b, unsigned int width)
{
	const uint64_t by = width == 32 ? (a - b) & UINT32_MAX : a - b;

	return by >> (width - 1) != 0 ? 0 : by;
}

/** @p of * @p scale / @p to, which is not 0; at most UINT64_MAX. */
static inline uint64_t
ctr_ratio(uint64_t of, uint64_t to, uint64_t scale)
{
	__extension__ typedef unsigned __int128 ctr_u128;
	const ctr_u128 ratio = (ctr_u128)of * scale / to;

	return ratio > UINT64_MAX ? UINT64_MAX : (uint64_t)ratio;
}

/** The last sample of a counter, and the rate up to then. */
struct ctr_rate_sample {
	uint64_t time_ns; /**< ctr_time_ns() before it was read, or when samples were dropped. */
	uint64_t value;   /**< The counter at that time. */
	uint64_t rate;    /**< Rate of the counter, per second, up to that time. */
	bool sampled;     /**< Whether there is a sample. */
	bool known;       /**< Whether there is a rate. */
};

/** The rates of a scope. */
struct ctr_rates {
	struct ctr_control lock;         /**< Protects the samples. */
	struct ctr_rate_sample *samples; /**< @ref num per instance; NULL before a read. */
	uint32_t instances;              /**< Maximum number of instances. */
	uint32_t num;                    /**< Number of rates of an instance. */
};

/** External items of a scope: last values and baselines, which reads and resets use in the same
 * reset epoch as counters. */
struct ctr_sourced {
	struct ctr_control querying; /**< Held while a device or the application is queried. */
	struct ctr_control lock;   /**< Protects @ref words; no other lock is taken under it. */
	uint64_t *words;           /**< By instance; NULL before the first value. */
	uint32_t instances;        /**< Maximum number of instances. */
	uint32_t num;              /**< Number of such items of an instance. */
	uint32_t bases;            /**< Number of baselines of each item. */
	uint64_t provider;         /**< Number of the present provider; each has a different one. */
};

/** A callback of the application that reports items of a scope. */
struct ctr_provider {
	void (*call)(void); /**< Its type is in the generated header; NULL: none. */
	void *ctx;          /**< Its argument. */
	bool busy;          /**< Whether it is running. */
};

CTR_C_BEGIN

/** Get the rate per second of a counter that was read at @p time_ns, and sample it if the last
 * sample is a window older. After a decrease there is no rate for a window. Whether there is a
 * rate; also false without memory. Any thread. */
bool ctr_rates_read(struct ctr_rates *rates, uint32_t at, uint32_t which, uint64_t value,
		    uint64_t time_ns, uint64_t window_ns, uint64_t *rate);

/** Drop the samples of an instance that was created or reset just now. Any thread. */
void ctr_rates_forget(struct ctr_rates *rates, uint32_t at);

/** Drop all samples. No thread may use the rates. */
void ctr_rates_restart(struct ctr_rates *rates);

/** Free the samples. No thread may use the rates. */
void ctr_rates_free(struct ctr_rates *rates);

CTR_C_END

#endif /* CTR_SOURCE_H */
