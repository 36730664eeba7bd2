/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "bench.h"

/* Steps below 64 are exact; above, 32 to each power of two: an error of at most 1 in 32. */
static unsigned int
slot_of(uint64_t cycles)
{
	unsigned int power;

	if (cycles < 64)
		return (unsigned int)cycles;
	power = 63u - (unsigned int)__builtin_clzll(cycles);
	return (power - 4) * 32 + (unsigned int)((cycles >> (power - 5)) & 31);
}

/* The most that is counted there. */
static uint64_t
most_of(unsigned int slot)
{
	unsigned int shift;

	if (slot < 64)
		return slot;
	shift = slot / 32 - 1;
	return ((uint64_t)(32 + slot % 32) << shift) + ((UINT64_C(1) << shift) - 1);
}

void
bench_record(struct bench_histogram *h, uint64_t cycles)
{
	h->count[slot_of(cycles)]++;
	h->samples++;
	if (cycles > h->max)
		h->max = cycles;
}

void
bench_merge(struct bench_histogram *into, const struct bench_histogram *from)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(into->count); i++)
		into->count[i] += from->count[i];
	into->samples += from->samples;
	if (from->max > into->max)
		into->max = from->max;
}

uint64_t
bench_percentile(const struct bench_histogram *h, double share)
{
	uint64_t wanted = (uint64_t)ceil(share * (double)h->samples), seen = 0;
	unsigned int i;

	for (i = 0; i < RTE_DIM(h->count); i++) {
		seen += h->count[i];
		if (seen >= wanted && seen != 0)
			return most_of(i) < h->max ? most_of(i) : h->max;
	}
	return h->max;
}
