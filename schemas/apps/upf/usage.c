/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Usage reports of a capture of Example Protocol packets (ep/ep_proto.h): what upf/usage.yaml is
 * for. A session has up to four usage reporting rules. Each packet counts for all of them, in one
 * update, if their quotas permit it.
 *
 * Prints a line for each report: number of the packet, session, rule, kind, octets since the last
 * report of the rule, octets in total. Kinds are `volume` (a threshold, which is set again), `quota`
 * (the session stops) and `final` (the session ends, or the capture).
 *
 *     ctrgen build ../../upf/usage.yaml -o out
 *     cc -O2 usage.c out/usage_stats.c -Iout \
 *         $(ctrgen runtime --with segment --with openmetrics --cflags --archive --libs) -o usage
 *     ./usage ../ep/ep-loopback.pcap
 *
 * With `usage CAPTURE SEGMENT COUNT` it ends after packet COUNT and hands its counts over: the next
 * process with this segment continues behind that packet, in the same sessions. With `usage CAPTURE
 * ADDRESS` Prometheus may scrape it, for example at 127.0.0.1:9464.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr_openmetrics.h"
#include "ctr_segment.h"
#include "usage_stats.h"

#define RULES 4u
#define PORT 32473u

/** Octets of a rule: 0 is no threshold, or no quota. */
static const struct { uint64_t volume, quota; } rules[RULES] = {
	{ 400, 0 }, { 300, 1300 }, { 1000, 0 }, { 0, 2500 },
};

/** The URRs of a session; the state of its PDR tells whether it is open. */
static struct session {
	uint32_t num;
	uint32_t urr[RULES];
} sessions[USAGE_STATS_PDR_MAX];

static uint64_t number; /* of the packet */

static void
must(int rc, const char *what)
{
	if (rc == 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(-rc));
	exit(1);
}

static void
print(uint32_t session, uint32_t rule, const char *kind, uint64_t used, uint64_t count)
{
	printf("%" PRIu64 " %" PRIu32 " %" PRIu32 " %s %" PRIu64 " %" PRIu64 "\n", number, session,
	       rule, kind, used, count);
}

static void
report(uint32_t session, uint32_t rule, const char *kind, uint32_t urr, uint64_t count)
{
	print(session, rule, kind, count - usage_stats_urr_get_reported(urr), count);
	usage_stats_urr_set_reported(urr, count);
}

/** A crossing: report it, then set the threshold again or stop the session. */
static void
act(const struct ctr_crossing *crossing, void *user)
{
	struct usage_stats_urr_key key;

	(void)user;
	must(usage_stats_urr_key_get(crossing->at, &key), "key of an urr");
	if (crossing->limit == USAGE_STATS_URR_LIMIT_VOLUME) {
		report(key.session, key.rule, "volume", crossing->at, crossing->count);
		must(usage_stats_urr_volume_set(crossing->at, rules[key.rule].volume), "volume");
	} else {
		report(key.session, key.rule, "quota", crossing->at, crossing->count);
		usage_stats_pdr_set_session(key.session, USAGE_STATS_PDR_SESSION_STOPPED);
	}
}

static bool
is_open(uint32_t id)
{
	return usage_stats_pdr_get_session(id) >= USAGE_STATS_PDR_SESSION_OPEN; /* 0: never open */
}

static void
open_session(uint32_t id)
{
	struct session *s = &sessions[id];
	uint32_t i;

	usage_stats_pdr_set_session(id, USAGE_STATS_PDR_SESSION_OPEN);
	s->num = id % (RULES + 1);
	for (i = 0; i < s->num; i++) {
		const struct usage_stats_urr_key key = { .session = id, .rule = i };
		const uint64_t quota = rules[i].quota != 0 ? rules[i].quota : CTR_LIMIT_MOST;

		must(usage_stats_urr_alloc(&s->urr[i]), "urr");
		must(usage_stats_urr_key_set(s->urr[i], &key), "key");
		must(usage_stats_urr_quota_set(s->urr[i], quota), "quota");
		if (rules[i].volume != 0)
			must(usage_stats_urr_volume_set(s->urr[i], rules[i].volume), "volume");
	}
}

/** The last report has what no other one had: destroy() returns the exact final count. */
static void
close_session(uint32_t id)
{
	struct session *s = &sessions[id];
	struct usage_stats_urr last;
	uint32_t i;
	int rc;

	usage_stats_pdr_set_session(id, USAGE_STATS_PDR_SESSION_CLOSED);
	for (i = 0; i < s->num; i++) {
		const uint64_t reported = usage_stats_urr_get_reported(s->urr[i]);

		while ((rc = usage_stats_urr_destroy(s->urr[i], &last)) == -EINPROGRESS)
			usage_stats_burst_end();
		must(rc, "end of an urr");
		print(id, i, "final", last.bytes - reported, last.bytes);
	}
}

/** Count a packet, and act on what that crosses. */
static void
meter(uint32_t id, uint16_t size)
{
	const struct session *s = &sessions[id];

	if (!is_open(id))
		usage_stats_inc_drop_no_session();
	else if (usage_stats_pdr_get_session(id) == USAGE_STATS_PDR_SESSION_STOPPED)
		usage_stats_inc_drop_stopped();
	else if (!usage_stats_update_meter_try(id, s->urr, s->num, size)) {
		usage_stats_burst_end(); /* shares of the rest return: it may do */
		if (!usage_stats_update_meter_try(id, s->urr, s->num, size))
			usage_stats_inc_drop_stopped();
	}
	usage_stats_burst_end();
	(void)usage_stats_urr_crossed(act, NULL);
}

static unsigned int
be16(const uint8_t *at)
{
	return (unsigned int)at[0] << 8 | at[1];
}

/** The EP packet of a frame, its octets in *size; NULL if it has none. */
static const uint8_t *
classify(const uint8_t *frame, size_t len, uint16_t *size)
{
	const uint8_t *ip = frame + 14, *ep;
	size_t total, head;

	if (len < 34 || be16(frame + 12) != 0x0800 || ip[0] >> 4 != 4)
		return NULL;
	head = (size_t)(ip[0] & 15) * 4;
	total = be16(ip + 2);
	if (head < 20 || total > len - 14 || total < head + 8 + 16 || ip[9] != 17 ||
	    (be16(ip + 6) & 0x3fff) != 0 || be16(ip + head + 2) != PORT)
		return NULL;
	ep = ip + head + 8;
	*size = (uint16_t)(total - head - 8);
	if (memcmp(ep, "EP\1", 3) != 0 || ep[3] < 1 || ep[3] > 3 || be16(ep + 12) != *size - 16u ||
	    be16(ep + 4) != 0 || be16(ep + 6) >= USAGE_STATS_PDR_MAX)
		return NULL;
	return ep;
}

/** Find the rules of sessions that a former process has opened. */
static void
resume(void)
{
	uint32_t id, i;

	number = usage_stats_get_pkts();
	for (id = 0; id < USAGE_STATS_PDR_MAX; id++) {
		struct session *s = &sessions[id];

		s->num = is_open(id) ? id % (RULES + 1) : 0;
		for (i = 0; i < s->num; i++) {
			const struct usage_stats_urr_key key = { .session = id, .rule = i };

			must(usage_stats_urr_key_find(&key, &s->urr[i]), "urr of a session");
		}
	}
}

/** Replay a pcap file of this machine's byte order, up to packet `last`. Whether it has ended. */
static bool
replay(FILE *file, uint64_t last)
{
	uint64_t skip = number;

	static uint8_t frame[65536];
	uint32_t head[6], record[4];

	if (fread(head, sizeof(head), 1, file) != 1 || head[0] != 0xa1b2c3d4 || head[5] != 1)
		must(-EINVAL, "capture");
	while (fread(record, sizeof(record), 1, file) == 1) {
		const uint8_t *ep;
		uint16_t size;
		uint32_t id;

		if (record[2] > sizeof(frame) || fread(frame, record[2], 1, file) != 1)
			must(-EINVAL, "record of the capture");
		ep = classify(frame, record[2], &size);
		if (ep == NULL || skip > 0) {
			skip -= ep != NULL;
			continue;
		}
		if (number == last)
			return false;
		id = be16(ep + 6);
		number++;
		usage_stats_inc_pkts();
		if (ep[3] == 1 && !is_open(id))
			open_session(id);
		meter(id, size);
		if (ep[3] == 3 && is_open(id))
			close_session(id);
	}
	return true;
}

/** The capture has ended: so do all sessions. */
static void
finish(void)
{
	uint32_t id;

	for (id = 0; id < USAGE_STATS_PDR_MAX; id++)
		if (is_open(id))
			close_session(id);
	usage_stats_flush();
	printf("dropped %" PRIu64 " %" PRIu64 "\n", usage_stats_get_drop_no_session(),
	       usage_stats_get_drop_stopped());
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &usage_stats_module };
	struct ctr_segment_former former = { .path = argc == 4 ? argv[2] : NULL };
	const struct ctr_segment_options options = { .path = former.path, .former = &former };
	const struct ctr_openmetrics_options served = { .modules = modules, .num_modules = 1 };
	const bool right = argc >= 2 && argc <= 4;
	FILE *file = right ? fopen(argv[1], "rb") : NULL;
	struct ctr_segment *segment = NULL;

	if (file == NULL)
		must(right ? -errno : -EINVAL, "usage CAPTURE [ADDRESS | SEGMENT COUNT]");
	must(usage_stats_init(), "start");
	must(ctr_thread_register() < 0 ? -ENOMEM : 0, "thread");
	if (argc == 3)
		must(ctr_openmetrics_start(argv[2], &served), argv[2]);
	if (argc == 4) {
		must(ctr_segment_create(&segment, modules, 1, &options), "segment");
		resume();
	}
	if (replay(file, argc == 4 ? strtoull(argv[3], NULL, 10) : UINT64_MAX))
		finish();
	else
		must(ctr_segment_final(segment), "hand-over");
	ctr_openmetrics_stop();
	ctr_segment_close(segment);
	fclose(file);
	ctr_thread_unregister();
	usage_stats_fini();
	return 0;
}
