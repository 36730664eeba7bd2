/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

/* Forces a word into a general register here, so that the compiler uses no vectors. */
#define SCALAR(x) __asm__ volatile("" : "+r"(x))

/* A step of xorshift: Marsaglia, "Xorshift RNGs", 2003. */
/* clang-format takes this operator for a function. */
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
 * Four independent random number generators keep a core busy without memory accesses:
 * behind a single one, out-of-order execution would hide the updates. The length varies
 * a little from packet to packet: a branch predictor that learns a constant length would
 * save some ten cycles, or not, depending on the other branches of the strategy. Then
 * writes to memory, one word to a line, evict the counters from the caches.
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
