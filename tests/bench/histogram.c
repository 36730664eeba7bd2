/* SPDX-License-Identifier: BSD-3-Clause */
/* Percentiles of the benchmark's histogram against those of the sorted samples. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

static int
by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int
wrong(const uint64_t *sorted, size_t n, const struct bench_histogram *h, double share)
{
	size_t rank = (size_t)(share * (double)n);
	uint64_t exact, found = bench_percentile(h, share);

	if ((double)rank < share * (double)n)
		rank++;
	exact = sorted[rank - 1];
	if (found >= exact && found - exact <= exact / 32)
		return 0;
	printf("%zu samples, share %g: %llu instead of %llu\n", n, share, (unsigned long long)found,
	       (unsigned long long)exact);
	return 1;
}

int
main(void)
{
	static const double shares[] = { 0.001, 0.5, 0.99, 0.999, 1 };
	static const size_t lengths[] = { 1, 2, 3, 10, 1000, 100000 };
	static struct bench_histogram h;
	uint64_t x = 88172645463325252u;
	size_t k, i, j;
	int failed = 0;

	for (k = 0; k < RTE_DIM(lengths); k++) {
		uint64_t *sample = (uint64_t *)malloc(lengths[k] * sizeof(*sample));

		h = (struct bench_histogram){ .samples = 0 };
		for (i = 0; i < lengths[k]; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			sample[i] = x >> (x % 64);
			bench_record(&h, sample[i]);
		}
		qsort(sample, lengths[k], sizeof(*sample), by_size);
		for (j = 0; j < RTE_DIM(shares); j++)
			failed |= wrong(sample, lengths[k], &h, shares[j]);
		free(sample);
	}
	return failed;
}
