/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts three packets of schemas/ep.yaml and serves them: `v3_main SOCKET`. Ends with its standard
 * input.
 */
#include <stdio.h>

#include "ep_stats_agentx.h"
#include "obey.h"

int
main(int argc, char **argv)
{
	if (argc < 2 || ep_stats_init() != 0 || ep_stats_agentx_start(argv[1]) != 0)
		return 2;
	ep_stats_add_total_pkts(3);
	obey_lines(NULL, NULL);
	ep_stats_agentx_stop();
	ep_stats_fini();
	printf("end\n");
	return 0;
}
