/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Items that are not stored: derived ones agree with what is beside them in every read, what the
 * application says is there while it says it, and nothing is there that nobody has.
 *
 * Option: UPDATES of each worker.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctr.h"
#include "harness.h"
#include "src_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(src_stats_init(), 0), src_stats_fini())

#define WORKERS 3

static unsigned int asked;

/* ---- derived ---- */

CASE(derived)
{
	struct src_stats_global values, last;

	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.available.all, true);
	EQUAL(values.available.loss, true);
	EQUAL(values.available.share, false);
	src_stats_add_rx(10);
	src_stats_add_tx(4);
	src_stats_add_level(3);
	src_stats_flush();
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.all, 14);
	EQUAL(values.twice, 28);
	EQUAL(values.loss, 6);
	EQUAL(values.above, 13);
	EQUAL(values.available.share, true);
	EQUAL(values.share, 400);
	EQUAL(values.available.told, false);
	EQUAL(values.available.share_told, false);
	EQUAL(values.share_told, 0);
	src_stats_add_tx(9);
	src_stats_add_up(UINT32_MAX);
	src_stats_add_up(11);
	src_stats_add_down(UINT32_MAX);
	src_stats_flush();
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.loss, 0); /* it would be negative */
	EQUAL(values.share, 1300);
	EQUAL(values.up, 10);
	EQUAL(values.ahead, 11); /* across the end of 32 bits */
	src_stats_add_down(12);
	src_stats_flush();
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.ahead, 0);
	EQUAL(src_stats_global_reset(&last), 0);
	EQUAL(last.all, 23);
	EQUAL(last.share, 1300);
	EQUAL(last.available.pps, false);
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.all, 0);
	EQUAL(values.available.all, true);
	EQUAL(values.available.share, false);
	EQUAL(src_stats_global_view_read(SRC_STATS_VIEW_BILL, &values), 0);
	EQUAL(values.all, 23);
	EQUAL(values.available.pps, false);
	EQUAL(src_stats_global_view_reset(SRC_STATS_VIEW_BILL, &last), 0);
	EQUAL(last.all, 23);
	EQUAL(src_stats_global_view_reset(SRC_STATS_VIEW_BILL, NULL), 0);
	EQUAL(src_stats_global_reset_all(&last), 0);
	EQUAL(last.all, 0);
}

CASE(of_one_lcore)
{
	struct src_stats_global values;
	int rc;

	EQUAL(ctr_thread_register(), 0);
	src_stats_update_packet(7);
	src_stats_flush();
	rc = src_stats_global_lcore_read(ctr_lcore_id(), &values);
	if (rc == 0) {
		EQUAL(values.all, 14);
		EQUAL(values.available.told, false);
	} else {
		EQUAL(rc, -ENOTSUP);
	}
	ctr_thread_unregister();
}

TEST(arithmetic)
{
	EQUAL(ctr_difference(5, 7, 64), 0);
	EQUAL(ctr_difference(7, 5, 64), 2);
	EQUAL(ctr_difference(1, UINT64_MAX, 64), 2);
	EQUAL(ctr_difference(1, UINT32_MAX, 32), 2);
	EQUAL(ctr_difference(UINT32_MAX, 1, 32), 0);
	EQUAL(ctr_ratio(UINT64_MAX, UINT64_MAX, 1000000000), 1000000000);
	EQUAL(ctr_ratio(UINT64_MAX, 1, 2) == UINT64_MAX, true);
	EQUAL(ctr_ratio(2, 3, 1), 0);
	EQUAL(ctr_ratio(2, 3, 100), 66);
}

/* ---- callbacks ---- */

static void
say(struct src_stats_global *values, void *ctx)
{
	struct src_stats_global inner;
	const uint32_t *told = (const uint32_t *)ctx;

	asked++;
	EQUAL(values->available.all, false); /* It is derived from what is said here. */
	values->told = *told;
	values->available.told = true;
	values->heat = 1000;
	values->available.heat = *told % 2 != 0;
	values->rx = 77; /* which is not its own */
	values->available.share = true;
	if (*told == 13) { /* It should not; but it does not hang. */
		EQUAL(src_stats_global_read(&inner), 0);
		EQUAL(inner.available.told, false);
	}
}

static void
say_session(uint32_t session, struct src_stats_session *values, void *ctx)
{
	(void)ctx;
	values->billed = session * 2;
	values->available.billed = session != 4;
}

CASE(callbacks)
{
	struct src_stats_global values;
	uint32_t told = 5;

	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.available.told, false);
	src_stats_add_tx(2);
	src_stats_flush();
	src_stats_global_provider_set(say, &told);
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.available.told, true);
	EQUAL(values.told, 5);
	EQUAL(values.available.heat, true);
	EQUAL(values.heat, 400);
	EQUAL(values.rx, 0);
	EQUAL(values.available.share, false);
	EQUAL(values.share_told, 2);
	told = 6;
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.told, 6);
	EQUAL(values.available.heat, false);
	EQUAL(values.heat, 0);
	told = 13;
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.told, 13);
	EQUAL(asked, 3);
	EQUAL(src_stats_global_reset(NULL), 0);
	EQUAL(asked, 4);
	src_stats_global_provider_set(NULL, NULL);
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.available.told, false);
	EQUAL(asked, 4);
	src_stats_global_provider_set(say, &told);
	src_stats_fini();
	EQUAL(src_stats_init(), 0);
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(asked, 4);
}

/* ---- devices, where there are none ---- */

CASE(no_devices)
{
	struct src_stats_port values;
	struct src_stats_queue queue;

	src_stats_port_add_rx(1, 5);
	src_stats_flush();
	EQUAL(src_stats_port_device_set(3, 0), -ERANGE);
	EQUAL(src_stats_port_device_set(1, CTR_DEVICE_NONE), 0);
	EQUAL(src_stats_port_read(1, &values), 0);
	EQUAL(values.rx, 5);
	EQUAL(values.available.missed, false);
	EQUAL(values.available.errors, false);
	EQUAL(values.available.came, false);
	EQUAL(values.came, 0);
	EQUAL(src_stats_queue_read(1, SRC_STATS_QUEUE_HIGH, &queue), 0);
	EQUAL(queue.available.taken, false);
	EQUAL(src_stats_port_read(3, &values), -ERANGE);
}

/* ---- rates ---- */

#define SECOND UINT64_C(1000000000)

TEST(rates)
{
	struct ctr_rates rates = { .lock = CTR_CONTROL_INITIALIZER, .instances = 2, .num = 2 };
	uint64_t rate = 99;

	ctr_rates_forget(&rates, 1);
	EQUAL(ctr_rates_read(&rates, 1, 0, 100, 5 * SECOND, SECOND, &rate), false);
	EQUAL(ctr_rates_read(&rates, 1, 0, 150, 5 * SECOND + 9, SECOND, &rate), false);
	EQUAL(rate, 99);
	EQUAL(ctr_rates_read(&rates, 1, 0, 300, 7 * SECOND, SECOND, &rate), true);
	EQUAL(rate, 100);
	/* Between samples the rate is that of the last one; what is read late counts for none. */
	EQUAL(ctr_rates_read(&rates, 1, 0, 900, 7 * SECOND + 5, SECOND, &rate), true);
	EQUAL(rate, 100);
	EQUAL(ctr_rates_read(&rates, 1, 0, 250, 6 * SECOND, SECOND, &rate), true);
	EQUAL(ctr_rates_read(&rates, 1, 0, 301, 17 * SECOND, SECOND, &rate), true);
	EQUAL(rate, 0);
	/* One that goes back begins anew. */
	EQUAL(ctr_rates_read(&rates, 1, 0, 7, 18 * SECOND, SECOND, &rate), false);
	EQUAL(ctr_rates_read(&rates, 1, 0, 9, 19 * SECOND, SECOND, &rate), true);
	EQUAL(rate, 2);
	/* The others are their own. */
	EQUAL(ctr_rates_read(&rates, 1, 1, 9, 19 * SECOND, SECOND, &rate), false);
	EQUAL(ctr_rates_read(&rates, 0, 0, 9, 19 * SECOND, SECOND, &rate), false);
	/* What was read before a reset is no sample. */
	ctr_rates_forget(&rates, 1);
	EQUAL(ctr_rates_read(&rates, 1, 0, 50, 1, SECOND, &rate), false);
	EQUAL(ctr_rates_read(&rates, 1, 0, 10, UINT64_MAX / 2, SECOND, &rate), false);
	EQUAL(ctr_rates_read(&rates, 1, 0, 40, UINT64_MAX / 2 + 3 * SECOND, SECOND, &rate), true);
	EQUAL(rate, 10);
	ctr_rates_restart(&rates);
	EQUAL(ctr_rates_read(&rates, 1, 0, 40, 1, SECOND, &rate), false);
	ctr_rates_free(&rates);
	ctr_rates_free(&rates);
}

CASE(a_rate_takes_two_reads)
{
	struct src_stats_global values;
	const uint64_t begun = ctr_time_ns();
	uint64_t passed;

	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.available.pps, false);
	src_stats_add_rx(1000000);
	src_stats_flush();
	usleep(1010000);
	EQUAL(src_stats_global_read(&values), 0);
	passed = ctr_time_ns() - begun;
	EQUAL(values.available.pps, true);
	CHECK(values.pps <= 1000000, "%" PRIu64, values.pps);
	CHECK(values.pps >= ctr_ratio(1000000, passed, SECOND), "%" PRIu64, values.pps);
	EQUAL(values.available.heat_rate, false);
	EQUAL(src_stats_global_reset(NULL), 0);
	src_stats_add_rx(2000000); /* More than before the reset: it has not gone back. */
	src_stats_flush();
	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.available.pps, false);
}

/* ---- instances that come and go, and snapshots ---- */

CASE(sessions)
{
	struct src_stats_session values;
	int rc;

	src_stats_session_provider_set(say_session, NULL);
	EQUAL(src_stats_session_read(3, &values), -ENOENT);
	EQUAL(src_stats_session_create(3), 0);
	EQUAL(src_stats_session_create(4), 0);
	src_stats_update_both(3, 10);
	src_stats_update_both(4, 10);
	src_stats_flush();
	EQUAL(src_stats_session_read(3, &values), 0);
	EQUAL(values.all, 20);
	EQUAL(values.billed, 6);
	EQUAL(values.open, 14);
	EQUAL(src_stats_session_read(4, &values), 0);
	EQUAL(values.available.billed, false);
	EQUAL(values.available.open, false);
	EQUAL(values.available.all, true);
	memset(&values, 0x55, sizeof(values));
	do
		rc = src_stats_session_destroy(3, &values);
	while (rc == -EINPROGRESS);
	EQUAL(rc, 0);
	EQUAL(values.all, 20);
	EQUAL(values.available.all, true);
	EQUAL(values.available.billed, false);
	EQUAL(values.open, 0);
}

CASE(snapshots)
{
	struct src_stats_snapshot *snap;
	const struct ctr_scope *scope = ctr_scope_find(&src_stats_module, "global");
	uint32_t told = 6;
	bool consistent = scope->consistent;

	src_stats_global_provider_set(say, &told);
	src_stats_session_provider_set(say_session, NULL);
	EQUAL(src_stats_session_create(7), 0);
	src_stats_update_packet(5);
	src_stats_update_both(7, 20);
	src_stats_flush();
	EQUAL(src_stats_snapshot_create(&snap), 0);
	EQUAL(src_stats_snapshot_read(snap), 0);
	EQUAL(snap->global.all, 10);
	EQUAL(snap->global_valid.all, consistent ? CTR_VALID | CTR_CONSISTENT : CTR_VALID);
	EQUAL(snap->global_valid.loss, snap->global_valid.all);
	EQUAL(snap->global_valid.above, CTR_VALID);
	EQUAL(snap->global.told, 6);
	EQUAL(snap->global_valid.told, CTR_VALID);
	EQUAL(snap->global_valid.heat, 0);
	EQUAL(snap->global_valid.pps, 0);
	EQUAL(snap->port_valid[1].missed, 0);
	EQUAL(snap->num_session, 1);
	EQUAL(snap->session[0].open, 26);
	EQUAL(snap->session_valid[0].open, CTR_VALID);
	EQUAL(src_stats_snapshot_reset(snap), 0);
	EQUAL(snap->global.all, 10);
	EQUAL(snap->global_valid.all & CTR_VALID, CTR_VALID);
	EQUAL(snap->session[0].open, 26);
	EQUAL(src_stats_snapshot_read(snap), 0);
	EQUAL(snap->global.all, 0);
	src_stats_snapshot_free(snap);
}

TEST(described)
{
	const struct ctr_scope *scope = ctr_scope_find(&src_stats_module, "global");
	const struct ctr_item *item = ctr_item_find(scope, "all");
	struct src_stats_global values;

	EQUAL(item->kind, CTR_COUNTER);
	EQUAL(item->source, CTR_DERIVED);
	EQUAL(item->together, true);
	EQUAL(ctr_item_find(scope, "rx")->available, 0);
	EQUAL(ctr_item_find(scope, "loss")->kind, CTR_GAUGE);
	EQUAL(ctr_item_find(scope, "above")->kind, CTR_GAUGE);
	EQUAL(strcmp(ctr_item_find(scope, "pps")->unit, "packets/s"), 0);
	item = ctr_item_find(scope, "told");
	EQUAL(item->source, CTR_CALLBACK);
	memset(&values, 0, sizeof(values));
	EQUAL(ctr_item_available(item, &values), false);
	values.available.told = true;
	EQUAL(ctr_item_available(item, &values), true);
	item = ctr_item_find(ctr_scope_find(&src_stats_module, "queue"), "taken");
	EQUAL(item->source, CTR_DEVICE);
	EQUAL(strcmp(item->statistic, "rx_{1}_{0}_packets"), 0);
}

/* ---- under load ---- */

static uint32_t working;
static uint64_t updates;

static void
work(struct worker *me)
{
	uint64_t i;

	for (i = 0; i < updates; i++)
		src_stats_update_packet(1 + me->number);
	if (__atomic_sub_fetch(&working, 1, __ATOMIC_RELAXED) == 0)
		set_flag(&working, 0);
}

TEST(agrees)
{
	struct src_stats_global values;
	struct worker workers[WORKERS];
	uint32_t told = 1;

	updates = option("UPDATES", 200000);
	EQUAL(src_stats_init(), 0);
	src_stats_global_provider_set(say, &told);
	set_flag(&working, WORKERS);
	workers_start(workers, WORKERS, work, WORKERS);
	workers_go();
	while (is_set(&working)) {
		const int rc = src_stats_global_read(&values);

		CHECK(rc == 0 || rc == -EAGAIN, "%d", rc);
		EQUAL(values.all, values.rx + values.tx);
		EQUAL(values.twice, 2 * values.all);
		EQUAL(values.loss, values.rx > values.tx ? values.rx - values.tx : 0);
		EQUAL(values.told, 1);
	}
	workers_join(workers, WORKERS);
	src_stats_fini();
}

static void
ask(struct worker *me)
{
	struct src_stats_global values;

	(void)me;
	while (is_set(&working)) {
		EQUAL(src_stats_global_read(&values), 0);
		if (values.available.told)
			EQUAL(values.told, 3);
	}
}

/* What a provider uses may be freed as soon as nobody provides any more. */
TEST(providers_come_and_go)
{
	struct worker workers[2];
	uint32_t *told;
	unsigned int i;

	EQUAL(src_stats_init(), 0);
	set_flag(&working, 1);
	workers_start(workers, 2, ask, 0);
	workers_go();
	for (i = 0; i < 2000; i++) {
		told = (uint32_t *)malloc(sizeof(*told));
		*told = 3;
		src_stats_global_provider_set(say, told);
		ctr_yield();
		src_stats_global_provider_set(NULL, NULL);
		*told = 4;
		free(told);
	}
	set_flag(&working, 0);
	workers_join(workers, 2);
	src_stats_fini();
}
