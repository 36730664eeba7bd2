/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets: their flows and the arguments of their updates. Generated once, read in order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define LEAST_PACKETS (1u << 14)
#define MOST_PACKETS (1u << 22)
/* Number of packet sets that are cached for later runs; bench/driver.py uses it too. */
#define KEPT_TRAFFIC (4 * BENCH_MAX_WORKERS)
#define KEPT_PACKETS (UINT64_C(1) << 24)
#define RARE 1000

/* The parameters that determine the packets of a worker; all but the last are those of a run. */
struct key {
	uint32_t flows, burst;
	enum bench_distribution distribution;
	enum bench_affinity affinity;
	unsigned int workers, worker;
};

static struct {
	struct key key;
	struct ctr_bench_traffic *traffic;
} kept_traffic[KEPT_TRAFFIC];
static unsigned int num_kept;

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 2685821657736338717u;
}

/* Uniform in [0, n): Lemire, "Fast random integer generation in an interval", 2019, biased form. */
static uint32_t
rand_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)(((next_random(state) >> 32) * n) >> 32);
}

/* Zipf with exponent 1 over [0, n), by inversion of the continuous density 1/x over [1, n + 1). */
static uint32_t
zipf(uint64_t *state, uint32_t n)
{
	double u = (double)(next_random(state) >> 11) * 0x1p-53;
	uint32_t rank = (uint32_t)exp(u * log((double)n + 1)) - 1;

	return rank < n ? rank : n - 1;
}

/* A flow of a worker. Flow f belongs to worker f % workers. */
static uint32_t
draw(const struct key *key, uint64_t *state)
{
	uint32_t all = key->flows, own;
	bool foreign = key->affinity == BENCH_RARE && rand_below(state, RARE) == 0;

	if (key->affinity == BENCH_NONE || foreign || key->workers >= all)
		return key->distribution == BENCH_ZIPF ? zipf(state, all) : rand_below(state, all);
	own = (all - key->worker + key->workers - 1) / key->workers;
	own = key->distribution == BENCH_ZIPF ? zipf(state, own) : rand_below(state, own);
	return own * key->workers + key->worker;
}

/* Take an array of elements of a size out of a block. */
static void *
take_array(uint8_t **block, size_t count, size_t size)
{
	void *array = *block;

	*block += count * size;
	return array;
}

struct ctr_bench_traffic *
bench_scratch(uint32_t count)
{
	const size_t each = sizeof(uint64_t) + (4 + ctr_bench.num_indexes) * sizeof(uint32_t) +
			sizeof(uint16_t) + sizeof(uint8_t) + sizeof(bool);
	struct ctr_bench_traffic *t;
	uint8_t *block;
	unsigned int i;

	t = (struct ctr_bench_traffic *)calloc(1, sizeof(*t) + count * each);
	if (t == NULL)
		return NULL;
	block = (uint8_t *)(t + 1);
	t->count = count;
	t->u64 = (uint64_t *)take_array(&block, count, sizeof(*t->u64));
	t->place = (uint32_t *)take_array(&block, count, sizeof(*t->place));
	t->flow = (uint32_t *)take_array(&block, count, sizeof(*t->flow));
	t->u32 = (uint32_t *)take_array(&block, count, sizeof(*t->u32));
	t->i32 = (int32_t *)take_array(&block, count, sizeof(*t->i32));
	for (i = 0; i < ctr_bench.num_indexes; i++)
		t->index[i] = (uint32_t *)take_array(&block, count, sizeof(**t->index));
	t->u16 = (uint16_t *)take_array(&block, count, sizeof(*t->u16));
	t->u8 = (uint8_t *)take_array(&block, count, sizeof(*t->u8));
	t->flag = (bool *)take_array(&block, count, sizeof(*t->flag));
	return t;
}

static void
fill_traffic(struct ctr_bench_traffic *t, const struct key *key)
{
	uint64_t state = 88172645463325252u + key->worker;
	uint32_t i, flow = 0;
	unsigned int k;

	for (i = 0; i < t->count; i++) {
		if (key->distribution != BENCH_BURSTS || i % key->burst == 0)
			flow = draw(key, &state);
		t->place[i] = i;
		t->flow[i] = flow;
		for (k = 0; k < ctr_bench.num_indexes; k++)
			t->index[k][i] = flow / ctr_bench.strides[k] % ctr_bench.limits[k];
		/* Sizes of Ethernet frames where they fit. */
		t->u16[i] = (uint16_t)(64 + rand_below(&state, 1455));
		t->u8[i] = (uint8_t)(1 + t->u16[i] % 100);
		t->u32[i] = t->u16[i];
		t->u64[i] = t->u16[i];
		t->i32[i] = t->u16[i];
		t->flag[i] = t->u16[i] & 1;
	}
}

/* Enough packets to contain all flows, but not so many that they fill the cache. */
static uint32_t
packets_for(uint32_t flows)
{
	uint32_t count = LEAST_PACKETS;

	while (count < MOST_PACKETS && count / 4 < flows)
		count *= 2;
	return count;
}

/* Whether two sets of packets belong to the same run. */
static bool
same_run(const struct key *a, const struct key *b)
{
	return memcmp(a, b, offsetof(struct key, worker)) == 0;
}

/* Free the oldest packets until there is room for this number, but none of this run. */
static void
make_room(const struct key *key, uint32_t count)
{
	uint64_t packets = count;
	unsigned int i, left = 0;

	for (i = 0; i < num_kept; i++)
		packets += kept_traffic[i].traffic->count;
	for (i = 0; i < num_kept; i++) {
		bool full = packets > KEPT_PACKETS || num_kept - i + left >= KEPT_TRAFFIC;

		if (full && !same_run(&kept_traffic[i].key, key)) {
			packets -= kept_traffic[i].traffic->count;
			free(kept_traffic[i].traffic);
		} else {
			kept_traffic[left++] = kept_traffic[i];
		}
	}
	num_kept = left;
}

const struct ctr_bench_traffic *
bench_traffic(const struct bench_options *o, unsigned int worker)
{
	struct key key = { o->flows, o->burst, o->distribution, o->affinity, o->workers, worker };
	struct ctr_bench_traffic *made;
	unsigned int i;

	for (i = 0; i < num_kept; i++)
		if (same_run(&kept_traffic[i].key, &key) && kept_traffic[i].key.worker == worker)
			return kept_traffic[i].traffic;
	make_room(&key, packets_for(o->flows));
	made = bench_scratch(packets_for(o->flows));
	if (made == NULL)
		return NULL;
	fill_traffic(made, &key);
	kept_traffic[num_kept].key = key;
	kept_traffic[num_kept++].traffic = made;
	return made;
}

static uint64_t
amount_at(const struct ctr_bench_traffic *t, const struct ctr_bench_effect *effect, uint32_t i)
{
	switch (effect->from) {
	case CTR_BENCH_BOOL:
		return t->flag[i];
	case CTR_BENCH_U8:
		return t->u8[i];
	case CTR_BENCH_U16:
		return t->u16[i];
	case CTR_BENCH_U32:
		return t->u32[i];
	case CTR_BENCH_U64:
		return t->u64[i];
	case CTR_BENCH_I32:
		return (uint64_t)(int64_t)t->i32[i];
	default:
		return effect->amount;
	}
}

/* The sum that packets @p begin to @p end - 1 add. */
static uint64_t
amount_of(const struct ctr_bench_traffic *t, uint32_t begin, uint32_t end,
		const struct ctr_bench_effect *effect)
{
	uint32_t late = begin % effect->every, i;
	uint64_t sum = 0;

	for (i = late == 0 ? begin : begin + effect->every - late; i < end; i += effect->every)
		sum += amount_at(t, effect, i);
	return sum;
}

uint64_t
bench_expected(const struct ctr_bench_traffic *t, uint32_t first, uint64_t packets,
		const struct ctr_bench_effect *effect)
{
	uint64_t rounds = packets / t->count, sum = 0;
	uint32_t end = first + (uint32_t)(packets % t->count);

	if (rounds != 0)
		sum = rounds * amount_of(t, 0, t->count, effect);
	if (end > t->count)
		return sum + amount_of(t, first, t->count, effect) +
				amount_of(t, 0, end - t->count, effect);
	return sum + amount_of(t, first, end, effect);
}

uint64_t
bench_expected_times(const struct ctr_bench_traffic *t, const uint32_t *times,
		const struct ctr_bench_effect *effect)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->count; i += CTR_BENCH_BURST)
		if (times[i / CTR_BENCH_BURST] != 0)
			sum += times[i / CTR_BENCH_BURST] *
					amount_of(t, i, i + CTR_BENCH_BURST, effect);
	return sum;
}
