/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts three packets of schemas/ep.yaml and serves them: `v3_main SOCKET`. Ends with its standard
 * input.
 */
#include "ep_stats_agentx.h"
#include "serve.h"

int
main(int argc, char **argv)
{
	if (argc < 2 || ep_stats_init() != 0)
		return 2;
	ep_stats_add_total_pkts(3);
	return serve(&ep_stats_agentx, argv[1], NULL, NULL);
}
