/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Serves the values of fill.h, once it is told to `fill`: `agent_main SOCKET`.
 */
#include <time.h>

#include "../agentx/serve.h"
#include "fill.h"
#include "mon_stats_agentx.h"

/* Some ticks of sysUpTime: a moment before the first of them is 0, which is none. */
static const struct timespec ticks = { .tv_nsec = 50000000 };

static int
obey(const char *line)
{
	(void)line;
	(void)nanosleep(&ticks, NULL);
	return fill();
}

int
main(int argc, char **argv)
{
	if (argc < 2 || mon_stats_init() != 0)
		return 2;
	return serve(&mon_stats_agentx, argv[1], obey, NULL);
}
