/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

/* A word that the compiler is to have in a register here, so that it makes no vectors. */
#define SCALAR(x) __asm__ volatile("" : "+r"(x))

/* A step of xorshift: Marsaglia, "Xorshift RNGs", 2003. */
/* An operator is no function, as clang-format takes it for. */
/* clang-format off */
#define STEP(how, n) \
	do { \
		a ^= a how (n); SCALAR(a); \
		b ^= b how (n); SCALAR(b); \
		c ^= c how (n); SCALAR(c); \
		d ^= d how (n); SCALAR(d); \
	} while (0)
/* clang-format on */

/*
 * Four generators of random numbers side by side keep a core busy without memory:
 * one alone would leave room for the updates to hide in. How long varies a little
 * from packet to packet: a branch predictor that learns the length would save some
 * ten cycles, or not, by what other branches the strategy has. Then writes to
 * memory, one word to a line, which push the counters out of the caches.
 */
void
ctr_bench_toil(struct ctr_bench_work *work)
{
	uint64_t a = work->state[0], b = work->state[1], c = work->state[2], d = work->state[3];
	uint32_t i;

	for (i = work->iterations + (a & CTR_BENCH_VARIES); i != 0; i--) {
		STEP(<<, 13);
		STEP(>>, 7);
		STEP(<<, 17);
	}
	work->state[0] = a;
	work->state[1] = b;
	work->state[2] = c;
	work->state[3] = d;
	for (i = work->lines; i != 0; i--) {
		work->memory[(size_t)work->at * CTR_CACHE_LINE]++;
		work->at = (work->at + 1) & work->mask;
	}
}
