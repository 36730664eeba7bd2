/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What applications call for every packet, as functions of their own whose
 * instructions are counted: of hot_* those up to the first return, which is the
 * way of an lcore; of all_*, which have loops, all.
 */
#include "ep_stats.h"

#define FAST(name, parameters, call) \
	void name parameters; \
	void name parameters \
	{ \
		call; \
	}

FAST(hot_update_packet, (uint32_t session, uint16_t size), ep_stats_update_packet(session, size))
FAST(hot_run_packet, (uint32_t session, uint64_t n, uint64_t size),
		ep_stats_run_packet(session, n, size))
FAST(all_update_packet_bulk, (const uint32_t *session, const uint16_t *size, unsigned int n),
		ep_stats_update_packet_bulk(session, size, n))
FAST(hot_batch_begin, (struct ep_stats_batch *b), ep_stats_batch_begin(b))
FAST(all_batch_packet, (struct ep_stats_batch *b, uint32_t session, uint16_t size),
		ep_stats_batch_packet(b, session, size))
FAST(all_batch_end, (struct ep_stats_batch *b), ep_stats_batch_end(b))
FAST(hot_inc_total_pkts, (void), ep_stats_inc_total_pkts())
FAST(hot_add_total_bytes, (uint64_t n), ep_stats_add_total_bytes(n))
FAST(hot_session_inc_pkts, (uint32_t session), ep_stats_session_inc_pkts(session))
FAST(hot_session_add_bytes, (uint32_t session, uint64_t n), ep_stats_session_add_bytes(session, n))
FAST(hot_session_prefetch, (uint32_t session), ep_stats_session_prefetch(session))
FAST(hot_inc_sessions, (void), ep_stats_inc_sessions())
FAST(hot_sub_sessions, (uint64_t n), ep_stats_sub_sessions(n))
FAST(hot_set_link_up, (bool v), ep_stats_set_link_up(v))
