/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts something in every item, and shows it in every way that there is: `main EAL-OPTIONS.. --
 * SEGMENT AGENTX-SOCKET`. Obeys lines on standard input, and ends each answer with a line `end`.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_eal.h>

#include "ctr_segment.h"
#include "ctr_telemetry.h"
#include "reach_stats_agentx.h"
#include "../segment/dump_module.h"
#include "../support/need.h"
#include "../support/stepped.h"
#include "wide.h" /* GLOBAL_ITEMS(X), ROW_ITEMS(X): the names of counters */

#define STEP UINT64_C(1799000000001) /* 5,006 of it are just below 2^53 */
#define SESSIONS 7u

static struct ctr_segment *segment;

/* What the application answers of a port: odd ones do not say how many packets came, the others do not
 * say how many wait; those of port 1 are none, which is another thing.
 */
static void
answer(uint32_t port, struct reach_stats_port *values, void *ctx)
{
	(void)ctx;
	values->came = UINT64_C(1) << (40 + port);
	values->available.came = port % 2 == 0;
	values->waiting = port - 1;
	values->available.waiting = port % 2 == 1;
}

/* ---- counting: two threads, so that readers have something to add up ---- */

/* What the n-th counter is to have: its greater part by lcore 0, the rest elsewhere. */
static uint64_t
share(uint32_t *n, bool elsewhere)
{
	const uint64_t value = ++*n * STEP;

	return elsewhere ? value / 3 : value - value / 3;
}

static void
count_wide(uint32_t *n, bool elsewhere)
{
	uint32_t i, j;

#define ADD(ITEM) reach_stats_add_##ITEM(share(n, elsewhere));
	GLOBAL_ITEMS(ADD)
#undef ADD
#define ADD(ITEM) reach_stats_flow_add_##ITEM(i, share(n, elsewhere));
	for (i = 0; i < REACH_STATS_FLOW_MAX; i++) {
		ROW_ITEMS(ADD)
	}
#undef ADD
#define ADD(ITEM) reach_stats_queue_add_##ITEM(i, j, share(n, elsewhere));
	for (i = 0; i < REACH_STATS_PORT_MAX; i++)
		for (j = 0; j < REACH_STATS_QUEUE_MAX; j++) {
			ROW_ITEMS(ADD)
		}
#undef ADD
}

static void
count(bool elsewhere)
{
	uint32_t n = 0, i, j;

	count_wide(&n, elsewhere);
	for (i = 0; i < REACH_STATS_DROP_REASON_MAX; i++)
		for (j = 0; j < REACH_STATS_DROP_DIRECTION_MAX; j++)
			reach_stats_drop_add_pkts(i, j, share(&n, elsewhere));
	for (i = 0; i < REACH_STATS_PORT_MAX; i++)
		reach_stats_port_add_taken(i, elsewhere ? 7 : i);
	for (i = 0; i < SESSIONS; i++)
		reach_stats_session_add_pkts(i * 16, share(&n, elsewhere));
	reach_stats_add_beyond((UINT64_C(1) << 53) - (elsewhere ? 7 : 6));
	reach_stats_add_most(elsewhere ? UINT64_C(1) << 63 : (UINT64_C(1) << 63) - 1);
	reach_stats_add_narrow(elsewhere ? 3000000000u : 1000000007u);
	reach_stats_observe_sizes(elsewhere ? 64 : UINT64_C(5000000000));
	reach_stats_observe_sizes(elsewhere ? 65 : 9000);
	reach_stats_observe_sizes(512);
}

static void *
count_elsewhere(void *unused)
{
	count(true);
	return unused;
}

static void
set_states(void)
{
	static const uint8_t remote[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 0xff };
	static const uint8_t station[6] = { 2, 0, 0, 0, 0x80, 0xab };
	uint32_t i;

	reach_stats_set_depth(4100000000u);
	reach_stats_set_depth(4000000000u);
	reach_stats_set_fill((UINT64_C(1) << 52) + 1);
	reach_stats_set_up(true);
	reach_stats_set_down(false);
	reach_stats_set_level(-5);
	reach_stats_set_serial((UINT64_C(1) << 53) - 1);
	reach_stats_set_mode(REACH_STATS_GLOBAL_MODE_HALF_OPEN);
	reach_stats_set_since(123456);
	reach_stats_set_address(htonl(0xc00002c8));
	reach_stats_set_remote(remote);
	reach_stats_set_station(station);
	reach_stats_set_title("A \"title\", \xc3\xa9=\\n");
	for (i = 0; i < REACH_STATS_PORT_MAX; i++)
		reach_stats_port_set_phase(i, i % 2 == 0 ? REACH_STATS_PORT_PHASE_CLOSED :
							   REACH_STATS_PORT_PHASE_OPENED);
}

static void
make_sessions(void)
{
	struct reach_stats_session_key key;
	uint32_t i;

	for (i = 0; i < SESSIONS; i++) {
		memset(&key, 0, sizeof(key));
		snprintf(key.imsi, sizeof(key.imsi), "26201%u", i * 7919);
		key.kind = i % 2 == 0 ? REACH_STATS_SESSION_KEY_KIND_HOME :
					REACH_STATS_SESSION_KEY_KIND_AWAY;
		NEED(reach_stats_session_create(i * 16) == 0);
		NEED(reach_stats_session_key_set(i * 16, &key) == 0);
	}
}

/* Fill what is left of the sessions, so that a creation is refused, and end these again. */
static void
refuse_sessions(void)
{
	bool before[REACH_STATS_SESSION_MAX];
	uint32_t i;

	for (i = 0; i < REACH_STATS_SESSION_MAX; i++)
		before[i] = reach_stats_session_exists(i);
	while (reach_stats_session_alloc(&i) == 0)
		;
	for (i = 0; i < REACH_STATS_SESSION_MAX; i++)
		NEED(before[i] || reach_stats_session_destroy(i, NULL) == 0);
	reach_stats_session_add_pkts(1, 1);
	reach_stats_note_late(4000000000u);
	reach_stats_note_drop(UINT64_C(5000000000));
}

/* An event, after which the wall clock is stepped; what it would have shown then. */
static void
touch(void)
{
	const uint64_t now_ns = ctr_time_ns();
	struct timespec wall;

	step_clock();
	NEED(clock_gettime(CLOCK_REALTIME, &wall) == 0);
	reach_stats_set_touched(now_ns);
	reach_stats_set_dated(now_ns);
	printf("%" PRIu64 "\n", (uint64_t)wall.tv_sec * 1000000000u + (uint64_t)wall.tv_nsec);
}

static void
obey(const char *line)
{
	if (strcmp(line, "dump") == 0) {
		dump_module(&reach_stats_module);
	} else if (strcmp(line, "more") == 0) { /* three counters are one more */
		reach_stats_add_c0(1);
		reach_stats_flow_add_c7_of_those_whose_names_fill_a_reply_soon(200, 1);
		reach_stats_queue_add_c9_of_those_whose_names_fill_a_reply_soon(13, 5, 1);
	} else if (strcmp(line, "touch") == 0) {
		touch();
	} else if (strcmp(line, "publish") == 0) {
		NEED(ctr_segment_publish(segment) == 0);
	}
	puts("end");
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &reach_stats_module };
	const int used = rte_eal_init(argc, argv);
	struct ctr_segment_options options = { .views = false };
	pthread_t thread;
	char line[64];

	NEED(used >= 0 && argc == used + 3);
	options.path = argv[used + 1];
	NEED(reach_stats_init() == 0);
	make_sessions();
	refuse_sessions();
	count(false);
	NEED(pthread_create(&thread, NULL, count_elsewhere, NULL) == 0);
	NEED(pthread_join(thread, NULL) == 0);
	set_states();
	reach_stats_port_provider_set(answer, NULL);
	reach_stats_flush();

	NEED(ctr_telemetry_register(&reach_stats_module, 0) == 0);
	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(reach_stats_agentx_start(argv[used + 2]) == 0);
	setvbuf(stdout, NULL, _IOLBF, 1 << 16);
	puts("end");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "quit") == 0)
			break;
		obey(line);
	}
	reach_stats_agentx_stop();
	ctr_segment_close(segment);
	(void)ctr_telemetry_unregister(&reach_stats_module);
	reach_stats_fini();
	return rte_eal_cleanup() == 0 ? 0 : 1;
}
