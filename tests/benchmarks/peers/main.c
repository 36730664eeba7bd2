/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns of counting, side by side in one program: run.py compiles it with every file of
 * patterns/ and every strategy of ctrgen.
 *
 *   peers INSTANCES ROUNDS MS RESETS CPU CPU [NAME...]   all, or those of some names
 *
 * prints, in lines of words (of RESETS in the first round alone):
 *   memory NAME BYTES MORE           of an instance, and more for each thread
 *   cost NAME THREADS INSTANCES CYCLES   of a round, in TSC cycles of a core for a packet; with
 *                                    1, 1024 and INSTANCES
 *   counted NAME THREADS PACKETS SEEN    of the same, with one instance
 *   and those of checks.h
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#include <rte_eal.h>
#include <rte_memory.h>

#include "checks.h"

#define PACKETS (1u << 22) /* of a sequence of instances at random */
#define FEW 1024u          /* instances that fit into caches near the core */
#define SAME 64u           /* bytes of packets that are all alike */
#define SLICES 6           /* with more threads than cores a turn is so many times as long */

extern const struct peer *const __start_peers[];
extern const struct peer *const __stop_peers[];
extern char __data_start[], _end[];

static const struct peer *none;
static uint32_t *random_instances, *few_instances;
static uint16_t *random_bytes;
static uint32_t one_instance[2 * BURST];
static uint16_t same_bytes[2 * BURST];

/* Ask for large pages for what the EAL has, and for what strategies have without it. */
static int
ask_for_large(const struct rte_memseg_list *list, void *unused)
{
	(void)unused;
	if (!list->external && list->len != 0)
		(void)madvise(list->base_va, list->len, MADV_HUGEPAGE);
	return 0;
}

static int
init_memory(const char *cpu)
{
	char lcores[32];
	char *words[] = { "peers", "--no-pci", "--no-telemetry", "--no-huge",
		"--no-shconf", "-m", "4096", "--log-level=error",
		"--lcores", lcores, NULL };
	const uintptr_t page = 4096, begin = ((uintptr_t)__data_start + page - 1) / page * page;

	(void)snprintf(lcores, sizeof(lcores), "0@%s", cpu);
	if (rte_eal_init((int)RTE_DIM(words) - 1, words) < 0)
		return -ENOMEM;
	(void)rte_memseg_list_walk(ask_for_large, NULL);
	(void)madvise((void *)begin, (uintptr_t)_end / page * page - begin, MADV_HUGEPAGE);
	for (volatile char *at = __data_start; at < _end; at += page)
		*at = *at;
	return 0;
}

static int
init_traffic(uint32_t instances)
{
	uint64_t random = 88172645463325252u;

	random_instances = PEER_ARRAY(uint32_t, PACKETS);
	few_instances = PEER_ARRAY(uint32_t, PACKETS);
	random_bytes = PEER_ARRAY(uint16_t, PACKETS);
	if (random_instances == NULL || few_instances == NULL || random_bytes == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < PACKETS; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		random_instances[i] = (uint32_t)((random >> 20) % instances);
		few_instances[i] = random_instances[i] % FEW;
		random_bytes[i] = (uint16_t)(64 + (random >> 50) % 1455);
	}
	for (uint32_t i = 0; i < 2 * BURST; i++)
		same_bytes[i] = SAME;
	return 0;
}

static int
init_peers(uint32_t instances)
{
	for (const struct peer *const *p = __start_peers; p < __stop_peers; p++) {
		const int rc = (*p)->init != NULL ? (*p)->init(instances) : 0;

		if (rc != 0) {
			fprintf(stderr, "peers: %s: %s\n", (*p)->name, strerror(-rc));
			return rc;
		}
		if (strcmp((*p)->name, "none") == 0)
			none = *p;
		printf("memory %s %zu %zu\n", (*p)->name, (*p)->bytes, (*p)->more);
	}
	return 0;
}

static void
begin_thread(unsigned int thread)
{
	for (const struct peer *const *p = __start_peers; p < __stop_peers; p++)
		if ((*p)->begin != NULL)
			(*p)->begin(thread);
}

static struct job
job_of(const struct peer *peer, uint32_t instances)
{
	struct job job = { .peer = peer, .instance = one_instance, .bytes = same_bytes };

	job.mask = 2 * BURST - 1;
	if (instances > 1) {
		job.instance = instances <= FEW ? few_instances : random_instances;
		job.bytes = random_bytes;
		job.mask = PACKETS - 1;
	}
	return job;
}

/* Cycles of a core for a packet. */
static double
cycles(const struct turn *turn, unsigned int threads)
{
	const unsigned int cores = threads < CPUS ? threads : CPUS;

	return cores * (double)turn->cycles / (double)turn->packets;
}

static void
cost(const struct peer *peer, unsigned int threads, uint32_t instances, double ms)
{
	struct job with = job_of(peer, instances), without = with;
	const bool seen = peer->read != NULL && instances == 1;
	struct pair before, after;
	struct turn turn, bare;

	without.peer = none;
	bare = turn_for(&without, threads, ms);
	if (seen)
		peer->read(0, &before);
	turn = turn_for(&with, threads, ms);
	printf("cost %s %u %" PRIu32 " %.4f\n", peer->name, threads, instances,
	       cycles(&turn, threads) - (peer == none ? 0 : cycles(&bare, threads)));
	if (!seen)
		return;
	peer->read(0, &after);
	printf("counted %s %u %" PRIu64 " %" PRIu64 "\n", peer->name, threads, turn.packets,
	       after.packets - before.packets);
}

static bool
is_wanted(const struct peer *peer, char *const *names)
{
	bool is = *names == NULL;

	for (; *names != NULL; names++)
		is = is || strcmp(peer->name, *names) == 0;
	return is;
}

/* Every pattern at one place; another one is first in each round. */
static void
place(unsigned int threads, uint32_t instances, double ms, uint32_t round, char *const *names)
{
	const size_t count = (size_t)(__stop_peers - __start_peers);

	for (size_t i = 0; i < count; i++) {
		const struct peer *peer = __start_peers[(i + 7 * round) % count];

		if (is_wanted(peer, names) && (peer->most == 0 || instances <= peer->most))
			cost(peer, threads, instances, threads > CPUS ? SLICES * ms : ms);
	}
}

static void
checks(double ms, uint32_t resets, char *const *names)
{
	for (const struct peer *const *p = __start_peers; p < __stop_peers; p++) {
		const struct job job = job_of(*p, 1);

		if (!is_wanted(*p, names) || ((*p)->read == NULL && *p != none))
			continue;
		check_reads(&job, ms);
		check_resets(&job, resets);
	}
}

int
main(int argc, char **argv)
{
	uint32_t instances, rounds, resets;
	double ms;

	if (argc < 7)
		return 2;
	instances = (uint32_t)atoi(argv[1]);
	rounds = (uint32_t)atoi(argv[2]);
	ms = atof(argv[3]);
	resets = (uint32_t)atoi(argv[4]);
	for (unsigned int i = 0; i < CPUS; i++)
		peers_cpu[i] = atoi(argv[5 + i]);
	if (init_memory(argv[6]) != 0 || init_traffic(instances) != 0 ||
	    init_peers(instances) != 0 || turns_init(begin_thread) != 0)
		return 1;
	for (uint32_t r = 0; r < rounds; r++) {
		for (unsigned int threads = 1; threads <= THREADS; threads *= 2) {
			place(threads, 1, ms, r, argv + 7);
			place(threads, FEW, ms, r, argv + 7);
			place(threads, instances, ms, r, argv + 7);
		}
		checks(4 * ms, r == 0 ? resets : 0, argv + 7);
		(void)fflush(stdout);
	}
	return 0;
}
