/* SPDX-License-Identifier: BSD-3-Clause */
/** @file An instance for each lcore, under a sequence count. */
#define HAND_PER_LCORE 1
static struct hand_stats *hand_lcore[CTR_MAX_LCORE];

static inline void
hand_update(uint32_t session, uint16_t size)
{
	struct hand_stats *self = hand_lcore[ctr_lcore_id()];

	__atomic_store_n(&self->lock, self->lock + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	hand_add(&self->total_pkts, 1);
	hand_add(&self->total_bytes, size);
	hand_add(&self->session[session].pkts, 1);
	hand_add(&self->session[session].bytes, size);
	__atomic_store_n(&self->lock, self->lock + 1, __ATOMIC_RELEASE);
}
