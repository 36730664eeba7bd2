/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an update of schemas/ep.yaml costs, measured without anything of ctrgen: to check
 * `ctrgen bench` against. The strategies are written out below as the docs describe them.
 *
 *   independent STRATEGY CALL FLOWS WORK WORKERS MS [huge]
 *
 * CALL is single, batch or bulk; WORK is in cycles of the TSC for a packet; `huge` takes huge pages.
 * It prints one line of JSON: core cycles for a counter update (four for a packet), the median of
 * pairs of runs with and without counting, and what the counters lack of the sum over all packets.
 *
 * Method: a run is one loop over packets, of at least 200 us; each with counting has one without
 * beside it. With several workers all begin a run together, and end it when the first is ready. Core cycles
 * come from a chain of dependent rotations beside each pair. Everything was touched, and each flow
 * met several times, before the first pair. x86-64 only.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <x86intrin.h>

#define ADDS 4
#define BURST 32u
#define WORKERS 8
#define MOST_THREADS 128u
#define MOST_PAIRS 100000
#define RUN_US 200
#define PACKED __attribute__((aligned(16)))
#define LINE __attribute__((aligned(64)))
#define BARRIER() __asm__ volatile("" : : : "memory")
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

/* ---- the data: a copy of all counters, for each worker or for all ---- */

struct sums {
	uint64_t pkts, bytes;
} PACKED;

struct copy {
	uint32_t word; /* A lock or a sequence count. */
	struct sums total;
	struct sums flow[];
} LINE;

/* The work for a packet: four random number generators of Marsaglia's side by side. */
struct work {
	volatile uint64_t state[4]; /* Loaded and stored one by one, so that stores are forwarded. */
	uint32_t passes;
};

#define STEP(op, n) \
	do { \
		a ^= a op (n); OPAQUE(a); \
		b ^= b op (n); OPAQUE(b); \
		c ^= c op (n); OPAQUE(c); \
		d ^= d op (n); OPAQUE(d); \
	} while (0)
#define TRIP do { STEP(<<, 13); STEP(>>, 7); STEP(<<, 17); } while (0)
#define TRIPS_8 TRIP; TRIP; TRIP; TRIP; TRIP; TRIP; TRIP; TRIP

/* In long passes, so that the loop has an end that every branch predictor sees come. */
static __attribute__((noinline)) void
toil(struct work *work)
{
	uint64_t a = work->state[0], b = work->state[1], c = work->state[2], d = work->state[3];
	uint32_t i;

	for (i = work->passes; i != 0; i--) {
		TRIPS_8;
		TRIPS_8;
	}
	work->state[0] = a;
	work->state[1] = b;
	work->state[2] = c;
	work->state[3] = d;
}

/* ---- the strategies ---- */

/* A word that this thread alone writes: one add in memory. */
static inline void
own_add(uint64_t *word, uint64_t n)
{
	__asm__ volatile("addq\t%1, %0" : "+m"(*word) : "er"(n) : "cc");
}

/* A word behind a lock: load, add, store, which the compiler leaves as they are. */
static inline void
locked_add(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

static inline void
atomic_add(uint64_t *word, uint64_t n)
{
	(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

/* The copy of the calling worker, found by its number with each update; or that of all. */
static struct copy *copies[MOST_THREADS];
static __thread unsigned int me;
/* Whether they are too large for a cache, so that a bulk call prefetches them. */
static bool many_flows;

static inline struct copy *
own_copy(void)
{
	if (__builtin_expect(me >= MOST_THREADS, 0))
		abort();
	return copies[me];
}

static inline struct copy *
the_copy(void)
{
	return copies[0];
}

static inline void
nothing(struct copy *c)
{
	(void)c;
}

/* The count of changes: odd while the counters change. */
static inline void
count_change(struct copy *c)
{
	BARRIER();
	__asm__ volatile("addl\t$1, %0" : "+m"(c->word) : : "cc");
	BARRIER();
}

static inline void
lock(struct copy *c)
{
	unsigned int spins = 0;

	while (__atomic_exchange_n(&c->word, 1, __ATOMIC_ACQUIRE) != 0)
		while (__atomic_load_n(&c->word, __ATOMIC_RELAXED) != 0) {
			if (++spins % 128 == 0)
				(void)sched_yield();
			else
				_mm_pause();
		}
}

static inline void
unlock(struct copy *c)
{
	__atomic_store_n(&c->word, 0, __ATOMIC_RELEASE);
}

/* A loop over `n` packets, whole bursts. */
typedef void loop_t(const uint32_t *flow, const uint16_t *size, uint32_t n, struct work *work);

static void
loop_empty(const uint32_t *flow, const uint16_t *size, uint32_t n, struct work *work)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (work->passes != 0)
			toil(work);
		__asm__ volatile("" : : "r"(flow[i]), "r"((uint32_t)size[i]) : "memory");
	}
}

/* The three calls of a strategy: what finds the counters, and adds, and is around an update. */
#define LOOP(name) \
	static void loop_##name(const uint32_t *flow, const uint16_t *size, uint32_t n, \
			struct work *work)
#define UPDATE(find, add, before, after, number, packets, octets) \
	do { \
		struct copy *c = find(); \
		uint32_t f = (number); \
\
		before(c); \
		add(&c->total.pkts, packets); \
		add(&c->total.bytes, octets); \
		add(&c->flow[f].pkts, packets); \
		add(&c->flow[f].bytes, octets); \
		after(c); \
	} while (0)
#define LOOPS(name, find, add, before, after) \
	LOOP(name##_single) \
	{ \
		uint32_t i; \
\
		for (i = 0; i < n; i++) { \
			if (work->passes != 0) \
				toil(work); \
			BARRIER(); \
			UPDATE(find, add, before, after, flow[i], 1, size[i]); \
		} \
	} \
	LOOP(name##_batch) \
	{ \
		uint32_t first, i; \
\
		for (first = 0; first < n; first += BURST) { \
			uint64_t packets = 0, octets = 0; \
			uint32_t last = 0; \
\
			for (i = first; i < first + BURST; i++) { \
				if (work->passes != 0) \
					toil(work); \
				BARRIER(); \
				if (flow[i] != last) { \
					if (packets != 0) \
						UPDATE(find, add, before, after, last, \
						       packets, octets); \
					packets = octets = 0; \
					last = flow[i]; \
				} \
				packets++; \
				octets += size[i]; \
			} \
			UPDATE(find, add, before, after, last, packets, octets); \
		} \
	} \
	LOOP(name##_bulk) \
	{ \
		uint32_t i, first; \
\
		for (first = 0; first < n; first += BURST) { \
			struct copy *c = find(); \
			uint64_t octets = 0; \
\
			for (i = 0; i < BURST && work->passes != 0; i++) \
				toil(work); \
			BARRIER(); \
			for (i = first; i < first + BURST && many_flows; i++) \
				__builtin_prefetch(&c->flow[flow[i]], 1); \
			before(c); \
			for (i = first; i < first + BURST; i++) { \
				add(&c->flow[flow[i]].pkts, 1); \
				add(&c->flow[flow[i]].bytes, size[i]); \
				octets += size[i]; \
			} \
			add(&c->total.pkts, BURST); \
			add(&c->total.bytes, octets); \
			after(c); \
		} \
	}

LOOPS(per_core, own_copy, own_add, nothing, nothing)
LOOPS(per_core_seqcount, own_copy, own_add, count_change, count_change)
LOOPS(per_core_lock, own_copy, locked_add, lock, unlock)
LOOPS(shared_atomic, the_copy, atomic_add, nothing, nothing)
LOOPS(shared_lock, the_copy, locked_add, lock, unlock)

#define STRATEGY(name, shared) \
	{ #name, shared, { loop_##name##_single, loop_##name##_batch, loop_##name##_bulk } }

static const struct strategy {
	const char *name;
	bool shared; /* One copy for all workers. */
	loop_t *loop[3];
} strategies[] = {
	STRATEGY(per_core, false),
	STRATEGY(per_core_seqcount, false),
	STRATEGY(per_core_lock, false),
	STRATEGY(shared_atomic, true),
	STRATEGY(shared_lock, true),
	{ NULL, false, { NULL, NULL, NULL } },
};
static const char *const calls[] = { "single", "batch", "bulk", NULL };

/* ---- clocks ---- */

/* TSC cycles of a cycle of the core, now: rotations that wait for each other take one each. */
static double
clock_ratio(void)
{
	uint64_t x = 1, begin = __rdtsc();
	int i;

	for (i = 0; i < 500; i++)
		__asm__ volatile("rolq\t$1, %0\n\trolq\t$1, %0\n\trolq\t$1, %0\n\trolq\t$1, %0\n\t"
				 "rolq\t$1, %0\n\trolq\t$1, %0\n\trolq\t$1, %0\n\trolq\t$1, %0"
				 : "+r"(x) : : "cc");
	return (double)(__rdtsc() - begin) / 4000;
}

static uint64_t
now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* TSC cycles of a microsecond. */
static double
tsc_us(void)
{
	uint64_t begin = now_ns(), first = __rdtsc(), ns;

	while ((ns = now_ns() - begin) < 5000000)
		;
	return (double)(__rdtsc() - first) / ((double)ns * 1e-3);
}

/* ---- runs ---- */

struct worker {
	uint32_t *flow;
	uint16_t *size;
	uint32_t count; /* Packets, a power of two. */
	uint32_t at[2];
	uint64_t cycles, packets;       /* Of the last run. */
	uint64_t counted, counted_bytes; /* Of all runs with counting. */
	struct work work;
	int cpu;
} LINE;

static struct worker workers[WORKERS];
static unsigned int num_workers;
static loop_t *loop;
static LINE struct {
	uint32_t number;   /* Of the run that goes on; grows. */
	LINE uint32_t came; /* Workers that wait for its begin. */
	LINE uint32_t ready; /* Workers that have ended it. */
	LINE uint32_t over; /* The first has ended. */
	LINE uint32_t size; /* Packets; 0: end. */
	bool counts;
} run;

/* Where all are: the last lets the others go. */
static void
meet(uint32_t *here, uint32_t so_many)
{
	__atomic_fetch_add(here, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(here, __ATOMIC_ACQUIRE) < so_many)
		_mm_pause();
}

/* The part of a worker. */
static void
take_part(struct worker *w)
{
	bool counts = run.counts;
	uint32_t *at = &w->at[counts], done = 0, first = *at, i;
	uint32_t size = run.size, step = num_workers > 1 ? 8 * BURST : size;
	loop_t *how = counts ? loop : loop_empty;
	uint64_t begin;

	meet(&run.came, num_workers * run.number);
	begin = __rdtsc();
	while (done < size && !__atomic_load_n(&run.over, __ATOMIC_RELAXED)) {
		how(w->flow + *at, w->size + *at, step, &w->work);
		*at = (*at + step) & (w->count - 1);
		done += step;
	}
	w->cycles = __rdtsc() - begin;
	w->packets = done;
	__atomic_store_n(&run.over, 1, __ATOMIC_RELAXED);
	for (i = 0; counts && i < done; i++)
		w->counted_bytes += w->size[(first + i) & (w->count - 1)];
	w->counted += counts ? done : 0;
	meet(&run.ready, num_workers * run.number);
}

static void
pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* The other workers. */
static void *
live(void *arg)
{
	struct worker *w = (struct worker *)arg;
	uint32_t seen = 0;

	pin(w->cpu);
	me = (unsigned int)(w - workers);
	for (;;) {
		while (__atomic_load_n(&run.number, __ATOMIC_ACQUIRE) == seen)
			_mm_pause();
		seen++;
		if (run.size == 0)
			return NULL;
		take_part(w);
	}
}

/* One run of all workers: TSC cycles for a packet. */
static double
run_all(bool counts, uint32_t size)
{
	uint64_t cycles = 0, packets = 0;
	unsigned int i;

	run.counts = counts;
	run.size = size;
	run.over = 0;
	__atomic_store_n(&run.number, run.number + 1, __ATOMIC_RELEASE);
	if (size == 0)
		return 0;
	take_part(&workers[0]);
	for (i = 0; i < num_workers; i++) {
		cycles += workers[i].cycles;
		packets += workers[i].packets;
	}
	return (double)cycles / (double)packets;
}

/* ---- before and after ---- */

/* Uniform over [0, n): the upper bits of splitmix64 (Steele, Lea, Flood, 2014). */
static uint32_t
below(uint64_t *state, uint32_t n)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(((z ^ (z >> 31)) >> 32) * n >> 32);
}

/* Zeroed memory of which every page is there. */
static void *
memory(size_t size, bool huge)
{
	size_t room = (size + (2u << 20) - 1) & ~(size_t)((2u << 20) - 1);
	void *at = mmap(NULL, room, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | (huge ? MAP_HUGETLB : 0), -1, 0);

	if (at == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return memset(at, 0, room);
}

static bool
set_up(const struct strategy *s, uint32_t flows, bool huge)
{
	size_t size = sizeof(struct copy) + (size_t)flows * sizeof(struct sums);
	cpu_set_t usable;
	unsigned int i;
	uint32_t k;
	int cpu = -1;

	if (sched_getaffinity(0, sizeof(usable), &usable) != 0)
		return false;
	for (i = 0; i < num_workers; i++) {
		struct worker *w = &workers[i];
		uint64_t state = 1 + i;

		do
			cpu = (cpu + 1) % CPU_SETSIZE;
		while (!CPU_ISSET((size_t)cpu, &usable));
		w->cpu = cpu;
		copies[i] = s->shared && i > 0 ? copies[0] : (struct copy *)memory(size, huge);
		for (w->count = 1u << 14; w->count / 4 < flows; w->count *= 2)
			;
		w->flow = (uint32_t *)memory(w->count * sizeof(*w->flow), false);
		w->size = (uint16_t *)memory(w->count * sizeof(*w->size), false);
		for (k = 0; k < w->count; k++) {
			w->flow[k] = below(&state, flows);
			w->size[k] = (uint16_t)(64 + below(&state, 1455));
		}
		for (k = 0; k < 4; k++)
			w->work.state[k] = 0x2545f4914f6cdd1du * (k + 1 + 4 * i);
	}
	return true;
}

/* So many passes that the work for a packet takes so many TSC cycles. */
static uint32_t
passes(double cycles)
{
	struct work work = { { 1, 2, 3, 4 }, 400 };
	double best = 1e9;
	int i;

	for (i = 0; i < 99; i++) {
		uint64_t begin = __rdtsc();
		double took;

		toil(&work);
		took = (double)(__rdtsc() - begin) / work.passes;
		best = took < best ? took : best;
	}
	return cycles > 0 ? 1 + (uint32_t)(cycles / best - 0.5) : 0;
}

/* What the counters lack: packets and bytes of the flows, and of the totals. */
static uint64_t
lost(const struct strategy *s, uint32_t flows)
{
	uint64_t missing = 0;
	unsigned int i;
	uint32_t k;

	for (i = 0; i < num_workers; i++) {
		struct copy *c = copies[i];

		missing += 2 * (workers[i].counted + workers[i].counted_bytes);
		if (s->shared && i > 0)
			continue;
		missing -= c->total.pkts + c->total.bytes;
		for (k = 0; k < flows; k++)
			missing -= c->flow[k].pkts + c->flow[k].bytes;
	}
	return missing;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
quantile(double *sorted, unsigned int n, double share)
{
	return sorted[(unsigned int)(share * (n - 1) + 0.5)];
}

/* Packets for a run: a power of two, so that it takes long enough, but never all there are. */
static uint32_t
packets_for(double us)
{
	uint32_t size = 8 * BURST, most = workers[0].count;
	double took;

	do {
		size *= 2;
		took = run_all(false, size) * size;
	} while (took < RUN_US * us && size < most);
	return size;
}

int
main(int argc, char **argv)
{
	static double differences[MOST_PAIRS], empty[MOST_PAIRS], ratios[MOST_PAIRS];
	const struct strategy *s = strategies;
	unsigned int pairs = 0, call = 0, i;
	pthread_t thread[WORKERS];
	uint32_t flows, size, warm;
	uint64_t end;

	if (argc < 7)
		return 2;
	while (s->name != NULL && strcmp(s->name, argv[1]) != 0)
		s++;
	while (calls[call] != NULL && strcmp(calls[call], argv[2]) != 0)
		call++;
	flows = (uint32_t)strtoul(argv[3], NULL, 10);
	num_workers = (unsigned int)strtoul(argv[5], NULL, 10);
	if (s->name == NULL || calls[call] == NULL || flows == 0 || num_workers == 0 ||
	    num_workers > WORKERS || !set_up(s, flows, argc > 7))
		return 2;
	loop = s->loop[call];
	many_flows = flows * sizeof(struct sums) > 32 << 10;
	pin(workers[0].cpu);
	for (i = 1; i < num_workers; i++)
		if (pthread_create(&thread[i], NULL, live, &workers[i]) != 0)
			return 1;
	/* Each flow several times, without the work. */
	for (warm = 0; warm < workers[0].count; warm += 1u << 12)
		(void)run_all(true, 1u << 12);
	for (i = 0; i < num_workers; i++)
		workers[i].work.passes = passes(strtod(argv[4], NULL));
	size = packets_for(tsc_us());
	end = now_ns() + (uint64_t)(strtod(argv[6], NULL) * 1e6);
	do {
		double clock = clock_ratio(), cost[2];
		unsigned int first = pairs % 2;

		cost[first] = run_all(first != 0, size);
		cost[!first] = run_all(first == 0, size);
		differences[pairs] = (cost[1] - cost[0]) / clock / ADDS;
		empty[pairs] = cost[0] / clock;
		ratios[pairs++] = clock;
	} while (now_ns() < end && pairs < MOST_PAIRS);
	(void)run_all(false, 0);
	for (i = 1; i < num_workers; i++)
		(void)pthread_join(thread[i], NULL);
	qsort(differences, pairs, sizeof(*differences), by_size);
	qsort(empty, pairs, sizeof(*empty), by_size);
	qsort(ratios, pairs, sizeof(*ratios), by_size);
	printf("{\"cycles\": %.4f, \"q1\": %.4f, \"q3\": %.4f, \"empty\": %.3f, \"clock\": %.4f, "
	       "\"packets\": %" PRIu32 ", \"pairs\": %u, \"lost\": %" PRIu64 "}\n",
	       quantile(differences, pairs, 0.5), quantile(differences, pairs, 0.25),
	       quantile(differences, pairs, 0.75), quantile(empty, pairs, 0.5),
	       quantile(ratios, pairs, 0.5), size, pairs, lost(s, flows));
	return 0;
}
