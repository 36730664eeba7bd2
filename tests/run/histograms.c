/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Histograms: each value is in its bucket, in every kind of scope. (amounts.c has the other calls, and
 * resets in views; stress.c threads that observe and reset.)
 *
 * Option: READS while threads observe.
 */
#include <errno.h>

#include "ctr.h"
#include "harness.h"
#include "his_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(his_stats_init(), 0), his_stats_fini())

#define REGISTERED 3
#define BURST 40 /* more than a bulk call handles at once */

static const uint64_t values[] = {
	0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 63, 64, 65, 100, 101, 128, 129, 512, 513, 1518, 1519,
	4095, 4096, 4097, UINT16_MAX, UINT32_MAX, (UINT64_C(1) << 62), (UINT64_C(1) << 62) + 1,
	INT64_MAX, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX - 1, UINT64_MAX
};
#define VALUES (sizeof(values) / sizeof(values[0]))

/* Values that were observed. */
struct tally {
	uint64_t bucket[16], sum;
};

static void
observe(struct tally *tally, const struct ctr_histogram *h, uint64_t value)
{
	unsigned int n = 0;

	while (n < h->num_bounds && value > h->bounds[n])
		n++;
	tally->bucket[n]++;
	tally->sum += value;
}

static void
check(const struct ctr_histogram *h, const void *read, const struct tally *wanted)
{
	unsigned int i;

	for (i = 0; i <= h->num_bounds; i++)
		CHECK(ctr_histogram_bucket(h, read, i) == wanted->bucket[i],
		      "%s: bucket %u has %" PRIu64 ", not %" PRIu64, h->name, i,
		      ctr_histogram_bucket(h, read, i), wanted->bucket[i]);
	CHECK(ctr_histogram_sum(h, read) == wanted->sum, "%s: the sum is %" PRIu64 ", not %" PRIu64,
	      h->name, ctr_histogram_sum(h, read), wanted->sum);
}

static const struct ctr_histogram *const sizes = &his_stats_session_sizes_histogram;
static const struct ctr_histogram *const bursts = &his_stats_session_bursts_histogram;
static const struct ctr_histogram *const delays = &his_stats_global_delays_histogram;
static const struct ctr_histogram *const gaps = &his_stats_flow_gaps_histogram;
static const struct ctr_histogram *const jitter = &his_stats_call_jitter_histogram;

/* Where bounds double, a bucket is found by the digits of a value. */
TEST(powers)
{
	unsigned int power, bounds, i, j;

	for (power = 0; power <= 62; power++)
		for (bounds = 1; power + bounds <= 63; bounds++)
			for (i = 0; i < VALUES; i++) {
				unsigned int wanted = 0;

				for (j = power; j < power + bounds; j++)
					wanted += values[i] > UINT64_C(1) << j;
				EQUAL(ctr_histogram_log2(values[i], power, bounds), wanted);
			}
}

CASE(one_by_one)
{
	struct tally of_delays = { .sum = 0 }, of_bursts = { .sum = 0 }, of_gaps = { .sum = 0 };
	struct tally of_sizes = { .sum = 0 }, of_jitter = { .sum = 0 };
	struct his_stats_call_embedded call;
	struct his_stats_call of_call;
	struct his_stats_session session;
	struct his_stats_global global;
	struct his_stats_flow flow;
	unsigned int i;

	EQUAL(his_stats_flow_create(7), 0);
	his_stats_call_init(&call);
	for (i = 0; i < VALUES; i++) {
		his_stats_observe_delays(values[i]);
		observe(&of_delays, delays, values[i]);
		his_stats_session_observe_bursts(2, values[i]);
		observe(&of_bursts, bursts, values[i]);
		his_stats_session_observe_sizes(2, values[i]);
		observe(&of_sizes, sizes, values[i]);
		his_stats_flow_observe_gaps(7, values[i]);
		observe(&of_gaps, gaps, values[i]);
		his_stats_call_observe_jitter(&call, values[i]);
		observe(&of_jitter, jitter, values[i]);
	}
	his_stats_session_observe_sizes(HIS_STATS_SESSION_MAX, 1);
	his_stats_flow_observe_gaps(3, 1);
	his_stats_flush();
	EQUAL(his_stats_drops(), 1);
	EQUAL(his_stats_late(), 1);
	EQUAL(his_stats_global_read(&global), 0);
	check(delays, &global, &of_delays);
	EQUAL(his_stats_session_read(2, &session), 0);
	check(bursts, &session, &of_bursts);
	check(sizes, &session, &of_sizes);
	EQUAL(his_stats_flow_read(7, &flow), 0);
	check(gaps, &flow, &of_gaps);
	EQUAL(his_stats_call_read(&call, &of_call), 0);
	check(jitter, &of_call, &of_jitter);
	EQUAL(ctr_histogram_count(gaps, &flow), VALUES);
	EQUAL(his_stats_session_get_sizes_to_0(2), 1);
	EQUAL(his_stats_session_get_sizes_to_0(1), 0);
	EQUAL(his_stats_session_get_sizes_above_1518(2), of_sizes.bucket[4]);
	EQUAL(his_stats_flow_get_gaps_sum(7), of_gaps.sum);
	EQUAL(session.pkts, 0);
	EQUAL(session.drops, 0);
}

/* In bulk and in a batch, of instances in any order. */
CASE(in_updates)
{
	struct tally of_sizes[HIS_STATS_SESSION_MAX];
	struct his_stats_session session;
	struct his_stats_batch batch;
	uint32_t index[BURST];
	uint16_t size[BURST];
	uint64_t delay[BURST];
	unsigned int i;

	memset(of_sizes, 0, sizeof(of_sizes));
	for (i = 0; i < BURST; i++) {
		index[i] = i / 3 % HIS_STATS_SESSION_MAX;
		size[i] = (uint16_t)values[i % 24];
		delay[i] = values[i % VALUES];
		observe(&of_sizes[index[i]], sizes, size[i]);
		observe(&of_sizes[index[i]], sizes, size[i]);
	}
	his_stats_update_packet_bulk(index, size, delay, BURST);
	his_stats_batch_begin(&batch);
	for (i = 0; i < BURST; i++)
		his_stats_batch_packet(&batch, index[i], size[i], delay[i]);
	his_stats_batch_end(&batch);
	his_stats_flush();
	for (i = 0; i < HIS_STATS_SESSION_MAX; i++) {
		EQUAL(his_stats_session_read(i, &session), 0);
		EQUAL(ctr_histogram_count(sizes, &session), session.pkts);
		check(sizes, &session, &of_sizes[i]);
	}
	EQUAL(his_stats_session_reset(1, &session), 0);
	check(sizes, &session, &of_sizes[1]);
	EQUAL(his_stats_session_read(1, &session), 0);
	EQUAL(ctr_histogram_count(sizes, &session) + session.sizes_sum, 0);
}

/* An update that fixes a label observes for that instance. */
CASE(of_a_label)
{
	const struct ctr_histogram *lengths = &his_stats_drop_lengths_histogram;
	struct tally wanted = { .sum = 0 }, none = { .sum = 0 };
	struct his_stats_drop drop;
	uint16_t length[BURST];
	unsigned int i;

	for (i = 0; i < BURST; i++) {
		length[i] = (uint16_t)values[i % 24];
		his_stats_update_expired(length[i]);
		observe(&wanted, lengths, length[i]);
		observe(&wanted, lengths, length[i]);
	}
	his_stats_update_expired_bulk(length, BURST);
	his_stats_flush();
	EQUAL(his_stats_drop_read(HIS_STATS_DROP_TTL, &drop), 0);
	check(lengths, &drop, &wanted);
	EQUAL(his_stats_drop_read(HIS_STATS_DROP_VLAN, &drop), 0);
	check(lengths, &drop, &none);
	his_stats_drop_observe_lengths(HIS_STATS_DROP_VLAN, 200);
	his_stats_flush();
	EQUAL(his_stats_drop_get_lengths_to_256(HIS_STATS_DROP_VLAN), 1);
}

TEST(described)
{
	const struct ctr_scope *session = &his_stats_module.scopes[1];
	const struct ctr_histogram *h = session->histograms[0];

	EQUAL(session->num_histograms, 2);
	CHECK(h == sizes, "another histogram is first");
	EQUAL(strcmp(h->name, "sizes"), 0);
	EQUAL(strcmp(h->unit, "By"), 0);
	EQUAL(h->num_bounds, 4);
	EQUAL(h->bounds[3], 1518);
	EQUAL(strcmp(session->items[h->item].name, "sizes_to_0"), 0);
	EQUAL(session->items[h->item].offset, h->first);
	EQUAL(session->items[h->item + h->num_bounds + 1].offset, h->sum);
	EQUAL(strcmp(session->items[h->item + h->num_bounds + 1].name, "sizes_sum"), 0);
	EQUAL(strcmp(session->histograms[1]->name, "bursts"), 0);
	EQUAL(his_stats_module.scopes[0].num_histograms, 1);
}

/* ---- threads ---- */

/* A read in the middle of updates has a group: one value for every packet, none of half a one. */
static uint32_t stop;

static void
same_values(struct worker *me)
{
	while (!is_set(&stop)) {
		his_stats_update_packet(1, 100, 1000);
		if (draw(me) % 16 == 0)
			his_stats_flush();
	}
	his_stats_flush();
}

CASE(together)
{
	struct worker workers[REGISTERED];
	struct his_stats_session session;
	uint64_t reads, whole = 0;

	stop = 0;
	workers_start(workers, REGISTERED, same_values, REGISTERED);
	workers_go();
	for (reads = option("READS", 3000); reads > 0; reads--) {
		int rc = reads % 8 == 0 ? his_stats_session_reset(1, &session)
					: his_stats_session_read(1, &session);

		if (rc == -EAGAIN)
			continue;
		EQUAL(rc, 0);
		whole++;
		EQUAL(ctr_histogram_count(sizes, &session), session.pkts);
		EQUAL(session.sizes_to_512, session.pkts);
		EQUAL(session.sizes_sum, 100 * session.pkts);
	}
	set_flag(&stop, 1);
	workers_join(workers, REGISTERED);
	CHECK(whole > 0, "no read was whole");
}
