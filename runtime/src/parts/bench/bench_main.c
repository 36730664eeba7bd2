/* SPDX-License-Identifier: BSD-3-Clause */
/* The benchmark program: takes commands from the standard input, a line each,
 * and answers each with one line of JSON. Between commands it sleeps, so that
 * runs of several programs can be interleaved on the same processors.
 *
 *   info                     facts about the program
 *   calibrate                cycles of the work's iteration
 *   run way=NAME key=value.. measure (see known_options) */
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
	const struct ctr_bench_way *way;

	printf("{\"version\": \"%s\", \"tsc_hz\": %" PRIu64 ", \"heap\": %zu, \"ways\": [",
	       rte_version(), rte_get_tsc_hz(), heap);
	for (way = ctr_bench.ways; way->name != NULL; way++)
		printf("%s\"%s\"", way == ctr_bench.ways ? "" : ", ", way->name);
	printf("]}\n");
}

const struct ctr_bench_way *
bench_way(const char *name)
{
	const struct ctr_bench_way *way;

	for (way = ctr_bench.ways; way->name != NULL; way++)
		if (strcmp(way->name, name) == 0)
			return way;
	return NULL;
}

#define OFFSET(member) offsetof(struct bench_options, member)

/* Options, in `struct bench_options`: numbers of 32 bits, or doubles. */
static const struct {
	const char *name;
	size_t offset;
	bool fraction;
} known_options[] = {
	{ "lcores", OFFSET(workers), false },
	{ "flows", OFFSET(flows), false },
	{ "iterations", OFFSET(iterations), false },
	{ "slice", OFFSET(slice), false },
	{ "reads", OFFSET(reads), true },
	{ "resets", OFFSET(resets), true },
	{ "ms", OFFSET(ms), true },
};

static bool
parse_option(struct bench_options *o, const char *key, const char *value)
{
	uint32_t whole;
	unsigned int i;
	double number;
	char *end;

	if (strcmp(key, "way") == 0) {
		o->way = bench_way(value);
		return o->way != NULL;
	}
	for (i = 0; i < RTE_DIM(known_options) && strcmp(key, known_options[i].name) != 0; i++)
		continue;
	if (i == RTE_DIM(known_options))
		return false;
	number = strtod(value, &end);
	if (*value == '\0' || *end != '\0' || !(number >= 0) || number > UINT32_MAX)
		return false;
	whole = (uint32_t)number;
	if (known_options[i].fraction)
		memcpy((char *)o + known_options[i].offset, &number, sizeof(number));
	else
		memcpy((char *)o + known_options[i].offset, &whole, sizeof(whole));
	return true;
}

static const char *
parse_run(struct bench_options *o, char **words)
{
	char *word;

	*o = (struct bench_options){
		.way = bench_way("none"),
		.workers = 1,
		.flows = 1,
		.ms = 10,
	};
	while ((word = strtok_r(NULL, " \n", words)) != NULL) {
		char *value = strchr(word, '=');

		if (value == NULL)
			return "an option is key=value";
		*value++ = '\0';
		if (!parse_option(o, word, value))
			return "an option that is not known";
	}
	if (o->workers == 0 || o->workers > rte_lcore_count() - 1)
		return "so many lcores there are not";
	if (o->flows == 0)
		return "flows are at least 1";
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
run_command(char **words)
{
	static struct bench_result result;
	struct bench_options options;
	const char *error = parse_run(&options, words);

	if (error == NULL && options.way == NULL)
		error = "no way of counting";
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
		run_command(&words);
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
	/* The first write to a page takes thousands of cycles: ctr_alloc() has made it elsewhere. */
	touch(__data_start, (size_t)(_end - __data_start));
	while (fgets(line, sizeof(line), stdin) != NULL)
		command(line);
	ctr_bench.module->fini();
	(void)rte_eal_cleanup();
	return 0;
}
