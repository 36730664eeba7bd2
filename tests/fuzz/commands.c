/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * The commands of a benchmark program: any line is answered with one line of JSON or
 * not at all, and only what can be measured is. The file is compiled as it is; what it
 * calls is here.
 */
#define main bench_main
#include "bench/bench_main.c"
#undef main
#include "target.h"

#define WORKERS 3u

int
ctr_port_check(bool alone)
{
	(void)alone;
	return 0;
}

static void
nothing(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n, struct ctr_bench_work *work)
{
	(void)t;
	(void)at;
	(void)n;
	(void)work;
}

static int
ready(unsigned int lcore)
{
	(void)lcore;
	return 0;
}

static const struct ctr_bench_way ways[] = {
	{ "none", nothing }, { "single", nothing }, { "hand", nothing }, { NULL, NULL },
};
const struct ctr_bench ctr_bench = { .ways = ways, .hand_init = ready };

const char *
bench_run(const struct bench_options *o, struct bench_result *result)
{
	expect(o->way != NULL && o->way >= ways && o->way < ways + 3);
	expect(o->workers >= 1 && o->workers <= WORKERS);
	expect(o->flows >= 1);
	expect(o->ms >= 0 && o->ms <= UINT32_MAX && o->reads >= 0 && o->resets >= 0);
	memset(result, 0, sizeof(*result));
	result->counted = o->flows;
	return o->iterations && o->slice ? "not both" : NULL;
}

double
bench_calibrate(void)
{
	return 1.5;
}

const char *
rte_version(void)
{
	return "DPDK";
}

uint64_t
rte_get_tsc_hz(void)
{
	return 1000000000;
}

unsigned int
rte_lcore_count(void)
{
	return WORKERS + 1;
}

unsigned int
rte_get_next_lcore(unsigned int i, int skip, int wrap)
{
	(void)skip;
	(void)wrap;
	return i + 1 <= WORKERS ? i + 1 : RTE_MAX_LCORE;
}

int
rte_eal_init(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return -1;
}

int
rte_eal_cleanup(void)
{
	return 0;
}

int
rte_malloc_get_socket_stats(int socket, struct rte_malloc_socket_stats *stats)
{
	(void)socket;
	(void)stats;
	return -1;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = (char *)malloc(size + 1), *said = NULL;
	FILE *terminal = stdout;
	size_t length = 0;

	expect(line != NULL);
	memcpy(line, data, size);
	line[size] = '\0';
	stdout = open_memstream(&said, &length);
	expect(stdout != NULL);
	command(line);
	(void)fclose(stdout);
	stdout = terminal;
	expect(length == 0 || (said[0] == '{' && strcmp(said + length - 2, "}\n") == 0 &&
			       strchr(said, '\n') == said + length - 1));
	free(said);
	free(line);
	return 0;
}
