/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The benchmark program: takes commands from the standard input, a line each,
 * and answers each with one line of JSON. Between commands it sleeps, so that
 * runs of several programs can be interleaved on the same processors. After the EAL
 * arguments and `--` it takes a word for bench_choose_pages().
 *
 *   info                     facts about the program
 *   timer, calibrate         cycles of the clock, and of the work's iteration
 *   chase BYTES              cycles of a load that depends on the one before
 *   rest CYCLES              cycles of a load from a line unused for CYCLES
 *   transfer A B             cycles of a cache line between two processors
 *   run way=NAME key=value.. measure (see parse_option)
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_version.h>

#include "bench.h"

static size_t heap;

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

#define OFFSET(member) offsetof(struct bench_options, member)

/* Options, in `struct bench_options`: numbers of 32 bits, or words whose position is the value. */
static const struct {
	const char *name;
	size_t offset;
	const char *words[5];
	bool fraction; /* It is a double. */
} known_options[] = {
	{ "scheduler", OFFSET(scheduler), { "none", "pipeline" }, false },
	{ "distribution", OFFSET(distribution), { "uniform", "zipf", "bursts" }, false },
	{ "affinity", OFFSET(affinity), { "none", "rare", "pinned" }, false },
	{ "reader", OFFSET(reader), { "snapshot", "instances", "walk" }, false },
	{ "lcores", OFFSET(workers), { NULL }, false },
	{ "flows", OFFSET(flows), { NULL }, false },
	{ "burst", OFFSET(burst), { NULL }, false },
	{ "iterations", OFFSET(iterations), { NULL }, false },
	{ "pressure", OFFSET(pressure), { NULL }, false },
	{ "slice", OFFSET(slice), { NULL }, false },
	{ "latency", OFFSET(latency), { NULL }, false },
	{ "reads", OFFSET(reads), { NULL }, true },
	{ "resets", OFFSET(resets), { NULL }, true },
	{ "ms", OFFSET(ms), { NULL }, true },
};

static bool
parse_option(struct bench_options *o, const char *key, const char *value)
{
	double number = 0;
	uint32_t whole = 0;
	unsigned int i;
	char *end;

	if (strcmp(key, "way") == 0) {
		o->way = bench_way(value);
		return o->way != NULL;
	}
	for (i = 0; i < RTE_DIM(known_options) && strcmp(key, known_options[i].name) != 0; i++)
		continue;
	if (i == RTE_DIM(known_options))
		return false;
	if (known_options[i].words[0] != NULL) {
		while (strcmp(known_options[i].words[whole], value) != 0)
			if (known_options[i].words[++whole] == NULL)
				return false;
	} else {
		number = strtod(value, &end);
		if (*value == '\0' || *end != '\0' || !(number >= 0) || number > UINT32_MAX)
			return false;
		whole = (uint32_t)number;
	}
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
	static bool ready;
	unsigned int lcore;

	RTE_LCORE_FOREACH(lcore) {
		if (!ready && ctr_bench.hand_init(lcore) != 0)
			return false;
	}
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
		print_result(&options, &result);
}

static void
command(char *line)
{
	char *words, *verb = strtok_r(line, " \n", &words), *end;
	double cycles = -1;

	if (verb == NULL)
		return;
	if (strcmp(verb, "info") == 0)
		print_info();
	else if (strcmp(verb, "timer") == 0)
		cycles = bench_timer();
	else if (strcmp(verb, "calibrate") == 0)
		cycles = bench_calibrate();
	else if (strcmp(verb, "chase") == 0)
		cycles = bench_chase(strtoul(words, NULL, 10));
	else if (strcmp(verb, "rest") == 0)
		cycles = bench_rest(strtod(words, NULL));
	else if (strcmp(verb, "transfer") == 0) {
		const int a = (int)strtol(words, &end, 10);

		cycles = *end != '\0' ? bench_transfer(a, atoi(end)) : 0;
	} else if (strcmp(verb, "run") == 0)
		run_command(&words);
	else
		printf("{\"error\": \"a command that is not known\"}\n");
	if (cycles >= 0)
		printf("{\"cycles\": %.4f}\n", cycles);
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
