/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Serves the table of few.yaml until its standard input ends: `few_main SOCKET`.
 * Prints 0 when it does.
 */

#include "agw_stats_agentx.h"
#include "serve.h"

int
main(int argc, char **argv)
{
	uint32_t i;

	if (argc < 2 || agw_stats_init() != 0)
		return 2;
	for (i = 0; i < AGW_STATS_FEW_MAX; i++)
		agw_stats_few_set_level(i, i + 1);
	return serve(&agw_stats_agentx, argv[1], NULL, NULL);
}
