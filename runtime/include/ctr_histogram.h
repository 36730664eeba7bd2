/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Histograms: a row of counters, one for each bucket, and one for the sum of all values. */
#ifndef CTR_HISTOGRAM_H
#define CTR_HISTOGRAM_H

#include "ctr_common.h"

/** Counter @p n, an lvalue, of a row of @p type whose first is @p member of struct @p object. */
#define CTR_NTH(type, object, member, n)                                                \
	(*(type *)(void *)((char *)&(object) +                                          \
			   (size_t)((char *)&(object).member - (char *)&(object)) + \
			   (n) * sizeof(type)))

/** Fail the compilation unless the buckets from @p first to @p last, number @p n, are a row. */
#define CTR_ASSERT_ROW(type, first, last, n, size)                                     \
	CTR_STATIC_ASSERT(offsetof(type, last) == offsetof(type, first) + (n) * (size), \
			  "the buckets of " #first " are a row")

/** The bucket of a value if bounds double: the number of the @p bounds bounds 2^power,
 * 2^(power + 1) ... below it. power + bounds is at most 63. */
static inline size_t
ctr_histogram_log2(uint64_t value, unsigned int power, unsigned int bounds)
{
	/* With the bound 1, a digit more, as 0 has none to be found. */
	const unsigned int more = power == 0 ? 1 : 0;
	const uint64_t most = UINT64_C(1) << (power + bounds - 1);
	const uint64_t least = (UINT64_C(1) << (power + more)) - 1;
	uint64_t below = value - (value != 0 ? 1u : 0u); /* A bound is in the bucket below it. */

	below = below < most ? below : most;
	return (size_t)(63 ^ __builtin_clzll(below << more | least)) + 1 - more - power;
}

/** A histogram of a scope. Offsets are in the scope's value struct. */
struct ctr_histogram {
	const char *name;        /**< Name in the schema. */
	const char *unit;        /**< Unit of the values. */
	const char *description; /**< Description in the schema. */
	const uint64_t *bounds;  /**< Greatest value of each bucket but the last, ascending. */
	unsigned int num_bounds; /**< There is one bucket more. */
	unsigned int item;       /**< Where the buckets begin among the items; the sum is last. */
	size_t first;            /**< Offset of the buckets, which are an array of uint64_t. */
	size_t sum;              /**< Offset of the sum of all values. */
};

/** Number of values in a bucket: above bounds[bucket - 1] and up to bounds[bucket]. */
static inline uint64_t
ctr_histogram_bucket(const struct ctr_histogram *h, const void *values, size_t bucket)
{
	uint64_t count;

	CTR_ASSERT(bucket <= h->num_bounds);
	memcpy(&count, (const char *)values + h->first + bucket * sizeof(count), sizeof(count));
	return count;
}

/** Number of values: the sum of all buckets of a value struct of its scope. */
static inline uint64_t
ctr_histogram_count(const struct ctr_histogram *h, const void *values)
{
	uint64_t count = 0;

	for (size_t i = 0; i <= h->num_bounds; i++)
		count += ctr_histogram_bucket(h, values, i);
	return count;
}

/** The sum of all values, modulo 2^64, in a value struct of its scope. */
static inline uint64_t
ctr_histogram_sum(const struct ctr_histogram *h, const void *values)
{
	uint64_t sum;

	memcpy(&sum, (const char *)values + h->sum, sizeof(sum));
	return sum;
}

#endif /* CTR_HISTOGRAM_H */
