/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of 64 bits for each CPU, each added to by one instruction; the sync is nothing. */
#include "peers.h"

PEER_OF_THREADS(struct pair)

static inline void
local_add(uint64_t *word, uint64_t n)
{
	__asm__ volatile("addq\t%1, %0" : "+m"(*word) : "er"(n) : "cc");
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	struct pair *mine = &of_thread[thread][instance];

	local_add(&mine->packets, 1);
	local_add(&mine->bytes, bytes);
}

PEER_BURST(update, (void)0)

static void
read_sum(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ 0 };
	for (unsigned int t = 0; t < THREADS; t++)
		peer_sum(now, &of_thread[t][instance]);
}

PEER(linux_u64, .name = "linux_u64", .init = init, .burst = burst, .read = read_sum,
     .more = sizeof(struct pair));
