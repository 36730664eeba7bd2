/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A writer that lost its core in the middle of an update, under sequence counts: who reads
 * gives up on it once for a call, and who resets takes every count all the same.
 *
 * Option: RETRIES, how often a reader retries one lcore.
 */
#include "ep_stats.h"
#include "harness.h"

#define SIZE 64

static uint64_t yields;
static struct ep_stats_instance *self;

void __real_ctr_yield(void);
void __wrap_ctr_yield(void);

void
__wrap_ctr_yield(void)
{
	yields++;
	__real_ctr_yield();
}

/* Begin with an lcore that has counted one packet of every session, two of session 9. */
static void
begin(void)
{
	uint32_t i;

	EQUAL(ep_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	self = (struct ep_stats_instance *)ctr_slots_get(&ep_stats_slots, ctr_lcore_id());
	for (i = 0; i < EP_STATS_SESSION_MAX; i++)
		ep_stats_update_packet(i, SIZE);
	ep_stats_update_packet(9, SIZE);
}

/* Its update of session 9 has come as far as its first counter. */
static void
park(void)
{
	ctr_seq_update_begin(&self->ctr_seq);
	ctr_add64(&self->session[9].pkts, 1);
}

static void
go_on(void)
{
	ctr_add64(&self->session[9].bytes, SIZE);
	ctr_seq_update_end(&self->ctr_seq);
}

static void
end(void)
{
	ep_stats_fini();
	ctr_thread_unregister();
}

/* What a call waits: one time for long, and briefly for every other instance. */
static void
expect_one_give_up(uint64_t before, const char *what)
{
	uint64_t most = (option("RETRIES", 200000) + 1001 * CTR_READ_RETRIES_BRIEF) / 128 + 8;

	CHECK(yields - before <= most, "%s waits %" PRIu64 " times, not %" PRIu64, what,
	      yields - before, most);
}

TEST(gives_up_once)
{
	struct ep_stats_snapshot *snap;
	struct ep_stats_session one;
	uint64_t before, ns;
	uint32_t i;

	begin();
	EQUAL(ep_stats_snapshot_create(&snap), 0);
	EQUAL(ep_stats_snapshot_read(snap), 0);
	EQUAL(snap->session_valid[9].pkts, CTR_VALID | CTR_CONSISTENT);
	park();
	before = yields;
	EQUAL(ep_stats_session_read(9, &one), -EAGAIN);
	EQUAL(one.pkts, 3);
	expect_one_give_up(before, "a read");
	CHECK(yields > before || option("RETRIES", 200000) < 128, "a read waits for nobody");
	before = yields;
	ns = ctr_time_ns();
	EQUAL(ep_stats_snapshot_read(snap), -EAGAIN);
	ns = ctr_time_ns() - ns;
	expect_one_give_up(before, "a snapshot");
	for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
		EQUAL(snap->session[i].pkts, i == 9 ? 3 : 1);
		EQUAL(snap->session_valid[i].pkts, CTR_VALID);
	}
	before = yields;
	EQUAL(ep_stats_session_reset_all(NULL), -EAGAIN);
	expect_one_give_up(before, "a reset of everything");
	go_on();
	EQUAL(ep_stats_snapshot_read(snap), -EAGAIN);
	EQUAL(snap->session_valid[9].pkts, CTR_VALID);
	EQUAL(ep_stats_session_reset_all(NULL), -EAGAIN);
	EQUAL(ep_stats_snapshot_read(snap), 0);
	EQUAL(snap->session_valid[9].pkts, CTR_VALID | CTR_CONSISTENT);
	printf("us=%" PRIu64 "\n", ns / 1000);
	ep_stats_snapshot_free(snap);
	end();
}

/* Each count is in what a reset returns, and gone from what is left. */
TEST(reset_takes)
{
	struct ep_stats_snapshot *snap;
	struct ep_stats_session last;
	struct ep_stats_global global;

	begin();
	EQUAL(ep_stats_snapshot_create(&snap), 0);
	park();
	EQUAL(ep_stats_session_reset(9, &last), -EAGAIN);
	EQUAL(last.pkts, 3);
	EQUAL(last.bytes, 2 * SIZE);
	EQUAL(ep_stats_session_get_pkts(9), 0);
	EQUAL(ep_stats_session_read(9, &last), -EAGAIN);
	EQUAL(last.pkts, 0);
	EQUAL(last.bytes, 0);
	EQUAL(ep_stats_global_reset(&global), -EAGAIN);
	EQUAL(global.total_pkts, EP_STATS_SESSION_MAX + 1);
	EQUAL(ep_stats_get_total_pkts(), 0);
	EQUAL(ep_stats_snapshot_reset(snap), -EAGAIN);
	EQUAL(snap->session[9].pkts, 0);
	EQUAL(snap->session[8].pkts, 1);
	EQUAL(ep_stats_session_get_pkts(8), 0);
	go_on();
	/* The second half belongs to the packet of before. */
	EQUAL(ep_stats_session_read(9, &last), -EAGAIN);
	EQUAL(ep_stats_session_reset(9, &last), -EAGAIN);
	EQUAL(last.pkts, 0);
	EQUAL(last.bytes, SIZE);
	EQUAL(ep_stats_session_read(9, &last), 0);
	EQUAL(ep_stats_reset(), -EAGAIN);
	EQUAL(ep_stats_reset(), 0);
	ep_stats_snapshot_free(snap);
	end();
}
