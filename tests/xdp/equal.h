/* SPDX-License-Identifier: BSD-3-Clause */
/* The same updates for all ports and for the kernel; `turn` makes them differ. */
#define AMOUNTS 7u

static inline uint64_t
amount_of(uint32_t turn)
{
	switch (turn % AMOUNTS) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return 0xffff;
	case 3:
		return UINT64_C(1) << 31;
	case 4:
		return 0xffffffffu;
	case 5:
		return UINT64_C(1) << 63;
	default:
		return UINT64_MAX;
	}
}

static inline void
update_all(uint32_t turn)
{
	const uint64_t amount = amount_of(turn);
	const uint32_t port = turn % 5, queue = turn % 3, peer = turn % 71; /* Some beyond. */

	eq_stats_update_packet(port, queue, peer, (uint32_t)amount, amount);
	eq_stats_update_small(port, peer, (uint32_t)amount);
	eq_stats_inc_pkts();
	eq_stats_add_small((uint32_t)amount);
	eq_stats_sub_level((uint32_t)amount / 2);
	eq_stats_add_free(7);
	eq_stats_sub_free(2);
	eq_stats_set_up(turn % 2 == 0);
	eq_stats_set_id(amount);
	eq_stats_observe_largest(turn);
	eq_stats_port_add_pkts(port, amount);
	eq_stats_port_set_load(port, turn);
	eq_stats_drop_add_pkts(EQ_STATS_DROP_REASON_CRC, EQ_STATS_DROP_DIRECTION_OUT, amount);
	eq_stats_peer_add_credit(peer, 3);
	eq_stats_peer_inc_pkts(peer);
}
