/* SPDX-License-Identifier: BSD-3-Clause */
/* Cycles of a load by the memory in use, and by the time since the last use of the line. */
#include <stdlib.h>
#include <sys/mman.h>

#include <rte_common.h>
#include <rte_eal.h>

#include "bench.h"

#define CHASE_ALIGN (UINT64_C(2) << 20)
#define LOADS UINT32_C(100000)
#define CHASE_TRIES 3
/* Lines that rest in turn, how often each, and turns of work between two looks at the clock. */
#define RESTING 256u
#define RESTS 4
#define CHASE_TURNS 16

struct line {
	struct line *next;
} CTR_CACHE_ALIGNED;

/* Chain all lines to one random cycle: Sattolo, Information Processing Letters 22, 1986. */
static void
chain(struct line *lines, uint32_t count)
{
	uint64_t state = 88172645463325252u;
	uint32_t i;

	for (i = 0; i < count; i++)
		lines[i].next = &lines[i];
	for (i = count - 1; i > 0; i--) {
		struct line *other, *next;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		other = &lines[state % i];
		next = lines[i].next;
		lines[i].next = other->next;
		other->next = next;
	}
}

static struct line *
chase(struct line *at, uint32_t loads)
{
	while (loads-- != 0)
		at = at->next;
	__asm__ volatile("" : "+r"(at));
	return at;
}

double
bench_chase(size_t bytes)
{
	uint32_t count = (uint32_t)(bytes / sizeof(struct line)), i;
	struct line *lines, *at;
	double best = 0;

	if (count < 2 || posix_memalign((void **)&lines, CHASE_ALIGN, bytes) != 0)
		return 0;
	/* Pages as those that the statistics have. */
	(void)madvise(lines, bytes, rte_eal_has_hugepages() ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	chain(lines, count);
	at = chase(lines, count < LOADS ? 2 * count : LOADS);
	for (i = 0; i < CHASE_TRIES; i++) {
		uint64_t begin = rte_rdtsc_precise();
		double took;

		at = chase(at, LOADS);
		took = (double)(rte_rdtsc_precise() - begin) / LOADS;
		if (i == 0 || took < best)
			best = took;
	}
	free(lines);
	return best;
}

/* A load by the clock, whose own time is in it. */
static double
one_load(struct line **at)
{
	uint64_t begin = rte_rdtsc_precise();

	*at = chase(*at, 1);
	return (double)(rte_rdtsc_precise() - begin);
}

/* The mean without the longest, which were interrupted. */
static double
usual(double *took, unsigned int n)
{
	unsigned int most = n - n / 50, i;
	double sum = 0;

	qsort(took, n, sizeof(took[0]), bench_by_size);
	for (i = 0; i < most; i++)
		sum += took[i];
	return sum / most;
}

double
bench_rest(double cycles)
{
	double took[RESTING * RESTS], rested;
	uint64_t end = rte_rdtsc();
	struct ctr_bench_work work = { .iterations = CHASE_TURNS };
	struct line lines[RESTING], *at = lines, *same;
	unsigned int i;

	chain(lines, RESTING);
	for (i = 0; i < RESTING * RESTS; i++) {
		end += (uint64_t)(cycles / RESTING);
		while (rte_rdtsc() < end)
			ctr_bench_toil(&work);
		took[i] = one_load(&at);
	}
	/* The first time they were all just written. */
	rested = usual(took + RESTING, RESTING * (RESTS - 1));
	for (i = 0; i < RESTING * RESTS; i++) {
		same = at;
		took[i] = one_load(&same);
	}
	rested -= usual(took, RESTING * RESTS);
	return rested > 0 ? rested : 0;
}
