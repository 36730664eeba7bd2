/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Two counters of the calling lcore: in its slot, as generated code has them, and in a lcore
 * variable of DPDK 24.11 and later. Neither asks whether the thread has an lcore id.
 *
 * Prints the time of both for one update, in turns, each in so many rounds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_lcore.h>
#include <rte_lcore_var.h>
#include <rte_malloc.h>

#define ROUNDS 101
#define UPDATES 2000000u

struct counters {
	uint64_t pkts;
	uint64_t bytes;
};

static struct counters *slots[RTE_MAX_LCORE + 1] __rte_cache_aligned;
static RTE_LCORE_VAR_HANDLE(struct counters, variable);

void in_slot(uint64_t bytes);
void in_variable(uint64_t bytes);

/* As the word that generated code has: one that readers may load at the same time. */
static inline void
add(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

void __attribute__((noinline))
in_slot(uint64_t bytes)
{
	struct counters *own = __atomic_load_n(&slots[rte_lcore_id()], __ATOMIC_RELAXED);

	add(&own->pkts, 1);
	add(&own->bytes, bytes);
}

void __attribute__((noinline))
in_variable(uint64_t bytes)
{
	struct counters *own = RTE_LCORE_VAR(variable);

	add(&own->pkts, 1);
	add(&own->bytes, bytes);
}

static double
measure(void (*update)(uint64_t))
{
	uint64_t begin = rte_rdtsc();

	for (unsigned int i = 0; i < UPDATES; i++)
		update(i);
	return (double)(rte_rdtsc() - begin) / UPDATES;
}

static int
smaller(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	static double slot[ROUNDS], lcore_var[ROUNDS], ratio[ROUNDS];

	if (rte_eal_init(argc, argv) < 0)
		return 1;
	slots[rte_lcore_id()] = rte_zmalloc(NULL, sizeof(struct counters), RTE_CACHE_LINE_SIZE);
	RTE_LCORE_VAR_ALLOC(variable);
	if (slots[rte_lcore_id()] == NULL)
		return 1;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		slot[i] = measure(in_slot);
		lcore_var[i] = measure(in_variable);
		ratio[i] = lcore_var[i] / slot[i];
	}
	qsort(slot, ROUNDS, sizeof(*slot), smaller);
	qsort(lcore_var, ROUNDS, sizeof(*lcore_var), smaller);
	qsort(ratio, ROUNDS, sizeof(*ratio), smaller);
	printf("slot=%.2f variable=%.2f ratio=%.3f\n", slot[ROUNDS / 2], lcore_var[ROUNDS / 2],
	       ratio[ROUNDS / 2]);
	return rte_eal_cleanup();
}
