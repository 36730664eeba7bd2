/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The module as a whole, also by its descriptor: beginning and end, snapshots, read sections.
 * (failures.c has memory that is not there.)
 */
#include "ep_stats.h"
#include "harness.h"
#include "heap.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(ep_stats_init(), 0), ep_stats_fini())

static void
count_some(void)
{
	uint32_t session;

	for (session = 0; session < 10; session++)
		ep_stats_session_add_pkts(session, session + 1);
	ep_stats_update_packet(5, 1500);
	ep_stats_set_sessions(12);
	ep_stats_set_link_up(true);
	ep_stats_flush();
}

TEST(life)
{
	const struct ctr_module *module = &ep_stats_module;
	unsigned int round;

	ep_stats_fini();
	EQUAL(ctr_thread_register(), 0);
	for (round = 0; round < 3; round++) {
		EQUAL(module->init(), 0);
		EQUAL(ep_stats_init(), -EALREADY);
		EQUAL(ep_stats_session_get_pkts(5), 0);
		EQUAL(ep_stats_get_total_pkts(), 0);
		EQUAL(ep_stats_get_total_bytes(), 0);
		EQUAL(ep_stats_get_sessions(), 0);
		EQUAL(ep_stats_get_link_up(), false);
		EQUAL(module->drops(), 0);
		count_some();
		EQUAL(ep_stats_init(), -EALREADY);
		EQUAL(ep_stats_session_get_pkts(5), 7);
		EQUAL(ep_stats_get_total_bytes(), 1500);
		module->fini();
		module->fini();
	}
	/* A buffer that was not flushed goes with the rest. */
	EQUAL(ep_stats_init(), 0);
	ep_stats_update_packet(5, 1500);
	ep_stats_fini();
	EQUAL(ep_stats_init(), 0);
	module->flush();
	EQUAL(ep_stats_get_total_pkts(), 0);
	ep_stats_fini();
	EQUAL(heap_blocks(), 0);
	ctr_thread_unregister();
}

TEST(snapshot)
{
	const struct ctr_scope *scope = &ep_stats_module.scopes[1];
	unsigned int counter = CTR_VALID | (scope->consistent ? CTR_CONSISTENT : 0), i;
	struct ep_stats_snapshot *snap = NULL;
	uint64_t before;

	EQUAL(ep_stats_init(), 0);
	count_some();
	EQUAL(ep_stats_snapshot_create(NULL), -EINVAL);
	EQUAL(ep_stats_snapshot_read(NULL), -EINVAL);
	EQUAL(ep_stats_snapshot_reset(NULL), -EINVAL);
	ep_stats_snapshot_free(NULL);
	EQUAL(ep_stats_snapshot_create(&snap), 0);
	EQUAL(snap->session_valid[0].pkts, 0);
	before = ctr_time_ns();
	EQUAL(ep_stats_snapshot_read(snap), 0);
	CHECK(before <= snap->start_ns && snap->start_ns <= snap->end_ns &&
	      snap->end_ns <= ctr_time_ns(), "the timestamps are not in order");
	EQUAL(snap->global.total_pkts, 1);
	EQUAL(snap->global.total_bytes, 1500);
	EQUAL(snap->global.sessions, 12);
	EQUAL(snap->global.link_up, true);
	EQUAL(snap->global_valid.total_pkts, counter);
	EQUAL(snap->global_valid.total_bytes, counter);
	EQUAL(snap->global_valid.sessions & CTR_VALID, CTR_VALID);
	EQUAL(snap->global_valid.link_up & CTR_VALID, CTR_VALID);
	for (i = 0; i < EP_STATS_SESSION_MAX; i++) {
		EQUAL(snap->session[i].pkts, i < 10 ? i + 1 + (i == 5) : 0);
		EQUAL(snap->session[i].bytes, i == 5 ? 1500 : 0);
		EQUAL(snap->session_valid[i].pkts, counter);
		EQUAL(snap->session_valid[i].bytes, counter);
	}
	ep_stats_update_packet(5, 10);
	ep_stats_flush();
	EQUAL(ep_stats_snapshot_reset(snap), 0);
	EQUAL(snap->global.total_pkts, 2);
	EQUAL(snap->global.sessions, 12);
	EQUAL(snap->session[5].bytes, 1510);
	EQUAL(ep_stats_snapshot_read(snap), 0);
	EQUAL(snap->global.total_pkts, 0);
	EQUAL(snap->session[5].bytes, 0);
	EQUAL(snap->session[5].pkts, 0);
	EQUAL(snap->global.sessions, 12);
	EQUAL(snap->global.link_up, true);
	ep_stats_snapshot_free(snap);
	ep_stats_fini();
	EQUAL(heap_blocks(), 0);
}

static uint32_t ended;

static void *
reset_from_another_thread(void *unused)
{
	(void)unused;
	EQUAL(ep_stats_session_reset(5, NULL), 0);
	set_flag(&ended, 1);
	return NULL;
}

/* Sections nest; all reads and resets work in them; resets of others wait. */
CASE(read_sections)
{
	struct ep_stats_session session;
	struct ep_stats_snapshot *snap;
	struct ep_stats_global global;
	pthread_t thread;
	uint64_t until;

	EQUAL(ep_stats_snapshot_create(&snap), 0);
	count_some();
	ep_stats_read_lock();
	CHECK(pthread_create(&thread, NULL, reset_from_another_thread, NULL) == 0, "no thread");
	ep_stats_module.read_lock();
	EQUAL(ep_stats_global_read(&global), 0);
	ep_stats_module.read_unlock();
	for (until = ctr_time_ns() + 20000000; ctr_time_ns() < until;)
		ctr_yield();
	EQUAL(is_set(&ended), false);
	EQUAL(ep_stats_session_read(5, &session), 0);
	EQUAL(session.pkts, 7);
	EQUAL(ep_stats_session_get_pkts(5), 7);
	EQUAL(ep_stats_snapshot_read(snap), 0);
	EQUAL(ep_stats_session_reset(4, &session), 0);
	EQUAL(session.pkts, 5);
	EQUAL(ep_stats_session_get_pkts(4), 0);
	EQUAL(ep_stats_global_reset(&global), 0);
	EQUAL(global.total_bytes, 1500);
	EQUAL(ep_stats_session_reset_all(NULL), 0);
	EQUAL(ep_stats_snapshot_reset(snap), 0);
	EQUAL(ep_stats_reset(), 0);
	ep_stats_read_unlock();
	CHECK(pthread_join(thread, NULL) == 0, "no end");
	EQUAL(is_set(&ended), true);
	/* Nothing is held any more. */
	count_some();
	EQUAL(ep_stats_session_get_pkts(5), 7);
	ep_stats_snapshot_free(snap);
}

/* Every way to reset takes what the calling thread has counted itself. */
TEST(own_buffer)
{
	struct ep_stats_snapshot *snap;
	struct ep_stats_session session, *all;
	unsigned int way;

	EQUAL(ctr_thread_register(), 0);
	EQUAL(ep_stats_init(), 0);
	EQUAL(ep_stats_snapshot_create(&snap), 0);
	all = snap->session;
	for (way = 0; way < 5; way++) {
		ep_stats_update_packet(5, 64);
		memset(&session, 0, sizeof(session));
		if (way == 0) {
			EQUAL(ep_stats_session_reset(5, &session), 0);
		} else if (way == 1) {
			EQUAL(ep_stats_session_reset_all(all), 0);
			session = all[5];
		} else if (way == 2) {
			EQUAL(ep_stats_snapshot_reset(snap), 0);
			session = snap->session[5];
		} else if (way == 3) {
			ep_stats_read_lock();
			EQUAL(ep_stats_session_reset(5, &session), 0);
			ep_stats_read_unlock();
		} else {
			EQUAL(ep_stats_module.reset(), 0);
			session.pkts = 1;
		}
		CHECK(session.pkts == 1, "reset number %u takes %" PRIu64 " instead of 1 packet", way,
		      session.pkts);
		ep_stats_flush();
		CHECK(ep_stats_session_get_pkts(5) == 0, "reset number %u leaves a packet", way);
	}
	ep_stats_snapshot_free(snap);
	ep_stats_fini();
	ctr_thread_unregister();
}
