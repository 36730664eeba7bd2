/* SPDX-License-Identifier: BSD-3-Clause */
/** @file One instance, relaxed atomic adds. */
static struct hand_stats hand_stats;

static inline void
hand_update(uint32_t session, uint16_t size)
{
	__atomic_fetch_add(&hand_stats.total_pkts, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&hand_stats.total_bytes, size, __ATOMIC_RELAXED);
	__atomic_fetch_add(&hand_stats.session[session].pkts, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&hand_stats.session[session].bytes, size, __ATOMIC_RELAXED);
}
