/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Serves a module and counts what is read of it: `scan_main SOCKET`. Obeys `most`, with the largest
 * number of rows that were read in one read section, and the number of rows and of sections since
 * the last time; `set N`, which sets the mode of a flow; `quit`.
 */
#include <stdio.h>
#include <string.h>

#include "agq_stats_agentx.h"
#include "serve.h"

static struct {
	unsigned int now, most, rows, sections; /* now: in the section that is open */
	int outside;                            /* rows that were read outside of a section */
	int open;
} seen;

static int (*flow_read)(const uint32_t *index, void *out);

static int
count_read(const uint32_t *index, void *out)
{
	seen.outside += !seen.open;
	seen.rows++;
	if (++seen.now > seen.most)
		seen.most = seen.now;
	return flow_read(index, out);
}

static void
count_lock(void)
{
	agq_stats_read_lock();
	seen.open = 1;
	seen.now = 0;
	seen.sections++;
}

static void
count_unlock(void)
{
	seen.open = 0;
	agq_stats_read_unlock();
}

static int
obey(const char *line)
{
	const int outside = seen.outside;
	unsigned int flow;

	if (sscanf(line, "set %u", &flow) == 1) {
		agq_stats_flow_set_mode(flow, AGQ_STATS_FLOW_MODE_WAITING);
		return 0;
	}
	printf("%u %u %u ", seen.most, seen.rows, seen.sections);
	memset(&seen, 0, sizeof(seen));
	return outside;
}

int
main(int argc, char **argv)
{
	static struct ctr_scope scopes[8];
	static struct ctr_module module;
	static struct ctr_agentx_module served;

	if (argc < 2 || agq_stats_init() != 0)
		return 2;
	module = agq_stats_module;
	memcpy(scopes, module.scopes, ctr_scopes_shown(&module) * sizeof(*scopes));
	flow_read = scopes[0].read;
	scopes[0].read = count_read;
	module.scopes = scopes;
	module.read_lock = count_lock;
	module.read_unlock = count_unlock;
	served = agq_stats_agentx;
	served.module = &module;
	return serve(&served, argv[1], obey, NULL);
}
