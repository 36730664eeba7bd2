/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a load takes, by how much memory is in use: caches, and what of them is ours. */
#include <stdlib.h>
#include <sys/mman.h>

#include <rte_eal.h>

#include "bench.h"

#define HUGE_PAGE (UINT64_C(2) << 20)
#define LOADS UINT32_C(100000)
#define TRIES 3

struct line {
	struct line *next;
} CTR_CACHE_ALIGNED;

/*
 * Chain all lines to one cycle at random: Sattolo's algorithm (Information Processing
 * Letters 22, 1986). No prefetcher knows the next one.
 */
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
walk(struct line *at, uint32_t loads)
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

	if (count < 2 || posix_memalign((void **)&lines, HUGE_PAGE, bytes) != 0)
		return 0;
	/* Pages as those that the statistics have. */
	(void)madvise(lines, bytes, rte_eal_has_hugepages() ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	chain(lines, count);
	at = walk(lines, count < LOADS ? 2 * count : LOADS);
	for (i = 0; i < TRIES; i++) {
		uint64_t begin = rte_rdtsc_precise();
		double took;

		at = walk(at, LOADS);
		took = (double)(rte_rdtsc_precise() - begin) / LOADS;
		if (i == 0 || took < best)
			best = took;
	}
	free(lines);
	return best;
}
