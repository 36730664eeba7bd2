/* SPDX-License-Identifier: BSD-3-Clause */
/* What packets add, from any of them on and for any number of them. */
#include <stdio.h>

#include "bench.h"

#define PACKETS 64u

const struct ctr_bench ctr_bench = { .num_indexes = 0 };

int
main(void)
{
	static uint16_t size[PACKETS];
	struct ctr_bench_traffic traffic = { .count = PACKETS, .u16 = size };
	struct ctr_bench_effect effect = { .from = CTR_BENCH_U16, .every = 3 };
	uint64_t sum, found;
	uint32_t first, n, i;

	for (i = 0; i < PACKETS; i++)
		size[i] = (uint16_t)(i * i);
	for (first = 0; first < PACKETS; first += 5) {
		for (n = 0, sum = 0; n < 3 * PACKETS; n++) {
			uint32_t at = (first + n) % PACKETS;

			found = bench_expected(&traffic, first, n, &effect);
			if (found != sum) {
				printf("%u from %u on: %llu instead of %llu\n", n, first,
				       (unsigned long long)found, (unsigned long long)sum);
				return 1;
			}
			sum += at % 3 == 0 ? size[at] : 0;
		}
	}
	return 0;
}
