/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as kernels of 32 bits have it: a sequence count around the adds, readers try again. */
#include "peers.h"

struct stats {
	struct pair sum;
	uint32_t sequence; /* odd: an update is on its way */
};

PEER_OF_THREADS(struct stats)

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	struct stats *mine = &of_thread[thread][instance];

	__atomic_store_n(&mine->sequence, mine->sequence + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	mine->sum.packets += 1;
	mine->sum.bytes += bytes;
	__atomic_store_n(&mine->sequence, mine->sequence + 1, __ATOMIC_RELEASE);
}

PEER_BURST(update, (void)0)

static void
read_sum(uint32_t instance, struct pair *now)
{
	*now = (struct pair){ 0 };
	for (unsigned int t = 0; t < THREADS; t++) {
		const struct stats *of = &of_thread[t][instance];
		struct pair part;
		uint32_t begin;

		do {
			while ((begin = __atomic_load_n(&of->sequence, __ATOMIC_ACQUIRE)) & 1)
				ctr_pause();
			part.packets = peer_load(&of->sum.packets);
			part.bytes = peer_load(&of->sum.bytes);
			__atomic_thread_fence(__ATOMIC_ACQUIRE);
		} while (__atomic_load_n(&of->sequence, __ATOMIC_RELAXED) != begin);
		peer_sum(now, &part);
	}
}

PEER(linux_u64_32, .name = "linux_u64_32", .init = init, .burst = burst, .read = read_sum,
     .more = sizeof(struct stats));
