/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Changes items as it is told and serves them: `trap_main SOCKET`. Each command is answered with
 * a number.
 *
 *   load N, link PORT STATE, add SESSION N, create N, reset N
 *   judge      wait until everything was evaluated at least once since now
 *   totals     what was told, cleared, limited and lost
 */
#include <stdio.h>
#include <string.h>

#include "gw_stats_agentx.h"

#include "../agentx/serve.h"

/* Rows whose index is not their position: session 3 is row 7.1000003. */
static int
session_index(const uint32_t *index, uint32_t *suffix)
{
	suffix[0] = 7;
	suffix[1] = 1000000 + index[0];
	return 2;
}

/* Two passes of each of the five groups with a period of a second, one of the other, and the rest
 * of one: so that a pass of each begins and ends from now on.
 */
#define PASSES 12

static int
obey(const char *line)
{
	struct ctr_watch_totals totals;
	unsigned int a = 0, b = 0;

	if (sscanf(line, "load %u", &a) == 1) {
		gw_stats_set_load(a);
	} else if (sscanf(line, "link %u %u", &a, &b) == 2) {
		gw_stats_port_set_link(a, (enum gw_stats_port_link)b);
	} else if (sscanf(line, "add %u %u", &a, &b) == 2) {
		gw_stats_session_add_drops(a, b);
		gw_stats_session_add_pkts(a, 1);
	} else if (sscanf(line, "create %u", &a) == 1) {
		return gw_stats_session_create(a);
	} else if (sscanf(line, "reset %u", &a) == 1) {
		return gw_stats_session_reset(a, NULL);
	} else if (strncmp(line, "judge", 5) == 0) {
		return judge(PASSES);
	} else if (strncmp(line, "totals", 6) == 0) {
		ctr_agentx_notified(&totals);
		printf("%lu %lu %lu ", totals.raised, totals.cleared, totals.lost);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static const uint8_t address[16] = { 0x20, 1, 0x0d, 0xb8 };

	if (argc < 2 || gw_stats_init() != 0 ||
	    ctr_agentx_map(&gw_stats_module, "session", session_index) != 0)
		return 2;
	gw_stats_set_spare(100);
	gw_stats_port_set_addr(1, address);
	gw_stats_port_set_link(1, GW_STATS_PORT_LINK_UP);
	return serve(&gw_stats_agentx, argv[1], obey, NULL);
}
