/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Values for every item of mon.yaml.
 */
#ifndef FILL_H
#define FILL_H

#include <string.h>

#include "mon_stats.h"

/** Count and set everything; 0 if all went well. */
static inline int
fill(void)
{
	const uint8_t remote[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 0xff };
	const uint8_t station[6] = { 2, 0, 0, 0, 0x80, 0xab };
	const uint8_t octets[4] = { 192, 0, 2, 200 };
	uint32_t address = 0, port, queue;
	int rc;

	memcpy(&address, octets, sizeof(address));
	mon_stats_add_wide(UINT64_C(0xfedcba9876543210));
	mon_stats_add_narrow_errors(UINT32_C(4000000000));
	mon_stats_observe_sizes(60);
	mon_stats_observe_sizes(64);
	mon_stats_observe_sizes(65);
	mon_stats_observe_sizes(9000);
	mon_stats_set_depth(9);
	mon_stats_set_depth(4);
	mon_stats_set_fill(UINT64_C(1) << 40);
	mon_stats_set_up(true);
	mon_stats_set_down(false);
	mon_stats_set_level(-5);
	mon_stats_set_serial(UINT64_MAX);
	mon_stats_set_mode(MON_STATS_GLOBAL_MODE_HALF_OPEN);
	mon_stats_set_since(12345);
	mon_stats_touch_touched();
	mon_stats_set_address(address);
	mon_stats_set_remote(remote);
	mon_stats_set_station(station);
	mon_stats_set_title("A \"ti\\tle\" \xc3\xa9");
	mon_stats_set_wide_total(11);
	mon_stats_set_title_info(12);
	for (port = 0; port < MON_STATS_PORT_MAX; port++) {
		mon_stats_port_add_frames(port, port * 10);
		mon_stats_port_set_phase(port, port == 0 ? MON_STATS_PORT_PHASE_CLOSED :
							   MON_STATS_PORT_PHASE_OPENED);
		for (queue = 0; queue < MON_STATS_QUEUE_MAX; queue++)
			mon_stats_queue_add_pkts(port, queue, port * 100 + queue);
	}
	mon_stats_drop_add_pkts(MON_STATS_DROP_REASON_TTL, MON_STATS_DROP_DIRECTION_IN, 3);
	rc = mon_stats_flow_create(7);
	if (rc == 0)
		rc = mon_stats_flow_create(999);
	if (rc == 0)
		rc = mon_stats_many_create(19999);
	mon_stats_flow_add_hits(7, 70);
	return rc;
}

#endif /* FILL_H */
