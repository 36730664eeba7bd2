/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Counters of devices and of the application, and resets: each view counts them since its own
 * reset, as it does the counters of the module, and from a restart of the device on.
 *
 * ctr_device_read() is diverted here: the device has what a test puts into `device`.
 *
 * Option: ROUNDS of resets with concurrent readers.
 */
#include <errno.h>

#include "ctr.h"
#include "harness.h"
#include "heap.h"
#include "src_stats.h"

#define CASE(name) TEST_BETWEEN(name, begin(0), src_stats_fini())

#define PORT 1
#define BILL SRC_STATS_VIEW_BILL
#define RAW SRC_STATS_VIEW_RAW
#define DEFAULT SRC_STATS_VIEW_DEFAULT
#define NO_VALUE UINT64_C(0x5555555555555555)

/* What the device counts; which one it is, 0 for none. */
static struct {
	uint64_t missed;
	uint64_t errors;
	uint64_t taken;
	uint64_t refused;
	uint32_t number;
} device;

uint32_t __wrap_ctr_device_read(const struct ctr_item *items, unsigned int count,
				const char *const *const *labels, uint32_t port,
				const uint32_t *index, void *values);

static void
put(const struct ctr_item *item, uint64_t value, void *values)
{
	const uint32_t narrow = (uint32_t)value;
	uint8_t *to = (uint8_t *)values;

	if (value == NO_VALUE)
		return;
	memcpy(to + item->offset, item->type == CTR_U32 ? (const void *)&narrow : &value,
	       item->size);
	*(bool *)(to + item->available) = true;
}

uint32_t
__wrap_ctr_device_read(const struct ctr_item *items, unsigned int count,
		       const char *const *const *labels, uint32_t port, const uint32_t *index,
		       void *values)
{
	const uint32_t number = ctr_load32(&device.number);
	unsigned int i;

	(void)labels;
	(void)index;
	for (i = 0; i < count && number != 0; i++) {
		if (items[i].source != CTR_DEVICE)
			continue;
		if (strcmp(items[i].name, "missed") == 0)
			put(&items[i], ctr_load64(&device.missed), values);
		else if (strcmp(items[i].name, "refused") == 0)
			put(&items[i], device.refused, values);
		else if (strcmp(items[i].name, "errors") == 0)
			put(&items[i], device.errors, values);
		else
			put(&items[i], device.taken, values);
	}
	return number != 0 ? number + port * 16 : 0;
}

static void
begin(uint64_t missed)
{
	device.missed = missed;
	device.errors = 3;
	device.refused = 50;
	device.taken = missed;
	device.number = 1;
	EQUAL(src_stats_init(), 0);
}

/* What a view has of the port: packets received and missed. */
static void
shows(enum src_stats_view view, uint64_t rx, uint64_t missed)
{
	struct src_stats_port values;

	EQUAL(src_stats_port_view_read(view, PORT, &values), 0);
	EQUAL(values.available.missed, true);
	EQUAL(values.rx, rx);
	EQUAL(values.missed, missed);
	EQUAL(values.came, rx + missed);
	EQUAL(values.errors, 3); /* a gauge: as it is */
	EQUAL(values.available.lost, rx + missed != 0);
	if (rx + missed != 0)
		EQUAL(values.lost, ctr_ratio(missed, rx + missed, 1000));
	if (view != DEFAULT)
		return;
	EQUAL(src_stats_port_read(PORT, &values), 0);
	EQUAL(values.missed, missed);
	EQUAL(values.came, rx + missed);
}

TEST(cleared)
{
	struct src_stats_port last, all[3];

	begin(1000);
	src_stats_port_add_rx(PORT, 1000);
	src_stats_flush();
	shows(DEFAULT, 1000, 1000);
	EQUAL(src_stats_port_reset(PORT, &last), 0);
	EQUAL(last.missed, 1000);
	EQUAL(last.lost, 500);
	EQUAL(last.available.missed, true);
	EQUAL(last.errors, 3);
	shows(DEFAULT, 0, 0);
	shows(BILL, 1000, 1000);
	src_stats_port_add_rx(PORT, 5);
	src_stats_flush();
	shows(DEFAULT, 5, 0); /* nothing lost: not 995 of a thousand */
	device.missed = 1003;
	shows(DEFAULT, 5, 3);
	EQUAL(src_stats_port_view_reset(BILL, PORT, &last), 0);
	EQUAL(last.missed, 1003);
	EQUAL(last.came, 2008);
	shows(BILL, 0, 0);
	shows(DEFAULT, 5, 3);
	shows(RAW, 1005, 1003);
	EQUAL(src_stats_port_view_reset(RAW, PORT, NULL), -EINVAL);
	device.missed = 1010;
	EQUAL(src_stats_port_reset(PORT, NULL), 0); /* what it counted since the last read, too */
	device.missed = 1011;
	shows(DEFAULT, 0, 1);
	shows(BILL, 0, 8);
	memset(all, 0x55, sizeof(all));
	EQUAL(src_stats_port_reset_all(all), 0);
	EQUAL(all[PORT].missed, 1);
	EQUAL(all[PORT].came, 1);
	EQUAL(all[0].missed, 1011);
	shows(DEFAULT, 0, 0);
	device.missed = 1012;
	EQUAL(src_stats_reset(), 0);
	shows(DEFAULT, 0, 0);
	shows(BILL, 0, 9);
	EQUAL(src_stats_port_reset(3, NULL), -ERANGE);
	src_stats_fini();
	begin(7); /* no baseline outlives the module */
	shows(DEFAULT, 0, 7);
	src_stats_fini();
}

/* A counter that went back is of a device that has restarted: all of it counts from there. */
TEST(restarted)
{
	const struct ctr_scope *scope = ctr_scope_find(&src_stats_module, "port");
	uint64_t *jumped, before;
	unsigned int i, k;

	for (i = 0; i < 7; i++) {
		for (k = 0; k < 7; k++) {
			const uint64_t counted = corners[k];

			begin(corners[i]);
			EQUAL(src_stats_port_reset(PORT, NULL), 0);
			EQUAL(src_stats_port_view_reset(BILL, PORT, NULL), 0);
			device.missed = counted;
			if (counted < corners[i]) {
				shows(DEFAULT, 0, counted);
				shows(BILL, 0, counted);
			} else {
				shows(DEFAULT, 0, counted - corners[i]);
			}
			shows(RAW, 0, counted);
			src_stats_fini();
		}
	}
	begin(100);
	EQUAL(ctr_discontinuity_open(&src_stats_module, scope, &jumped), 0);
	EQUAL(src_stats_port_reset(PORT, NULL), 0);
	device.missed = 5000;
	EQUAL(src_stats_port_view_reset(BILL, PORT, NULL), 0);
	shows(DEFAULT, 0, 4900);
	before = jumped[PORT];
	device.missed = 300; /* more than one of the baselines */
	shows(BILL, 0, 300);
	shows(DEFAULT, 0, 300);
	CHECK(jumped[PORT] > before, "a restart is no discontinuity");
	before = jumped[PORT];
	device.missed = 301;
	shows(DEFAULT, 0, 301);
	EQUAL(jumped[PORT], before);
	EQUAL(src_stats_port_reset(PORT, NULL), 0);
	device.missed = 302;
	device.refused = 49; /* Of the same device, so the others have restarted as well. */
	shows(DEFAULT, 0, 302);
	ctr_discontinuity_close(&src_stats_module, scope, &jumped);
	src_stats_fini();
}

static uint32_t
queue_now(enum src_stats_view view)
{
	struct src_stats_queue values;

	EQUAL(src_stats_queue_view_read(view, PORT, SRC_STATS_QUEUE_HIGH, &values), 0);
	EQUAL(values.available.taken, true);
	return values.taken;
}

/* A counter of 32 bits wraps; one that falls by less than half of that has restarted. */
CASE(wrapped)
{
	struct src_stats_queue last;

	device.taken = UINT32_MAX - 9;
	EQUAL(src_stats_queue_reset(PORT, SRC_STATS_QUEUE_HIGH, &last), 0);
	EQUAL(last.taken, UINT32_MAX - 9);
	EQUAL(queue_now(DEFAULT), 0);
	device.taken = UINT64_C(1) << 32 | 5;
	EQUAL(queue_now(DEFAULT), 15);
	EQUAL(queue_now(BILL), 5);
	EQUAL(queue_now(RAW), 5);
	device.taken = 3;
	EQUAL(queue_now(DEFAULT), 3);
	device.taken = UINT64_C(1) << 31;
	EQUAL(queue_now(DEFAULT), UINT64_C(1) << 31);
	device.taken = UINT32_MAX;
	EQUAL(queue_now(DEFAULT), UINT32_MAX);
	EQUAL(src_stats_queue_view_reset(BILL, PORT, SRC_STATS_QUEUE_HIGH, NULL), 0);
	device.taken = 0;
	EQUAL(queue_now(BILL), 1);
}

TEST(unavailable)
{
	struct src_stats_port values;

	begin(100);
	shows(DEFAULT, 0, 100);
	device.missed = NO_VALUE;
	EQUAL(src_stats_port_reset(PORT, &values), 0);
	EQUAL(values.available.missed, false);
	EQUAL(values.available.came, false);
	EQUAL(values.missed, 0);
	device.missed = 110; /* It was 100 when it was last seen. */
	shows(DEFAULT, 0, 10);
	shows(BILL, 0, 110);
	device.number = 0;
	EQUAL(src_stats_port_read(PORT, &values), 0);
	EQUAL(values.available.missed, false);
	EQUAL(values.available.errors, false);
	EQUAL(values.errors, 0);
	device.number = 1; /* The same one: it was only away. */
	shows(DEFAULT, 0, 10);
	src_stats_fini();
}

static uint64_t counted;

static void
report(struct src_stats_global *values, void *ctx)
{
	(void)ctx;
	values->told = (uint32_t)counted;
	values->available.told = true;
}

static uint32_t
told_now(void)
{
	struct src_stats_global values;

	EQUAL(src_stats_global_read(&values), 0);
	EQUAL(values.available.told, true);
	return values.told;
}

/* Another device, or another provider: its numbers have nothing to do with the former ones. */
TEST(replaced)
{
	const uint32_t port = PORT;
	struct src_stats_port former;

	begin(100);
	EQUAL(src_stats_port_reset(PORT, NULL), 0);
	device.number = 2;
	device.missed = 500;
	shows(DEFAULT, 0, 500);
	EQUAL(src_stats_port_reset(PORT, NULL), 0);
	shows(DEFAULT, 0, 0);
	EQUAL(src_stats_port_device_set(PORT, 9), 0);
	shows(DEFAULT, 0, 500);
	EQUAL(src_stats_port_reset(PORT, NULL), 0);
	memset(&former, 0, sizeof(former));
	former.rx = 20;
	EQUAL(ctr_scope_find(&src_stats_module, "port")->adopt(&port, &former), 0);
	shows(DEFAULT, 20, 500); /* The former process reset, not this one. */
	counted = 100;
	src_stats_global_provider_set(report, NULL);
	EQUAL(src_stats_global_reset(NULL), 0);
	EQUAL(told_now(), 0);
	counted = 150;
	EQUAL(told_now(), 50);
	src_stats_global_provider_set(report, NULL);
	EQUAL(told_now(), 150);
	src_stats_fini();
}

TEST(all_at_the_same_time)
{
	struct src_stats_snapshot *snap;

	begin(40);
	EQUAL(src_stats_snapshot_create(&snap), 0);
	src_stats_port_add_rx(PORT, 10);
	src_stats_flush();
	EQUAL(src_stats_snapshot_reset(snap), 0);
	EQUAL(snap->port[PORT].missed, 40);
	EQUAL(snap->port[PORT].lost, 800);
	EQUAL(snap->port_valid[PORT].missed, CTR_VALID);
	device.missed = 41;
	EQUAL(src_stats_snapshot_read(snap), 0);
	EQUAL(snap->port[PORT].rx, 0);
	EQUAL(snap->port[PORT].missed, 1);
	EQUAL(snap->port[PORT].came, 1);
	EQUAL(snap->port[PORT].lost, 1000);
	EQUAL(snap->queue[2 * PORT].taken, 0);
	shows(BILL, 10, 41);
	src_stats_snapshot_free(snap);
	src_stats_fini();
}

static void
bill(uint32_t session, struct src_stats_session *values, void *ctx)
{
	(void)session;
	(void)ctx;
	values->billed = counted;
	values->available.billed = true;
}

/* A new instance at an index has no baseline of the former one. */
CASE(another_instance)
{
	struct src_stats_session values;
	int rc;

	counted = 100;
	src_stats_session_provider_set(bill, NULL);
	EQUAL(src_stats_session_reset(5, NULL), -ENOENT);
	EQUAL(src_stats_session_create(5), 0);
	EQUAL(src_stats_session_reset(5, &values), 0);
	EQUAL(values.billed, 100);
	EQUAL(src_stats_session_read(5, &values), 0);
	EQUAL(values.billed, 0);
	do
		rc = src_stats_session_destroy(5, &values);
	while (rc == -EINPROGRESS);
	EQUAL(rc, 0);
	EQUAL(src_stats_session_create(5), 0);
	counted = 130;
	EQUAL(src_stats_session_read(5, &values), 0);
	EQUAL(values.billed, 130);
}

static void
look(uint32_t fixed, struct src_stats_fixed *values, void *ctx)
{
	(void)fixed;
	(void)ctx;
	values->seen = counted;
	values->available.seen = true;
}

/* A scope without resets has a time of discontinuity, too: for what restarts. */
CASE(never_reset)
{
	const struct ctr_scope *scope = ctr_scope_find(&src_stats_module, "fixed");
	struct src_stats_fixed values;
	uint64_t *jumped;

	counted = 100;
	src_stats_fixed_provider_set(look, NULL);
	EQUAL(ctr_discontinuity_open(&src_stats_module, scope, &jumped), 0);
	CHECK(jumped != NULL, "there is no table");
	EQUAL(src_stats_fixed_read(0, &values), 0);
	EQUAL(src_stats_reset(), 0);
	EQUAL(src_stats_fixed_read(0, &values), 0);
	EQUAL(values.seen, 100);
	EQUAL(jumped[0], 0);
	counted = 99;
	EQUAL(src_stats_fixed_read(0, &values), 0);
	EQUAL(values.seen, 99);
	CHECK(jumped[0] != 0, "a restart is no discontinuity");
	ctr_discontinuity_close(&src_stats_module, scope, &jumped);
}

/* Without memory for baselines nothing is available, and nothing is reset. */
TEST(without_memory)
{
	struct src_stats_snapshot *snap;
	struct src_stats_port values;

	begin(100);
	src_stats_port_add_rx(PORT, 10);
	src_stats_flush();
	EQUAL(src_stats_snapshot_create(&snap), 0);
	heap_end(1);
	EQUAL(src_stats_port_read(PORT, &values), 0);
	EQUAL(values.rx, 10);
	EQUAL(values.available.missed, false);
	EQUAL(src_stats_port_reset(PORT, NULL), -ENOMEM);
	EQUAL(src_stats_port_view_reset(BILL, PORT, NULL), -ENOMEM);
	EQUAL(src_stats_port_reset_all(NULL), -ENOMEM);
	EQUAL(src_stats_snapshot_reset(snap), -ENOMEM);
	EQUAL(heap_failed(), true);
	heap_fail(0);
	shows(DEFAULT, 10, 100);
	src_stats_snapshot_free(snap);
	src_stats_fini();
}

/* ---- concurrent readers ---- */

#define READERS 2

static uint32_t resetting;

static void
look_on(struct worker *me)
{
	struct src_stats_snapshot *snap;
	struct src_stats_port values;
	int rc;

	EQUAL(src_stats_snapshot_create(&snap), 0);
	while (is_set(&resetting)) {
		if (me->number == 0) {
			rc = src_stats_port_read(PORT, &values);
		} else {
			rc = src_stats_snapshot_read(snap);
			values = snap->port[PORT];
		}
		CHECK(rc == 0 || rc == -EAGAIN, "%d", rc);
		EQUAL(values.available.missed, true);
		/* The device counts after the module does, and is asked before. */
		CHECK(values.missed <= values.rx, "%" PRIu64 " of %" PRIu64, values.missed,
		      values.rx);
		EQUAL(values.came, values.rx + values.missed);
	}
	src_stats_snapshot_free(snap);
}

TEST(beside_resets)
{
	const uint64_t rounds = option("ROUNDS", 3000);
	struct worker workers[READERS];
	struct src_stats_port last;
	uint64_t i;

	begin(0);
	EQUAL(ctr_thread_register(), 0);
	set_flag(&resetting, 1);
	workers_start(workers, READERS, look_on, 0);
	workers_go();
	for (i = 1; i <= rounds; i++) {
		int rc;

		src_stats_port_add_rx(PORT, i);
		src_stats_flush();
		ctr_store64(&device.missed, device.missed + i);
		rc = src_stats_port_reset(PORT, &last);
		CHECK(rc == 0 || rc == -EAGAIN, "%d", rc);
		EQUAL(last.rx, i);
		EQUAL(last.missed, i); /* each exactly once */
	}
	set_flag(&resetting, 0);
	workers_join(workers, READERS);
	ctr_thread_unregister();
	src_stats_fini();
}
