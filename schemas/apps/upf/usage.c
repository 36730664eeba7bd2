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
 *     cc -O2 usage.c out/usage_stats.c -Iout $(ctrgen runtime --cflags --archive --libs) -o usage
 *     ./usage ../ep/ep-loopback.pcap
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "usage_stats.h"

#define RULES 4u
#define PORT 32473u

/** Octets of a rule: 0 is no threshold, or no quota. */
static const struct { uint64_t volume, quota; } rules[RULES] = {
	{ 400, 0 }, { 300, 1300 }, { 1000, 0 }, { 0, 2500 },
};

/** A session: its URRs, and what the control plane does with it. */
struct session {
	bool open, stopped;
	uint32_t num;
	uint32_t urr[RULES];
};

static struct session sessions[USAGE_STATS_PDR_MAX];
static uint64_t reported[USAGE_STATS_URR_MAX]; /* octets, by URR */
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
report(uint32_t session, uint32_t rule, const char *kind, uint32_t urr, uint64_t count)
{
	printf("%" PRIu64 " %" PRIu32 " %" PRIu32 " %s %" PRIu64 " %" PRIu64 "\n", number, session,
	       rule, kind, count - reported[urr], count);
	reported[urr] = count;
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
		sessions[key.session].stopped = true;
	}
}

static void
open_session(uint32_t id)
{
	struct session *s = &sessions[id];
	uint32_t i;

	s->open = true;
	s->stopped = false;
	s->num = id % (RULES + 1);
	for (i = 0; i < s->num; i++) {
		const struct usage_stats_urr_key key = { .session = id, .rule = i };
		const uint64_t quota = rules[i].quota != 0 ? rules[i].quota : CTR_LIMIT_MOST;

		must(usage_stats_urr_alloc(&s->urr[i]), "urr");
		must(usage_stats_urr_key_set(s->urr[i], &key), "key");
		must(usage_stats_urr_quota_set(s->urr[i], quota), "quota");
		if (rules[i].volume != 0)
			must(usage_stats_urr_volume_set(s->urr[i], rules[i].volume), "volume");
		reported[s->urr[i]] = 0;
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

	s->open = false;
	for (i = 0; i < s->num; i++) {
		while ((rc = usage_stats_urr_destroy(s->urr[i], &last)) == -EINPROGRESS)
			usage_stats_burst_end();
		must(rc, "end of an urr");
		report(id, i, "final", s->urr[i], last.bytes);
	}
}

/** Count a packet, and act on what that crosses. */
static void
meter(uint32_t id, uint16_t size)
{
	const struct session *s = &sessions[id];

	if (!s->open)
		usage_stats_inc_drop_no_session();
	else if (s->stopped)
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

/** Replay a pcap file of this machine's byte order. */
static void
replay(FILE *file)
{
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
		if (ep == NULL)
			continue;
		id = be16(ep + 6);
		number++;
		if (ep[3] == 1 && !sessions[id].open)
			open_session(id);
		meter(id, size);
		if (ep[3] == 3 && sessions[id].open)
			close_session(id);
	}
}

int
main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	uint32_t id;

	if (file == NULL)
		must(argc == 2 ? -errno : -EINVAL, "usage CAPTURE");
	must(usage_stats_init(), "start");
	must(ctr_thread_register() < 0 ? -ENOMEM : 0, "thread");
	replay(file);
	fclose(file);
	for (id = 0; id < USAGE_STATS_PDR_MAX; id++)
		if (sessions[id].open)
			close_session(id);
	usage_stats_flush();
	printf("dropped %" PRIu64 " %" PRIu64 "\n", usage_stats_get_drop_no_session(),
	       usage_stats_get_drop_stopped());
	ctr_thread_unregister();
	usage_stats_fini();
	return 0;
}
