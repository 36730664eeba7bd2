/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What a histogram holds, or is to hold.
 */
#ifndef TALLY_H
#define TALLY_H

#include "harness.h"

/** More than a histogram of these tests has. */
#define TALLY_BUCKETS 16

/** Values that were observed. */
struct tally {
	uint64_t bucket[TALLY_BUCKETS], sum;
};

/** The bucket of a value: how many of the bounds are below it. */
static inline unsigned int
bucket_of(const struct ctr_histogram *h, uint64_t value)
{
	unsigned int n = 0;

	while (n < h->num_bounds && value > h->bounds[n])
		n++;
	return n;
}

/** Add an observation. */
static inline void
observe(struct tally *tally, const struct ctr_histogram *h, uint64_t value)
{
	tally->bucket[bucket_of(h, value)]++;
	tally->sum += value;
}

/** Add what a read has. */
static inline void
add(struct tally *tally, const struct ctr_histogram *h, const void *read)
{
	unsigned int i;

	for (i = 0; i <= h->num_bounds; i++)
		tally->bucket[i] += ctr_histogram_bucket(h, read, i);
	tally->sum += ctr_histogram_sum(h, read);
}

/** Fail unless two are equal; @p where begins what is said. */
static inline void
equal(const char *where, const struct ctr_histogram *h, const struct tally *got,
      const struct tally *wanted)
{
	unsigned int i;

	for (i = 0; i <= h->num_bounds; i++)
		CHECK(got->bucket[i] == wanted->bucket[i],
		      "%s%s: bucket %u has %" PRIu64 ", not %" PRIu64, where, h->name, i,
		      got->bucket[i], wanted->bucket[i]);
	CHECK(got->sum == wanted->sum, "%s%s: the sum is %" PRIu64 ", not %" PRIu64, where,
	      h->name, got->sum, wanted->sum);
}

#endif /* TALLY_H */
