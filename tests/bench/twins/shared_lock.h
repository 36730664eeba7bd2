/* SPDX-License-Identifier: BSD-3-Clause */
/** @file One instance behind a spin lock. */
static struct hand_stats hand_stats;

static inline void
hand_update(uint32_t session, uint16_t size)
{
	hand_lock(&hand_stats.lock);
	hand_add(&hand_stats.total_pkts, 1);
	hand_add(&hand_stats.total_bytes, size);
	hand_add(&hand_stats.session[session].pkts, 1);
	hand_add(&hand_stats.session[session].bytes, size);
	hand_unlock(&hand_stats.lock);
}
