/* SPDX-License-Identifier: BSD-3-Clause */
/* The benchmark program: takes commands from the standard input, a line each,
 * and answers each with one line of JSON. Between commands it sleeps, so that
 * runs of several programs can be interleaved on the same processors.
 *
 *   info         facts about the program
 *   calibrate    cycles of the work's iteration
 *   run WAY LCORES FLOWS ITERATIONS SLICE READS RESETS MS
 *                measure: struct bench_options */
#include <inttypes.h>
#include <stdlib.h>

#include <rte_eal.h>
#include <rte_malloc.h>
#include <rte_version.h>

#include "bench.h"

static size_t heap;

extern char __data_start[], _end[]; /* the program's data */

/* Bytes that DPDK has allocated. */
static size_t
allocated(void)
{
	struct rte_malloc_socket_stats stats;
	size_t sum = 0;

	for (int socket = 0; socket < RTE_MAX_NUMA_NODES; socket++)
		if (rte_malloc_get_socket_stats(socket, &stats) == 0)
			sum += stats.heap_allocsz_bytes;
	return sum;
}

/* Also between the objects, which a sanitizer would report. */
static void __attribute__((no_sanitize_address))
touch(void *begin, size_t size)
{
	volatile char *at = (volatile char *)begin, *end = at + size;

	for (; at < end; at += 4096)
		*at = *at;
}

static void
print_info(void)
{
	const struct ctr_bench_call *way;

	printf("{\"version\": \"%s\", \"tsc_hz\": %" PRIu64 ", \"heap\": %zu, \"ways\": [",
	       rte_version(), rte_get_tsc_hz(), heap);
	for (way = ctr_bench.ways; way->name != NULL; way++)
		printf("%s\"%s\"", way == ctr_bench.ways ? "" : ", ", way->name);
	printf("]}\n");
}

const struct ctr_bench_call *
bench_way(const char *name)
{
	const struct ctr_bench_call *way;

	for (way = ctr_bench.ways; way->name != NULL; way++)
		if (strcmp(way->name, name) == 0)
			return way;
	return NULL;
}

/* Parse the words of a `run` command; NULL, or what is wrong with them. */
static const char *
parse_run(struct bench_options *o, const char *words)
{
	char way[16];

	if (sscanf(words, "%15s %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %lf %lf %lf", way,
		   &o->workers, &o->flows, &o->iterations, &o->slice, &o->reads, &o->resets,
		   &o->ms) != 8)
		return "a run is WAY LCORES FLOWS ITERATIONS SLICE READS RESETS MS";
	o->way = bench_way(way);
	if (o->way == NULL)
		return "no way of counting";
	if (o->workers == 0 || o->workers > rte_lcore_count() - 1)
		return "so many lcores there are not";
	if (o->flows == 0)
		return "flows are at least 1";
	if (!(o->reads >= 0) || !(o->resets >= 0) || !(o->ms >= 0) || o->ms > UINT32_MAX)
		return "rates and times are at least 0";
	return NULL;
}

static void
print_passes(const char *name, const struct bench_passes *passes)
{
	printf(", \"%s\": {\"count\": %" PRIu64 ", \"ms\": %.4f}", name, passes->count,
	       (double)passes->ns * 1e-6);
}

static void
print_result(const struct bench_result *r)
{
	printf("{\"cycles\": %.3f, \"bare\": %.3f, \"slice\": %.3f, \"bare_slice\": %.3f",
	       r->cycles, r->bare, r->slice, r->bare_slice);
	printf(", \"clock\": %.5f, \"expected\": %" PRIu64 ", \"counted\": %" PRIu64, r->clock,
	       r->expected, r->counted);
	printf(", \"exact\": %s, \"ms\": %.4f", r->exact ? "true" : "false", r->ms);
	print_passes("reads", &r->read);
	print_passes("resets", &r->reset);
	printf("}\n");
}

/* Whether the pattern by hand can be run on every lcore. */
static bool
make_hand_ready(void)
{
	static bool ready;
	unsigned int lcore;

	RTE_LCORE_FOREACH(lcore)
		if (!ready && ctr_bench.hand_init(lcore) != 0)
			return false;
	ready = true;
	return true;
}

static void
run_command(const char *words)
{
	static struct bench_result result;
	struct bench_options options;
	const char *error = parse_run(&options, words);

	if (error == NULL && strcmp(options.way->name, "hand") == 0 && !make_hand_ready())
		error = "no memory for the pattern by hand";
	if (error == NULL)
		error = bench_run(&options, &result);
	if (error != NULL)
		printf("{\"error\": \"%s\"}\n", error);
	else
		print_result(&result);
}

static void
command(char *line)
{
	char *words, *verb = strtok_r(line, " \n", &words);

	if (verb == NULL)
		return;
	if (strcmp(verb, "info") == 0)
		print_info();
	else if (strcmp(verb, "calibrate") == 0)
		printf("{\"cycles\": %.4f}\n", bench_calibrate());
	else if (strcmp(verb, "run") == 0)
		run_command(words);
	else
		printf("{\"error\": \"a command that is not known\"}\n");
	(void)fflush(stdout);
}

int
main(int argc, char **argv)
{
	char line[1024];
	size_t before;
	int rc;

	if (rte_eal_init(argc, argv) < 0)
		return 2;
	before = allocated();
	rc = ctr_bench.module->init();
	if (rc == 0 && ctr_bench.create != NULL)
		rc = ctr_bench.create();
	if (rc != 0) {
		printf("{\"error\": \"no memory for the statistics\"}\n");
		return 1;
	}
	heap = allocated() - before;
	/* The first write to a page takes thousands of cycles. ctr_alloc() does so itself. */
	touch(__data_start, (size_t)(_end - __data_start));
	while (fgets(line, sizeof(line), stdin) != NULL)
		command(line);
	ctr_bench.module->fini();
	(void)rte_eal_cleanup();
	return 0;
}
