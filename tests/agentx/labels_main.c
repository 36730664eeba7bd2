/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts something in each row and serves it: `labels_main SOCKET`. Ends with its standard input.
 */
#include "agl_stats_agentx.h"
#include "serve.h"

int
main(int argc, char **argv)
{
	uint32_t port, reason, direction;

	if (argc < 2 || agl_stats_init() != 0)
		return 2;
	agl_stats_drop_add_pkts(AGL_STATS_DROP_VLAN, 10);
	agl_stats_drop_add_pkts(AGL_STATS_DROP_TTL_EXPIRED, 20);
	agl_stats_drop_add_pkts(AGL_STATS_DROP_DEFAULT, 30);
	for (port = 0; port < AGL_STATS_PORT_MAX; port++)
		for (reason = 0; reason < AGL_STATS_FAULT_REASON_MAX; reason++)
			for (direction = 0; direction < AGL_STATS_FAULT_DIRECTION_MAX; direction++)
				agl_stats_fault_add_pkts(port, reason, direction,
							 100 * port + 10 * reason + direction);
	for (port = 0; port < AGL_STATS_SLOT_MAX; port++)
		agl_stats_lane_add_pkts(port, 1, 7 + port);
	agl_stats_lane_touch_last(1, 0);
	agl_stats_lane_add_depth(1, 0, 9);
	agl_stats_lane_sub_depth(1, 0, 5);
	agl_stats_lane_observe_burst(1, 0, UINT64_MAX - 3);
	agl_stats_lane_observe_gap(1, 0, 250);
	agl_stats_lane_set_id(1, 0, UINT64_MAX - 1);
	agl_stats_nic_add_pkts(1, 5);
	agl_stats_ring_add_pkts(1, 0, 6);
	agl_stats_ring_set_mode(0, 1, AGL_STATS_RING_MODE_WAITING);
	agl_stats_ring_set_mode(1, 1, AGL_STATS_RING_MODE_POLLING);
	agl_stats_ring_set_power(1, 1, AGL_STATS_RING_POWER_UP);
	return serve(&agl_stats_agentx, argv[1], NULL, NULL);
}
