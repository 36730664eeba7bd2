/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an update costs in the ways of pair_ways.h and under two strategies, side by side in one
 * program. pair.py compiles it together with the updates of schemas/ep.yaml under per_core (module
 * `plain`) and per_core_seqcount (`counted`), and runs it.
 *
 *   pair loop|mixed FLOWS BURST ROUNDS   one thread after the other packet; one in 10 is a single
 *   pair ring|ring-prefetch FLOWS BURST ROUNDS   two threads, bursts of 32 through an rte_ring
 *   pair check MS                        two threads: who sees halves of an update?
 *
 * BURST packets in a row are of one flow. Prints the names, and in a line for each round the core
 * cycles of a packet's update: the median of differences to runs without, in turns.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

#include <rte_ring.h>

#include "counted_stats.h"
#include "pair_ways.h"
#include "plain_stats.h"

#define BURST 32u
#define PACKETS (1u << 14) /* of a run */
#define RINGED (1u << 14)
#define SIZE 64u
#define PAIRS 9
#define FLOWS PLAIN_STATS_SESSION_MAX
#define LOOP static __attribute__((noinline)) void

struct packet {
	uint32_t flow;
	uint16_t size;
} CTR_CACHE_ALIGNED;

static uint32_t *flows;
static uint16_t *sizes;
static uint32_t count = PACKETS; /* of packets, a power of two */

static inline void
none_update(uint32_t flow, uint16_t size)
{
	__asm__ volatile("" : : "r"(flow), "r"((uint32_t)size) : "memory");
}

static inline void
none_single(uint16_t size)
{
	__asm__ volatile("" : : "r"((uint32_t)size) : "memory");
}

#define GENERATED(way, module)                            \
	static inline void                                \
	way##_update(uint32_t flow, uint16_t size)        \
	{                                                 \
		module##_stats_update_packet(flow, size); \
	}                                                 \
	static inline void                                \
	way##_single(uint16_t size)                       \
	{                                                 \
		module##_stats_add_total_bytes(size);     \
	}                                                 \
	static void *way##_slots[CTR_SLOTS]

GENERATED(generated_per_core, plain);
GENERATED(generated_seqcount, counted);
static void *none_slots[CTR_SLOTS];

#define LOOPS(way)                                                        \
	LOOP way##_loop(uint32_t at)                                      \
	{                                                                 \
		const uint32_t *flow = flows + at;                        \
		const uint16_t *size = sizes + at;                        \
                                                                          \
		for (uint32_t i = 0; i < PACKETS; i++)                    \
			way##_update(flow[i], size[i]);                   \
	}                                                                 \
	LOOP way##_mixed(uint32_t at)                                     \
	{                                                                 \
		const uint32_t *flow = flows + at;                        \
		const uint16_t *size = sizes + at;                        \
		uint32_t next = 9;                                        \
                                                                          \
		for (uint32_t i = 0; i < PACKETS; i++) {                  \
			if (i == next) {                                  \
				next += 10;                               \
				way##_single(size[i]);                    \
			} else {                                          \
				way##_update(flow[i], size[i]);           \
			}                                                 \
		}                                                         \
	}                                                                 \
	LOOP way##_burst(struct packet *const *packets)                   \
	{                                                                 \
		for (uint32_t i = 0; i < BURST; i++)                      \
			way##_update(packets[i]->flow, packets[i]->size); \
	}

#define WAYS(X)                                                           \
	X(none)                                                           \
	X(per_core)                                                       \
	X(seqcount) X(generated_per_core) X(generated_seqcount) X(vector) \
		X(vector_8) X(twins) X(twin_global) X(turns) X(turns_2) X(turns_4) X(parity)
#define WAY(way) { #way, way##_slots, way##_loop, way##_mixed, way##_burst },

WAYS(LOOPS)

static const struct way {
	const char *name;
	void **slots;
	void (*loop)(uint32_t at), (*mixed)(uint32_t at);
	void (*burst)(struct packet *const *packets);
} ways[] = { WAYS(WAY) };
#define NUM_WAYS (sizeof(ways) / sizeof(ways[0]))

/* ---- clocks ---- */

/* TSC cycles of a cycle of the core: rotations that wait for each other take one each. */
static double
clock_ratio(void)
{
	uint64_t x = 1, begin = __rdtsc();

	for (int i = 0; i < 1000; i++)
		__asm__ volatile("rolq\t$1, %0\n\trolq\t$1, %0\n\trolq\t$1, %0\n\trolq\t$1, %0"
				 : "+r"(x) : : "cc");
	return (double)(__rdtsc() - begin) / 4000;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
pin(size_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* A thread with its copies. */
static void
begin_thread(size_t cpu)
{
	static const size_t room = sizeof(struct turns_4) + FLOWS * sizeof(struct turns_of_4);
	static const size_t small = sizeof(struct turns_2) + FLOWS * sizeof(struct twin);
	unsigned int lcore;

	pin(cpu);
	if (ctr_thread_register() != 0)
		abort();
	lcore = ctr_lcore_id();
	for (size_t i = 0; i < NUM_WAYS; i++) {
		bool large = ways[i].loop == turns_4_loop;

		ways[i].slots[lcore] = ctr_alloc(large ? room : small, lcore);
		if (ways[i].slots[lcore] == NULL)
			abort();
	}
}

/* ---- one thread ---- */

static uint32_t place;

static double
run_loop(const struct way *way, bool mixed)
{
	uint64_t begin = __rdtsc();

	(mixed ? way->mixed : way->loop)(place);
	return (double)(__rdtsc() - begin) / PACKETS;
}

/* ---- two threads and rings ---- */

static struct rte_ring *there, *back;
static struct segment {
	uint32_t number CTR_CACHE_ALIGNED;
	const struct way *way; /* NULL: end. */
	bool prefetches;
	uint32_t ended CTR_CACHE_ALIGNED;
} segment;

static void *
second_stage(void *arg)
{
	struct packet *burst[BURST];

	(void)arg;
	begin_thread(1);
	for (uint32_t number = 1;; number++) {
		while (__atomic_load_n(&segment.number, __ATOMIC_ACQUIRE) != number)
			_mm_pause();
		if (segment.way == NULL)
			return NULL;
		for (uint32_t i = 0; i < RINGED; i += BURST) {
			while (rte_ring_sc_dequeue_bulk(there, (void **)burst, BURST, NULL) == 0)
				_mm_pause();
			for (uint32_t j = 0; j < (segment.prefetches ? BURST : 0); j++)
				ctr_prefetch(burst[j]);
			segment.way->burst(burst);
			(void)rte_ring_sp_enqueue_bulk(back, (void **)burst, BURST, NULL);
		}
		__atomic_store_n(&segment.ended, number, __ATOMIC_RELEASE);
	}
}

static double
run_ring(const struct way *way, bool prefetches)
{
	struct packet *burst[BURST];
	uint64_t begin = __rdtsc();

	segment.way = way;
	segment.prefetches = prefetches;
	__atomic_store_n(&segment.number, segment.number + 1, __ATOMIC_RELEASE);
	for (uint32_t i = 0; way != NULL && i < RINGED; i += BURST) {
		while (rte_ring_sc_dequeue_bulk(back, (void **)burst, BURST, NULL) == 0)
			_mm_pause();
		for (uint32_t j = 0; j < BURST; j++) {
			burst[j]->flow = flows[place + i + j];
			burst[j]->size = sizes[place + i + j];
		}
		way->burst(burst);
		while (rte_ring_sp_enqueue_bulk(there, (void **)burst, BURST, NULL) == 0)
			_mm_pause();
	}
	while (way != NULL &&
	       __atomic_load_n(&segment.ended, __ATOMIC_ACQUIRE) != segment.number)
		_mm_pause();
	return (double)(__rdtsc() - begin) / RINGED;
}

static struct rte_ring *
ring(unsigned int size, const char *name)
{
	struct rte_ring *made = (struct rte_ring *)ctr_alloc((size_t)rte_ring_get_memsize(size),
							     CTR_NON_LCORE);

	if (made == NULL || rte_ring_init(made, name, size, RING_F_SP_ENQ | RING_F_SC_DEQ) != 0)
		abort();
	return made;
}

static pthread_t
begin_ring(void)
{
	struct packet *packets = (struct packet *)ctr_alloc(512 * sizeof(*packets), CTR_NON_LCORE);
	pthread_t thread;

	there = ring(256, "there");
	back = ring(1024, "back");
	for (uint32_t i = 0; i < 512; i++)
		(void)rte_ring_sp_enqueue(back, &packets[i]);
	if (pthread_create(&thread, NULL, second_stage, NULL) != 0)
		abort();
	return thread;
}

/* ---- rounds ---- */

static double
run(const char *how, const struct way *way)
{
	return strncmp(how, "ring", 4) == 0 ? run_ring(way, strcmp(how, "ring") != 0) :
					      run_loop(way, strcmp(how, "mixed") == 0);
}

static double
cost(const char *how, const struct way *way)
{
	double differences[PAIRS];

	for (int i = 0; i < PAIRS; i++) {
		double without, with, clock = clock_ratio();

		place = (place + PACKETS) & (count - 1);
		without = run(how, &ways[0]);
		with = run(how, way);
		differences[i] = (with - (way == ways ? 0 : without)) / clock;
	}
	qsort(differences, PAIRS, sizeof(differences[0]), by_size);
	return differences[PAIRS / 2];
}

static void
measure(const char *how, uint32_t num_flows, uint32_t in_a_row, uint32_t rounds)
{
	uint64_t random = 88172645463325252u;
	pthread_t thread = pthread_self();
	double found[NUM_WAYS];

	while (count < 4 * num_flows)
		count *= 2;
	flows = (uint32_t *)ctr_alloc(count * sizeof(*flows), CTR_NON_LCORE);
	sizes = (uint16_t *)ctr_alloc(count * sizeof(*sizes), CTR_NON_LCORE);
	for (uint32_t i = 0; i < count; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		flows[i] = i % in_a_row == 0 ? (uint32_t)(random >> 20) % num_flows : flows[i - 1];
		sizes[i] = (uint16_t)(SIZE + (random >> 50) % 1455);
	}
	if (strncmp(how, "ring", 4) == 0)
		thread = begin_ring();
	for (size_t i = 0; i < NUM_WAYS; i++)
		for (place = 0; place < count; place += PACKETS)
			(void)run(how, &ways[i]);
	place = 0;
	for (uint32_t r = 0; r < rounds; r++) {
		for (size_t i = 0; i < NUM_WAYS; i++)
			found[(i + r) % NUM_WAYS] = cost(how, &ways[(i + r) % NUM_WAYS]);
		for (size_t i = 0; i < NUM_WAYS; i++)
			printf("%.4f%c", found[i], i == NUM_WAYS - 1 ? '\n' : ' ');
	}
	if (strncmp(how, "ring", 4) == 0) {
		(void)run_ring(NULL, false);
		(void)pthread_join(thread, NULL);
	}
}

/* ---- halves of updates ---- */

static struct check {
	void *copy;
	uint64_t reads, again, halves;
	bool (*global)(const void *copy, struct sums *out);
	bool (*session)(const void *copy, uint32_t flow, struct sums *out);
	bool end;
} check;

static void *
look(void *arg)
{
	struct sums seen, last = { 0, 0 };

	(void)arg;
	pin(1);
	for (uint32_t i = 0; !__atomic_load_n(&check.end, __ATOMIC_RELAXED); i++) {
		bool whole = i % 2 == 0 ? check.global(check.copy, &seen) :
					  check.session(check.copy, i / 2 % 4, &seen);

		check.reads++;
		check.again += !whole;
		check.halves += whole && seen.bytes != SIZE * seen.pkts;
		if (whole && i % 2 == 0) {
			check.halves += seen.pkts < last.pkts;
			last = seen;
		}
	}
	return NULL;
}

#define CHECK(way)                                                                                \
	do {                                                                                      \
		pthread_t thread;                                                                 \
		uint64_t end = ctr_time_ns() + ms * 1000000, n = 0;                               \
		struct sums sums;                                                                 \
                                                                                                  \
		check = (struct check){ .copy = way##_slots[ctr_lcore_id()],                      \
					.global = way##_global,                                   \
					.session = way##_session };                               \
		if (pthread_create(&thread, NULL, look, NULL) != 0)                               \
			abort();                                                                  \
		for (; n % 4096 != 0 || ctr_time_ns() < end; n++) {                               \
			way##_update((uint32_t)(n * n >> 3) % 4, SIZE);                           \
			if (n % 7 == 0)                                                           \
				way##_single(0);                                                  \
		}                                                                                 \
		__atomic_store_n(&check.end, true, __ATOMIC_RELAXED);                             \
		(void)pthread_join(thread, NULL);                                                 \
		if (!way##_global(check.copy, &sums) || sums.pkts != n || sums.bytes != SIZE * n) \
			abort();                                                                  \
		printf(#way " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", check.reads, check.again,   \
		       check.halves);                                                             \
	} while (0)

static void
check_all(uint64_t ms)
{
	CHECK(per_core);
	CHECK(seqcount);
	CHECK(vector);
	CHECK(vector_8);
	CHECK(twins);
	CHECK(twin_global);
	CHECK(turns);
	CHECK(turns_2);
	CHECK(turns_4);
	CHECK(parity);
}

int
main(int argc, char **argv)
{
	if (argc < 3 || plain_stats_init() != 0 || counted_stats_init() != 0)
		return 2;
	begin_thread(0);
	if (strcmp(argv[1], "check") == 0) {
		check_all(strtoull(argv[2], NULL, 10));
		return 0;
	}
	if (argc < 5)
		return 2;
	for (size_t i = 0; i < NUM_WAYS; i++)
		printf("%s%c", ways[i].name, i == NUM_WAYS - 1 ? '\n' : ' ');
	measure(argv[1], (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]));
	return 0;
}
