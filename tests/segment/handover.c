/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of a chain of them, each of which goes on with what the former counted: handover
 * PATH [ARGUMENTS OF THE EAL]... It prints what it found, and at "final" what it has added.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctr_key.h"
#include "ctr_segment.h"
#include "ctr_segment_reader.h"
#include "ho_stats.h"
#include "../support/need.h"

#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#endif

#define SESSIONS 20u
#define PORTS 700u
#define THREADS 3u

#ifdef AFTER
#define ADD_RENAMED ho_stats_add_after
#define INC_ONLY ho_stats_inc_only_after
#else
#define ADD_RENAMED ho_stats_add_before
#define INC_ONLY ho_stats_inc_only_before
#endif

static bool running = true;
static bool torn[2]; /* Whether the last reset of the default view, of billing, gave -EAGAIN. */
static uint32_t at[SESSIONS]; /* By number in the key. */
static struct {
	uint64_t kept, renamed, session[SESSIONS], vlan;
} added[THREADS];

static void
report(const struct ctr_segment_change *change, void *context)
{
	static const char *const fates[] = { "new", "removed", "changed", "lost" };

	(void)context;
	printf("%s:%s.%s ", fates[change->fate], change->scope,
	       change->item != NULL ? change->item : "*");
}

static void *
traffic(void *argument)
{
	const uint32_t me = (uint32_t)(uintptr_t)argument;
	uint32_t n = me + 77u;

	if (me != 0) /* the first has no lcore id */
		NEED(ctr_thread_register() == 0);
	while (__atomic_load_n(&running, __ATOMIC_RELAXED)) {
		const uint32_t session = (n = n * 1664525u + 1013904223u) >> 8;

		ho_stats_inc_kept();
		ho_stats_inc_narrow();
		INC_ONLY();
		ADD_RENAMED(3);
		ho_stats_observe_sizes(session % 1000);
		ho_stats_session_inc_pkts(at[session % SESSIONS]);
		ho_stats_lane_inc_pkts(at[session % SESSIONS], 1);
		ho_stats_drop_inc_pkts(HO_STATS_DROP_REASON_VLAN);
		ho_stats_port_inc_pkts(session % PORTS);
		added[me].kept++;
		added[me].renamed += 3;
		added[me].session[session % SESSIONS]++;
		added[me].vlan++;
	}
	ho_stats_flush();
	if (me != 0)
		ctr_thread_unregister();
	return NULL;
}

/* End the traffic, if that is not done. */
static void
halt(pthread_t *thread)
{
	uint32_t i;

	if (!__atomic_exchange_n(&running, false, __ATOMIC_RELAXED))
		return;
	for (i = 0; i < THREADS; i++)
		NEED(pthread_join(thread[i], NULL) == 0);
}

/* The sessions of this process, in an order of its own; those taken over are found by key. */
static void
make_sessions(void)
{
	uint32_t i;

	for (i = 0; i < SESSIONS; i++) {
		struct ho_stats_session_key key; /* one string, which has two names */

		memset(&key, 0, sizeof(key));
		snprintf((char *)&key, sizeof(key), "%u", i);
		if (ho_stats_session_key_find(&key, &at[i]) == 0)
			continue;
		NEED(ho_stats_session_alloc(&at[i]) == 0);
		NEED(ho_stats_session_key_set(at[i], &key) == 0);
	}
}

/* What the segment at `path` says of all ports, each by its number. */
static uint64_t
shown(const char *path)
{
	const struct ctr_segment_scope *scope;
	const struct ctr_segment_item *item;
	struct ctr_segment_reader *reader;
	uint64_t sum = 0, value = 0;
	uint32_t i;

	NEED(ctr_segment_open(&reader, path) == 0);
	scope = ctr_segment_find_scope(reader, "ho", "port");
	item = ctr_segment_find_item(reader, scope, "pkts");
	for (i = 0; i < PORTS; i++) {
		if (ctr_segment_get(reader, scope, item, i, &value) == 0)
			sum += value * (i + 1);
	}
	ctr_segment_leave(reader);
	return sum;
}

static uint64_t
renamed_of(const struct ho_stats_global *values)
{
#ifdef AFTER
	return values->after;
#else
	return values->before;
#endif
}

static void
print(const char *what)
{
	struct ho_stats_global all, raw, bill;
	struct ho_stats_session one;
	struct ho_stats_lane lane;
	struct ho_stats_drop drop;
	struct ho_stats_port port;
	const bool found = strcmp(what, "found") == 0;
	uint64_t sum = 0, lanes = 0, ports = 0;
	uint32_t i;
	int rc[2];

	ho_stats_flush();
	NEED(ho_stats_global_view_read(HO_STATS_VIEW_RAW, &raw) == 0);
	/* After a reset in the middle of an update, here or in a former process. */
	rc[0] = ho_stats_global_read(&all);
	rc[1] = ho_stats_global_view_read(HO_STATS_VIEW_BILLING, &bill);
	for (i = 0; i < 2; i++) {
		NEED(rc[i] == 0 || (rc[i] == -EAGAIN && (found || torn[i])));
		torn[i] = rc[i] != 0;
	}
	NEED(!found || rc[0] == rc[1]);
	NEED(ho_stats_drop_read(HO_STATS_DROP_REASON_VLAN, &drop) == 0);
	for (i = 0; i < SESSIONS; i++) {
		NEED(ho_stats_session_view_read(HO_STATS_VIEW_RAW, at[i], &one) == 0);
		NEED(ho_stats_lane_view_read(HO_STATS_VIEW_RAW, at[i], 1, &lane) == 0);
		lanes += lane.pkts * (i + 1);
		sum += one.pkts * (i + 1);
	}
	for (i = 0; i < PORTS; i++) {
		NEED(ho_stats_port_read(i, &port) == 0);
		ports += port.pkts * (i + 1);
	}
	printf("%s kept=%" PRIu64 " narrow=%" PRIu32 " renamed=%" PRIu64 " sessions=%" PRIu64
	       " lanes=%" PRIu64 " default=%" PRIu64 " billing=%" PRIu64 " vlan=%" PRIu64 " ports=%" PRIu64
	       " level=%" PRIu64 " busy=%d sizes=%" PRIu64 " titled=%d torn=%d\n", what, raw.kept, raw.narrow,
	       renamed_of(&raw), sum, lanes, all.kept, bill.kept, drop.pkts, ports, all.level,
	       all.mode == HO_STATS_GLOBAL_MODE_BUSY,
	       raw.sizes_to_64 + raw.sizes_to_512 + raw.sizes_above_512,
	       strcmp(all.title, "a title") == 0, torn[0] || torn[1]);
	fflush(stdout);
}

/* Reset a view; what it had counted. */
static uint64_t
reset(enum ho_stats_view view)
{
	struct ho_stats_global last;
	const int rc = ho_stats_global_view_reset(view, &last);

	NEED(rc == 0 || rc == -EAGAIN);
	torn[view == HO_STATS_VIEW_BILLING] = rc != 0;
	return last.kept;
}

/* Reset the view of billing again and again, and, if that is to be, the default one now and then;
 * says what both have returned, all in all. No reset is seen in the raw view.
 */
static void
mark(unsigned long marks, bool others)
{
	uint64_t billed = 0, defaults = 0, before = 0;
	struct ho_stats_global raw;
	unsigned long i;

	for (i = 0; i < marks; i++) {
		billed += reset(HO_STATS_VIEW_BILLING);
		if (others && i % 3 == 0)
			defaults += reset(HO_STATS_VIEW_DEFAULT);
		NEED(ho_stats_global_view_read(HO_STATS_VIEW_RAW, &raw) % -EAGAIN == 0);
		while (i % 64 == 0 && raw.kept == before) { /* something is counted meanwhile */
			sched_yield();
			NEED(ho_stats_global_view_read(HO_STATS_VIEW_RAW, &raw) % -EAGAIN == 0);
		}
		NEED(raw.kept >= before && raw.kept >= billed && raw.kept >= defaults);
		before = raw.kept;
	}
	printf("billed=%" PRIu64 " reset=%" PRIu64 "\n", billed, defaults);
	fflush(stdout);
}

static void
print_added(void)
{
	uint64_t kept = 0, renamed = 0, vlan = 0, sum = 0;
	uint32_t me, i;

	for (me = 0; me < THREADS; me++) {
		kept += added[me].kept;
		renamed += added[me].renamed;
		vlan += added[me].vlan;
		for (i = 0; i < SESSIONS; i++)
			sum += added[me].session[i] * (i + 1);
	}
	printf("added kept=%" PRIu64 " renamed=%" PRIu64 " vlan=%" PRIu64 " sessions=%" PRIu64 "\n",
	       kept, renamed, vlan, sum);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &ho_stats_module };
	struct ctr_segment_former former = { .path = argv[1], .wait_ms = 60000, .report = report };
	struct ctr_segment_options options = { .path = argv[1], .views = true, .former = &former };
	struct ctr_segment *segment;
	pthread_t thread[THREADS];
	char command[32];
	uint32_t i;
	int rc;

#ifdef CTR_PORT_DPDK
	NEED(rte_eal_init(argc - 1, argv + 1) >= 0);
#endif
	NEED(argc >= 2 && ho_stats_init() == 0);
	if (getenv("WAIT_MS") != NULL)
		former.wait_ms = (uint32_t)atoi(getenv("WAIT_MS"));
	rc = ctr_segment_create(&segment, modules, 1, &options);
	printf("| %d %d %d %d\n", rc, former.error, former.final, (int)former.instances);
	fflush(stdout);
	if (rc != 0)
		return 0;
	make_sessions();
	printf("shown=%" PRIu64 " ", shown(argv[1]));
	print("found");
	if (ho_stats_get_seen() == 0)
		ho_stats_touch_seen();
	ho_stats_set_level(ho_stats_get_level() + 1);
	ho_stats_set_mode(HO_STATS_GLOBAL_MODE_BUSY);
	NEED(ho_stats_set_title("a title") == 0);
	NEED(ctr_segment_start(segment, 1) == 0);
	for (i = 0; i < THREADS; i++)
		NEED(pthread_create(&thread[i], NULL, traffic, (void *)(uintptr_t)i) == 0);
	while (fgets(command, sizeof(command), stdin) != NULL) {
		if (strncmp(command, "bill", 4) == 0) {
			printf("billed kept=%" PRIu64 "\n", reset(HO_STATS_VIEW_BILLING));
		} else if (strncmp(command, "reset", 5) == 0) {
			printf("reset kept=%" PRIu64 "\n", reset(HO_STATS_VIEW_DEFAULT));
		} else if (strncmp(command, "mark", 4) == 0) {
			mark(strtoul(command + 5, NULL, 10), command[4] == 's');
		} else if (strncmp(command, "final", 5) == 0) {
			halt(thread);
			print_added();
			print("final");
			NEED(ctr_segment_final(segment) == 0);
			printf("done\n");
		}
		fflush(stdout);
	}
	halt(thread);
	ctr_segment_close(segment);
	ho_stats_fini();
	return 0;
}
