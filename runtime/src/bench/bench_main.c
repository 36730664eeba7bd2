/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The benchmark program: takes commands from the standard input, a line each,
 * and answers each with one line of JSON. Between commands it sleeps, so that
 * several programs can take turns on the same processors. Behind arguments of EAL
 * and `--` it takes a word for bench_choose_pages().
 *
 *   info                     what the program is
 *   timer, calibrate         cycles of the clock, and of the work's iteration
 *   clock                    TSC cycles of a cycle of the core
 *   chase BYTES              cycles of a load that depends on the one before
 *   rest CYCLES              cycles of a load from a line that was not used for so long
 *   transfer A B             cycles of a cache line between two processors
 *   run way=NAME key=value.. measure (see parse_option)
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_version.h>

#include "bench_run.h"

static size_t heap;
static bool hand_ready;

/* Bytes of counters in objects of the application. */
static size_t
in_objects(void)
{
	size_t sum = 0;
	unsigned int i;

	for (i = 0; i < ctr_bench.num_objects; i++)
		sum += ctr_bench.objects[i].count * ctr_bench.objects[i].size;
	return sum;
}

static void
print_info(void)
{
	const struct ctr_bench_way *way;

	printf("{\"version\": \"%s\", \"tsc_hz\": %" PRIu64 ", \"workers\": %u, \"heap\": %zu, "
	       "\"objects\": %zu, \"ways\": [",
	       rte_version(), rte_get_tsc_hz(), rte_lcore_count() - 1, heap, in_objects());
	for (way = ctr_bench.ways; way->name != NULL; way++)
		printf("%s\"%s\"", way == ctr_bench.ways ? "" : ", ", way->name);
	printf("], ");
	bench_print_memory();
	printf("}\n");
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

/* Position of a word in a list that ends in NULL; -1 without. */
static int
choice(const char *value, const char *const *words)
{
	int i;

	for (i = 0; words[i] != NULL; i++)
		if (strcmp(value, words[i]) == 0)
			return i;
	return -1;
}

static bool
parse_choice(struct bench_options *o, const char *key, const char *value)
{
	static const char *const schedulers[] = {
		"none", "dsw", "distributor", "pipeline", NULL
	};
	static const char *const distributions[] = { "uniform", "zipf", "bursts", NULL };
	static const char *const readers[] = { "snapshot", "instances", "walk", NULL };
	static const char *const affinities[] = { "none", "rare", "pinned", NULL };
	int found;

	if (strcmp(key, "scheduler") == 0) {
		found = choice(value, schedulers);
		o->scheduler = (enum bench_scheduler)found;
	} else if (strcmp(key, "distribution") == 0) {
		found = choice(value, distributions);
		o->distribution = (enum bench_distribution)found;
	} else if (strcmp(key, "affinity") == 0) {
		found = choice(value, affinities);
		o->affinity = (enum bench_affinity)found;
	} else if (strcmp(key, "reader") == 0) {
		found = choice(value, readers);
		o->reader = (enum bench_reader)found;
	} else {
		return false;
	}
	return found >= 0;
}

static bool
parse_option(struct bench_options *o, const char *key, const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (strcmp(key, "way") == 0) {
		o->way = bench_way(value);
		return o->way != NULL;
	}
	if (*value == '\0' || *end != '\0')
		return parse_choice(o, key, value);
	if (!(number >= 0) || number > UINT32_MAX)
		return false;
	if (strcmp(key, "lcores") == 0)
		o->workers = (unsigned int)number;
	else if (strcmp(key, "flows") == 0)
		o->flows = (uint32_t)number;
	else if (strcmp(key, "burst") == 0)
		o->burst = (uint32_t)number;
	else if (strcmp(key, "iterations") == 0)
		o->iterations = (uint32_t)number;
	else if (strcmp(key, "pressure") == 0)
		o->pressure = (uint32_t)number;
	else if (strcmp(key, "reads") == 0)
		o->reads = number;
	else if (strcmp(key, "resets") == 0)
		o->resets = number;
	else if (strcmp(key, "ms") == 0)
		o->ms = number;
	else if (strcmp(key, "slice") == 0)
		o->slice = (uint32_t)number;
	else if (strcmp(key, "latency") == 0)
		o->latency = (uint32_t)number;
	else
		return false;
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
		.burst = 1,
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
	if (o->flows == 0 || o->burst == 0)
		return "flows and burst are at least 1";
	if (o->latency > CTR_BENCH_BURST)
		return "no more packets than a burst are timed together";
	return NULL;
}

static void
print_passes(const char *name, const struct bench_passes *passes)
{
	printf(", \"%s\": {\"count\": %" PRIu64 ", \"ms\": %.4f}", name, passes->count,
	       (double)passes->ns * 1e-6);
}

static void
print_result(const struct bench_options *o, const struct bench_result *r)
{
	const struct bench_histogram *h = &r->histogram;
	unsigned int i;

	printf("{\"cycles\": %.3f, \"bare\": %.3f, \"clock\": %.5f, \"expected\": %" PRIu64
	       ", \"counted\": %" PRIu64 ", \"exact\": %s, \"ms\": %.3f, \"faults\": %" PRIu64,
	       r->cycles, r->bare, r->clock, r->expected, r->counted,
	       r->exact ? "true" : "false", r->ms, r->faults);
	if (o->slice != 0)
		printf(", \"turn\": %.3f, \"bare_turn\": %.3f", r->turn, r->bare_turn);
	print_passes("reads", &r->read);
	print_passes("resets", &r->reset);
	printf(", \"packets\": [");
	for (i = 0; i < o->workers; i++)
		printf("%s%" PRIu64, i == 0 ? "" : ", ", r->packets[i]);
	printf("]");
	if (o->latency != 0)
		printf(", \"latency\": {\"p50\": %" PRIu64 ", \"p99\": %" PRIu64 ", \"p999\": %" PRIu64
		       ", \"max\": %" PRIu64 ", \"samples\": %" PRIu64 "}",
		       bench_percentile(h, 0.5), bench_percentile(h, 0.99),
		       bench_percentile(h, 0.999), h->max, h->samples);
	printf("}\n");
}

/* Whether the pattern by hand can be run on every lcore. */
static bool
make_hand_ready(void)
{
	unsigned int lcore;

	RTE_LCORE_FOREACH(lcore) {
		if (!hand_ready && ctr_bench.hand_init(lcore) != 0)
			return false;
	}
	hand_ready = true;
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
		print_result(&options, &result);
}

static void
transfer_command(char **words)
{
	char *a = strtok_r(NULL, " \n", words), *b = strtok_r(NULL, " \n", words);

	printf("{\"cycles\": %.2f}\n", a != NULL && b != NULL ? bench_transfer(atoi(a), atoi(b)) : 0);
}

static void
command(char *line)
{
	char *words, *verb = strtok_r(line, " \n", &words);

	if (verb == NULL)
		return;
	if (strcmp(verb, "info") == 0)
		print_info();
	else if (strcmp(verb, "timer") == 0)
		printf("{\"cycles\": %.2f}\n", bench_timer());
	else if (strcmp(verb, "calibrate") == 0)
		printf("{\"cycles\": %.4f}\n", bench_calibrate());
	else if (strcmp(verb, "clock") == 0)
		printf("{\"cycles\": %.5f}\n", bench_clock());
	else if (strcmp(verb, "chase") == 0)
		printf("{\"cycles\": %.3f}\n", bench_chase(strtoul(words, NULL, 10)));
	else if (strcmp(verb, "rest") == 0)
		printf("{\"cycles\": %.3f}\n", bench_rest(strtod(words, NULL)));
	else if (strcmp(verb, "transfer") == 0)
		transfer_command(&words);
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

	bench_choose_pages(argv[argc - 1]);
	if (rte_eal_init(argc, argv) < 0)
		return 2;
	rc = ctr_bench.make_objects != NULL ? ctr_bench.make_objects() : 0;
	before = bench_allocated();
	if (rc == 0)
		rc = ctr_bench.module->init();
	if (rc == 0 && ctr_bench.create != NULL)
		rc = ctr_bench.create();
	if (rc != 0) {
		printf("{\"error\": \"no memory for the statistics\"}\n");
		return 1;
	}
	heap = bench_allocated() - before;
	bench_fault_in();
	while (fgets(line, sizeof(line), stdin) != NULL)
		command(line);
	ctr_bench.module->fini();
	(void)rte_eal_cleanup();
	return 0;
}
