/* SPDX-License-Identifier: BSD-3-Clause */
/** @file An instance for each lcore, behind a spin lock of its own. */
#define HAND_PER_LCORE 1
static struct hand_stats *hand_lcore[CTR_MAX_LCORE];

static inline void
hand_update(uint32_t session, uint16_t size)
{
	struct hand_stats *self = hand_lcore[ctr_lcore_id()];

	hand_lock(&self->lock);
	hand_add(&self->total_pkts, 1);
	hand_add(&self->total_bytes, size);
	hand_add(&self->session[session].pkts, 1);
	hand_add(&self->session[session].bytes, size);
	hand_unlock(&self->lock);
}
