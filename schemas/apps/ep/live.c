/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts packets that are sent at a known rate, and shows the counters to others while it runs: in
 * a shared segment, and with --listen to Prometheus.
 *
 *     ep-live [EAL-OPTIONS..] -- --segment FILE [--rate N] [--publish MS] [--listen ADDRESS]
 *             [--series N]
 *
 * One thread sends N packets a second and counts them on its own account. Three others receive
 * and count them with ep_stats.h. Prints `serving`, then obeys lines on standard input, and
 * answers each with one line, until there are no more:
 *
 *     sent    packets sent and nanoseconds passed
 *     stop    stop sending, wait until all has arrived, and publish: the same two numbers
 *     go      send again
 *     reset   reset all counters
 *     read    all values that the C API gives, as JSON
 *     port    the port of --listen
 *
 * @return 0 when every packet that was sent was counted, 1 when not or on any other failure.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ctr.h>

#include "app.h"
#include "ctr_openmetrics.h"
#include "ctr_segment.h"
#include "ep_stats.h"
#include "live.h"

#define SECOND_NS UINT64_C(1000000000)
#define IDLE_US 200	/* how long a thread sleeps that has nothing to do */

/** Role of a thread. */
struct job {
	bool sends;
	unsigned int queue;	/**< of one that receives */
};

static const char *segment_path;
static struct ctr_openmetrics_options metrics = { .application = "demo", .all = true };
static const char *address;
static uint64_t rate = 20000;		/* packets a second */
static uint32_t publish_ms = 200;
static struct ctr_segment *segment;

static bool ending;			/* atomic */
static bool sending = true;		/* what the sender is to do; atomic */
static bool sends;			/* what it does; written by it, atomic */
static uint64_t sent;			/* packets; written by the sender, atomic */
static uint64_t passed;			/* nanoseconds of sending; the same */
static uint64_t received[LIVE_QUEUES];	/* each written by one thread, atomic */
static uint64_t reset_sent;		/* packets counted before the last reset */
static bool established[EP_STATS_SESSION_MAX];	/* atomic */

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

static void
rest(void)
{
	(void)usleep(IDLE_US);
}

/* ---- traffic ---- */

/** Send at the rate. What was late is made up for, so the number sent is that of the time. */
static void
sender(void)
{
	uint64_t count = 0, before = 0, begin = now_ns(), elapsed, due;

	while (!__atomic_load_n(&ending, __ATOMIC_RELAXED)) {
		if (!__atomic_load_n(&sending, __ATOMIC_ACQUIRE)) {
			before = passed;
			__atomic_store_n(&sends, false, __ATOMIC_RELEASE);
			rest();
			begin = now_ns();
			continue;
		}
		__atomic_store_n(&sends, true, __ATOMIC_RELEASE);
		elapsed = before + now_ns() - begin;
		due = elapsed / SECOND_NS * rate + elapsed % SECOND_NS * rate / SECOND_NS;
		while (count < due && live_send())
			count++;
		__atomic_store_n(&sent, count, __ATOMIC_RELEASE);
		__atomic_store_n(&passed, elapsed, __ATOMIC_RELEASE);
		rest();
	}
}

/** Open or close a session. Both at once, from two threads, are safe. */
static void
set_established(uint32_t session, bool open)
{
	if (__atomic_exchange_n(&established[session], open, __ATOMIC_RELAXED) == open)
		return;
	if (open)
		ep_stats_add_sessions(1);
	else
		ep_stats_sub_sessions(1);
}

static void
receiver(unsigned int queue)
{
	struct live_packet packet[LIVE_BURST];
	struct ep_stats_batch batch;
	uint64_t count = 0;
	unsigned int i, n;

	while (!__atomic_load_n(&ending, __ATOMIC_RELAXED)) {
		n = live_receive(queue, packet);
		ep_stats_batch_begin(&batch);
		for (i = 0; i < n; i++) {
			ep_stats_batch_packet(&batch, packet[i].session, packet[i].size);
			if (packet[i].opens || packet[i].closes)
				set_established(packet[i].session, packet[i].opens);
		}
		ep_stats_batch_end(&batch);
		ep_stats_burst_end();
		count += n;
		if (n < LIVE_BURST) {
			ep_stats_flush();	/* before it sleeps */
			__atomic_store_n(&received[queue], count, __ATOMIC_RELEASE);
			rest();
		}
	}
}

static void
work(void *arg)
{
	const struct job *job = arg;

	if (job->sends)
		sender();
	else
		receiver(job->queue);
	ep_stats_flush();
}

/* ---- control ---- */

static uint64_t
total_received(void)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < LIVE_QUEUES; i++)
		sum += __atomic_load_n(&received[i], __ATOMIC_ACQUIRE);
	return sum;
}

/** Let the sender send or not, and wait until it does so. */
static void
let_send(bool send)
{
	__atomic_store_n(&sending, send, __ATOMIC_RELEASE);
	while (__atomic_load_n(&sends, __ATOMIC_ACQUIRE) != send)
		rest();
}

/** Stop sending. What was sent is then counted and published. */
static void
stop(void)
{
	let_send(false);
	while (total_received() != __atomic_load_n(&sent, __ATOMIC_ACQUIRE))
		rest();
	app_must(ctr_segment_publish(segment), "ctr_segment_publish");
}

static void
print_sent(void)
{
	printf("%" PRIu64 " %" PRIu64 "\n", __atomic_load_n(&sent, __ATOMIC_ACQUIRE),
			__atomic_load_n(&passed, __ATOMIC_ACQUIRE));
}

/** Print an instance of a scope as an object of JSON. */
static void
print_values(const struct ctr_scope *scope, const void *values)
{
	unsigned int i;

	for (i = 0; i < scope->num_items; i++)
		printf("%s\"%s\": %" PRIu64, i == 0 ? "{" : ", ", scope->items[i].name,
				ctr_item_value(&scope->items[i], values));
	printf("}");
}

static void
print_read(void)
{
	const struct ctr_scope *session = &ep_stats_module.scopes[1];
	const char *separator = "";
	struct ep_stats_session values;
	struct ep_stats_global total;
	uint32_t i;

	app_read(ep_stats_global_read(&total), "ep_stats_global_read");
	printf("{\"global\": ");
	print_values(&ep_stats_module.scopes[0], &total);
	printf(", \"session\": {");
	for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
		app_read(ep_stats_session_read(i, &values), "ep_stats_session_read");
		printf("%s\"%" PRIu32 "\": ", separator, i);
		print_values(session, &values);
		separator = ", ";
	}
	printf("}}\n");
}

/** Reset everything, and remember what is lost to the comparison at the end. */
static void
reset(void)
{
	struct ep_stats_global last;

	app_read(ep_stats_global_reset(&last), "ep_stats_global_reset");
	app_read(ep_stats_session_reset_all(NULL), "ep_stats_session_reset_all");
	reset_sent += last.total_pkts;
	printf("0\n");
}

/** Obey one line; at the end of them, end. */
static void
control(void)
{
	char line[16];

	if (__atomic_load_n(&ending, __ATOMIC_RELAXED)) {
		rest();
		return;
	}
	if (fgets(line, sizeof(line), stdin) == NULL) {
		stop();
		__atomic_store_n(&ending, true, __ATOMIC_RELAXED);
		return;
	}
	if (strcmp(line, "sent\n") == 0) {
		print_sent();
	} else if (strcmp(line, "stop\n") == 0) {
		stop();
		print_sent();
	} else if (strcmp(line, "go\n") == 0) {
		let_send(true);
		printf("0\n");
	} else if (strcmp(line, "reset\n") == 0) {
		reset();
	} else if (strcmp(line, "read\n") == 0) {
		print_read();
	} else if (strcmp(line, "port\n") == 0) {
		printf("%u\n", ctr_openmetrics_port());
	} else {
		printf("sent, stop, go, reset, read or port?\n");
	}
	fflush(stdout);
}

static void
parse_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "segment", required_argument, NULL, 's' },
		{ "rate", required_argument, NULL, 'r' },
		{ "publish", required_argument, NULL, 'p' },
		{ "listen", required_argument, NULL, 'l' },
		{ "series", required_argument, NULL, 'n' },
		{ NULL, 0, NULL, 0 },
	};
	int opt;

	while (argc > 1 && strcmp(argv[0], "--") != 0) {
		argc--;
		argv++;
	}
	optind = 1;
	while ((opt = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (opt == 's')
			segment_path = optarg;
		else if (opt == 'r')
			rate = strtoull(optarg, NULL, 10);
		else if (opt == 'p')
			publish_ms = (uint32_t)strtoul(optarg, NULL, 10);
		else if (opt == 'l')
			address = optarg;
		else if (opt == 'n')
			metrics.series = (uint32_t)strtoul(optarg, NULL, 10);
		else
			segment_path = NULL;
	}
	if (segment_path == NULL || publish_ms == 0) {
		fprintf(stderr, "usage: ep-live [EAL-OPTIONS..] -- --segment FILE [--rate N] "
				"[--publish MS] [--listen ADDRESS] [--series N]\n");
		exit(EXIT_FAILURE);
	}
}

int
main(int argc, char **argv)
{
	static struct job jobs[1 + LIVE_QUEUES] = { { .sends = true } };
	const struct ctr_module *const modules[] = { &ep_stats_module };
	struct ctr_segment_options options = { 0 };
	struct ep_stats_global total;
	unsigned int i;

	for (i = 0; i < LIVE_QUEUES; i++)
		jobs[1 + i].queue = i;
	parse_options(argc, argv);	/* before the EAL, which overwrites the "--" */
	app_start(argc, argv);
	app_must(ep_stats_init(), "ep_stats_init");
	ep_stats_set_link_up(true);
	live_traffic_start();
	options.path = segment_path;
	app_must(ctr_segment_create(&segment, modules, 1, &options), "ctr_segment_create");
	app_must(ctr_segment_start(segment, publish_ms), "ctr_segment_start");
	metrics.modules = modules;
	metrics.num_modules = 1;
	if (address != NULL)
		app_must(ctr_openmetrics_start(address, &metrics), "ctr_openmetrics_start");
	printf("serving\n");
	fflush(stdout);

	app_run(work, jobs, sizeof(jobs[0]), 1 + LIVE_QUEUES, control);

	app_read(ep_stats_global_read(&total), "ep_stats_global_read");
	app_check("packets", 0, reset_sent + total.total_pkts, sent);
	ctr_openmetrics_stop();
	ctr_segment_close(segment);
	live_traffic_stop();
	ep_stats_fini();
	app_stop();
	return app_verdict();
}
