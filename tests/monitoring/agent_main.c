/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Serves the values of fill.h: `agent_main SOCKET`. Ends with its standard input.
 */
#include <stdio.h>
#include <time.h>

#include "fill.h"
#include "mon_stats_agentx.h"

/* Some ticks of sysUpTime: a moment before the first of them is 0, which is none. */
static const struct timespec ticks = { .tv_nsec = 50000000 };

int
main(int argc, char **argv)
{
	char line[32];

	if (argc < 2 || mon_stats_init() != 0 || mon_stats_agentx_start(argv[1]) != 0)
		return 2;
	(void)nanosleep(&ticks, NULL);
	printf("%d\n", fill());
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL && line[0] != 'q')
		continue;
	mon_stats_agentx_stop();
	mon_stats_fini();
	printf("end\n");
	return 0;
}
