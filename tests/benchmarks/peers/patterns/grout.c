/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An array by interface and lcore, a line each; packets in a row of one interface are summed up
 * and added at once; the control thread resets with memset(), whatever workers do meanwhile.
 */
#include <errno.h>
#include <string.h>

#include "peers.h"

struct stats {
	struct pair rx, tx, control_rx, control_tx;
} __attribute__((aligned(CTR_CACHE_LINE)));

static struct stats (*stats)[THREADS];

static int
init(uint32_t instances)
{
	stats = (struct stats(*)[THREADS])PEER_ARRAY(struct stats, (size_t)THREADS * instances);
	return stats != NULL ? 0 : -ENOMEM;
}

static inline void
add(unsigned int thread, uint32_t instance, uint16_t packets, uint64_t bytes)
{
	stats[instance][thread].rx.packets += packets;
	stats[instance][thread].rx.bytes += bytes;
}

static void
burst(unsigned int thread, const uint32_t *instance, const uint16_t *bytes)
{
	uint32_t last = UINT32_MAX;
	uint16_t packets = 0;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < BURST; i++) {
		PEER_PACKET();
		if (instance[i] != last) {
			if (packets != 0)
				add(thread, last, packets, sum);
			last = instance[i];
			packets = 0;
			sum = 0;
		}
		packets++;
		sum += bytes[i];
	}
	add(thread, last, packets, sum);
}

static void
read_sum(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ 0 };
	for (unsigned int t = 0; t < THREADS; t++)
		peer_sum(now, &stats[instance][t].rx);
}

static void
reset(uint32_t instance, struct pair *taken)
{
	read_sum(instance, taken);
	memset(stats[instance], 0, sizeof(stats[instance]));
	PEER_PACKET();
}

PEER(grout, .name = "grout", .init = init, .burst = burst, .read = read_sum, .reset = reset,
     .more = sizeof(struct stats));
