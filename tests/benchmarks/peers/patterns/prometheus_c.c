/* SPDX-License-Identifier: BSD-3-Clause */
/* A double shared by all threads, added to by compare and exchange until nobody came between. */
#include <errno.h>

#include "peers.h"

struct sample {
	int type;
	const char *labels;
	double value;
	size_t heap; /* what malloc() puts in front of each */
};

static struct sample (*samples)[2];

static int
init(uint32_t instances)
{
	samples = (struct sample(*)[2])PEER_ARRAY(struct sample, (size_t)2 * instances);
	return samples != NULL ? 0 : -ENOMEM;
}

static inline void
add(struct sample *sample, double n)
{
	double old, sum;

	__atomic_load(&sample->value, &old, __ATOMIC_SEQ_CST);
	do {
		sum = old + n;
	} while (!__atomic_compare_exchange(&sample->value, &old, &sum, true, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST));
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	(void)thread;
	add(&samples[instance][0], 1);
	add(&samples[instance][1], bytes);
}

PEER_BURST(update, (void)0)

static void
read_now(uint32_t instance, struct pair *now)
{
	double packets, bytes;

	__atomic_load(&samples[instance][0].value, &packets, __ATOMIC_SEQ_CST);
	__atomic_load(&samples[instance][1].value, &bytes, __ATOMIC_SEQ_CST);
	now->packets = (uint64_t)packets;
	now->bytes = (uint64_t)bytes;
}

PEER(prometheus_c, .name = "prometheus_c", .init = init, .burst = burst, .read = read_now,
     .bytes = 2 * sizeof(struct sample));
