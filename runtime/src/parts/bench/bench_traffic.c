/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets: their flows and the arguments of their updates. Generated once and read in order,
 * each worker from another place on. */
#include <stdlib.h>

#include "bench.h"

#define LEAST_PACKETS (1u << 14)
#define MOST_PACKETS (1u << 22) /* bench/machine.py has it, too */

/* The packets of earlier runs, which others are made of. */
struct kept {
	struct kept *next;
	uint32_t flows;
	struct ctr_bench_traffic traffic;
};

static struct kept *all_kept;

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

/* Take an array of elements of a size out of a block. */
static void *
take_array(uint8_t **block, size_t count, size_t size)
{
	void *array = *block;

	*block += count * size;
	return array;
}

/* Room for so many packets. */
static struct kept *
make_traffic(uint32_t count)
{
	const size_t each = sizeof(uint64_t) + (2 + ctr_bench.num_indexes) * sizeof(uint32_t) +
			sizeof(uint16_t) + sizeof(uint8_t) + sizeof(bool);
	struct kept *kept = calloc(1, sizeof(*kept) + count * each);
	struct ctr_bench_traffic *t;
	uint8_t *block;

	if (kept == NULL)
		return NULL;
	t = &kept->traffic;
	block = (uint8_t *)(kept + 1);
	t->count = count;
	t->u64 = (uint64_t *)take_array(&block, count, sizeof(*t->u64));
	t->u32 = (uint32_t *)take_array(&block, count, sizeof(*t->u32));
	t->i32 = (int32_t *)take_array(&block, count, sizeof(*t->i32));
	for (unsigned int i = 0; i < ctr_bench.num_indexes; i++)
		t->index[i] = (uint32_t *)take_array(&block, count, sizeof(**t->index));
	t->u16 = (uint16_t *)take_array(&block, count, sizeof(*t->u16));
	t->u8 = (uint8_t *)take_array(&block, count, sizeof(*t->u8));
	t->flag = (bool *)take_array(&block, count, sizeof(*t->flag));
	return kept;
}

static void
fill_traffic(struct ctr_bench_traffic *t, uint32_t flows)
{
	uint64_t state = 88172645463325252u;

	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t flow = rand_below(&state, flows);

		for (unsigned int k = 0; k < ctr_bench.num_indexes; k++)
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

const struct ctr_bench_traffic *
bench_traffic(uint32_t flows)
{
	struct kept *kept;

	for (kept = all_kept; kept != NULL; kept = kept->next)
		if (kept->flows == flows)
			return &kept->traffic;
	kept = make_traffic(packets_for(flows));
	if (kept == NULL)
		return NULL;
	fill_traffic(&kept->traffic, flows);
	kept->flows = flows;
	kept->next = all_kept;
	all_kept = kept;
	return &kept->traffic;
}

static uint64_t
amount_at(const struct ctr_bench_traffic *t, const struct ctr_bench_effect *effect, uint32_t i)
{
	switch (effect->from) {
	case CTR_BENCH_CONSTANT:
		return effect->amount;
	case CTR_BENCH_BOOL:
		return t->flag[i];
	case CTR_BENCH_U8:
		return t->u8[i];
	default:
		return t->u16[i]; /* As those of more bits. */
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
