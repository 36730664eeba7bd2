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
/* A turn of all four, and 8 of them in a row. */
#define TURN \
	do { \
		STEP(<<, 13); \
		STEP(>>, 7); \
		STEP(<<, 17); \
	} while (0)
#define TURNS_8 TURN; TURN; TURN; TURN; TURN; TURN; TURN; TURN

/* Four independent random number generators keep a core busy without memory accesses:
 * behind a single one, out-of-order execution would hide the updates. Their length is fixed,
 * and what is left of sixteens comes by one jump: a loop of single turns costs some ten cycles
 * more or less, as the branch predictor sees its end come or not, which depends on the branches
 * of the strategy. Nor are more turns than 16 written out, 2 KiB of code: of 64 turns the
 * processor forgot parts that it had decoded, depending on where the updates lay, and these
 * seemed to take 0.3, 4 or 63 cycles. */
void
ctr_bench_spin(struct ctr_bench_work *work)
{
	uint64_t a = work->state[0], b = work->state[1], c = work->state[2], d = work->state[3];

	for (uint32_t i = work->iterations / 16; i != 0; i--) {
		TURNS_8; TURNS_8;
	}
	switch (work->iterations / 8 % 2) {
	case 1: TURNS_8; /* fall through */
	default: break;
	}
	switch (work->iterations % 8) {
	case 7: TURN; /* fall through */
	case 6: TURN; /* fall through */
	case 5: TURN; /* fall through */
	case 4: TURN; /* fall through */
	case 3: TURN; /* fall through */
	case 2: TURN; /* fall through */
	case 1: TURN; /* fall through */
	default: break;
	}
	work->state[0] = a;
	work->state[1] = b;
	work->state[2] = c;
	work->state[3] = d;
}

double
bench_calibrate(void)
{
	struct ctr_bench_work work = { .iterations = 1000000, .state = { 1, 2, 3, 4 } };
	double best = 0;

	for (unsigned int i = 0; i < 5; i++) {
		uint64_t begin = rte_rdtsc_precise();
		double took;

		ctr_bench_spin(&work);
		took = (double)(rte_rdtsc_precise() - begin) / work.iterations;
		if (i == 0 || took < best)
			best = took;
	}
	return best;
}

/* A chain of adds, each of which waits for the one before: one cycle of the core each. */
double
bench_clock(void)
{
	double best = 0;

	for (unsigned int i = 0; i < 9; i++) {
		uint64_t begin = rte_rdtsc_precise(), x = 0;
		double took;

		for (unsigned int k = 0; k < 1000; k++) {
			x += k;
			__asm__ volatile("" : "+r"(x));
			x += k;
			__asm__ volatile("" : "+r"(x));
			x += k;
			__asm__ volatile("" : "+r"(x));
			x += k;
			__asm__ volatile("" : "+r"(x));
		}
		took = (double)(rte_rdtsc_precise() - begin) / 4000;
		if (i == 0 || took < best)
			best = took;
	}
	return best;
}
