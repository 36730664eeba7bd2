/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Dynamic scopes: creation, destruction, reuse, memory.
 */
#include "ctr_values.h"
#include "harness.h"
#include "heap.h"
#include "zoo_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(zoo_stats_init(), 0), end())

/* An index far from every instance that these tests create. */
#define FAR 90000u

static void
end(void)
{
	zoo_stats_fini();
	EQUAL(heap_blocks(), 0);
}

static void
use_flow(uint32_t flow)
{
	zoo_stats_update_flow(flow, 100);
	zoo_stats_flow_inc_errors(flow);
	zoo_stats_flow_add_depth(flow, 9);
	zoo_stats_flow_set_phase(flow, ZOO_STATS_FLOW_PHASE_OLD);
	EQUAL(zoo_stats_flow_set_label(flow, "used"), 0);
	zoo_stats_flush();
}

static void
expect_new(uint32_t flow)
{
	struct zoo_stats_flow value;

	EQUAL(zoo_stats_flow_read(flow, &value), 0);
	EQUAL(value.pkts, 0);
	EQUAL(value.bytes, 0);
	EQUAL(value.errors, 0);
	EQUAL(value.depth, 0);
	EQUAL(value.phase, 0);
	EQUAL(value.label[0], 0);
	EQUAL(zoo_stats_flow_get_pkts(flow), 0);
	EQUAL(zoo_stats_flow_get_depth(flow), 0);
}

/* An index that is used again starts at 0, as does one never used. */
CASE(recycled)
{
	unsigned int round;

	for (round = 0; round < 6; round++) {
		if (round == 3)
			EQUAL(ctr_thread_register(), 0);
		EQUAL(zoo_stats_flow_create(12), 0);
		expect_new(12);
		use_flow(12);
		EQUAL(zoo_stats_flow_get_pkts(12), 1);
		if (round % 2 == 0) {
			EQUAL(zoo_stats_flow_reset(12, NULL), 0);
			use_flow(12);
		}
		EQUAL(zoo_stats_flow_destroy(12, NULL), 0);
		EQUAL(zoo_stats_flow_get_pkts(12), 0);
		/* What comes late for the former instance is not the next one's. */
		zoo_stats_update_flow(12, 100);
		zoo_stats_flow_add_depth(12, 5);
		zoo_stats_flush();
		EQUAL(zoo_stats_late(), 2 * (round + 1));
	}
	EQUAL(zoo_stats_get_pkts(), 6 + 3);
	ctr_thread_unregister();
}

/* Memory is taken for pieces that have an instance, by lcores in use, and is kept. */
TEST(memory)
{
	uint64_t one = sizeof(struct zoo_stats_flow_common_chunk), before;
	struct zoo_stats_flow value;
	unsigned int copies, blocks;

	EQUAL(ctr_thread_register(), 0);
	EQUAL(zoo_stats_init(), 0);
	/* Two are the calling lcore's and that of all foreign threads. */
	copies = (unsigned int)option("COPIES", zoo_stats_flow_lcore_read(0, 0, &value) != -ENOTSUP ? 2 : 1);
	one += copies * sizeof(struct zoo_stats_flow_chunk);
	before = heap_bytes();
	blocks = heap_blocks();
	CHECK(before < 4000000, "init takes %" PRIu64 " bytes", before);
	EQUAL(zoo_stats_flow_create(0), 0);
	/* Beside the copies: what the control side keeps, of up to 1024 instances. */
	CHECK(heap_bytes() - before > one, "nothing is kept of an instance");
	CHECK(heap_bytes() - before < one + 1024 * 64, "%" PRIu64 " bytes", heap_bytes() - before);
	one = heap_bytes() - before;
	EQUAL(heap_blocks() - blocks, 2 + copies);
	EQUAL(zoo_stats_flow_create(1), 0);
	EQUAL(zoo_stats_flow_destroy(0, NULL), 0);
	EQUAL(zoo_stats_flow_create(0), 0);
	EQUAL(heap_bytes() - before, one);
	EQUAL(zoo_stats_flow_create(FAR), 0);
	EQUAL(heap_bytes() - before, 2 * one);
	EQUAL(zoo_stats_flow_destroy(FAR, NULL), 0);
	EQUAL(zoo_stats_flow_create(FAR), 0);
	EQUAL(heap_bytes() - before, 2 * one);
	end();
	ctr_thread_unregister();
}

/* Updates of an instance whose creation failed: each is dropped whole, and counted. */
static void
drop_far(void)
{
	uint64_t late = zoo_stats_late(), pkts = zoo_stats_get_pkts(), bytes = zoo_stats_get_bytes();
	const uint32_t flows[1] = { FAR };
	const uint16_t sizes[1] = { 10 };
	struct zoo_stats_batch batch;

	zoo_stats_update_flow(FAR, 1);
	zoo_stats_update_flow_bulk(flows, sizes, 1);
	zoo_stats_batch_begin(&batch);
	zoo_stats_batch_flow(&batch, FAR, 100);
	zoo_stats_batch_end(&batch);
	zoo_stats_flow_inc_pkts(FAR);
	zoo_stats_flow_add_depth(FAR, 1);
	zoo_stats_flow_set_phase(FAR, ZOO_STATS_FLOW_PHASE_OLD);
	zoo_stats_flush();
	EQUAL(zoo_stats_late() - late, 6);
	EQUAL(zoo_stats_get_pkts(), pkts);
	EQUAL(zoo_stats_get_bytes(), bytes);
	EQUAL(zoo_stats_flow_set_label(FAR, "x"), -ENOENT);
}

/* A thread without an lcore id, and then with one. */
static void *
come_late(void *arg)
{
	uint32_t flow = *(const uint32_t *)arg;
	uint64_t pkts;

	if (flow != FAR)
		drop_far();
	EQUAL(ctr_thread_register(), 0);
	if (flow != FAR)
		drop_far();
	pkts = zoo_stats_flow_get_pkts(flow);
	zoo_stats_update_flow(flow, 1);
	zoo_stats_flush();
	EQUAL(zoo_stats_flow_get_pkts(flow), pkts + 1);
	ctr_thread_unregister();
	return NULL;
}

/* Have a thread come, update `flow` and go; how many blocks were allocated for it. */
static unsigned int
latecomer(uint32_t flow)
{
	unsigned int blocks = heap_blocks();

	run_thread(come_late, &flow);
	return heap_blocks() - blocks;
}

/* Without memory for FAR, all goes on as if its creation had not been tried. */
static void
go_on_without_far(unsigned int blocks, unsigned int for_thread)
{
	EQUAL(heap_blocks(), blocks);
	EQUAL(zoo_stats_flow_create(12), 0);
	expect_new(12);
	EQUAL(zoo_stats_flow_create(7), 0);
	expect_new(7);
	drop_far();
	EQUAL(zoo_stats_flow_create(FAR), -ENOMEM);
	heap_end(for_thread + 1);
	EQUAL(latecomer(12), for_thread);
	EQUAL(zoo_stats_flow_destroy(7, NULL), 0);
}

/* Creation that fails, at each allocation, leaves no trace; with memory again it succeeds. */
TEST(creation_fails)
{
	unsigned int nth, blocks, for_thread;
	bool enough = false;

	EQUAL(ctr_thread_register(), 0);
	EQUAL(zoo_stats_init(), 0);
	EQUAL(zoo_stats_flow_create(12), 0);
	for_thread = latecomer(12);
	zoo_stats_fini();
	for (nth = 1; !enough; nth++) {
		EQUAL(zoo_stats_init(), 0);
		EQUAL(zoo_stats_flow_create(12), 0);
		use_flow(12);
		EQUAL(zoo_stats_flow_destroy(12, NULL), 0);
		blocks = heap_blocks();
		heap_end(nth);
		enough = zoo_stats_flow_create(FAR) == 0;
		if (!enough)
			go_on_without_far(blocks, for_thread);
		heap_fail(0);
		EQUAL(zoo_stats_flow_create(FAR), enough ? -EEXIST : 0);
		expect_new(FAR);
		use_flow(FAR);
		EQUAL(zoo_stats_flow_get_pkts(FAR), 1);
		(void)latecomer(FAR);
		end();
	}
	CHECK(nth > 3, "creation takes only %u allocations", nth - 2);
	ctr_thread_unregister();
}

/* An lcore that there is no memory for, that of what exists included, does not come into use. */
CASE(registration_without_memory)
{
	unsigned int nth;
	int rc;

	EQUAL(zoo_stats_flow_create(12), 0);
	EQUAL(zoo_stats_flow_create(FAR), 0);
	for (nth = 1;; nth++) {
		heap_fail(nth);
		rc = ctr_thread_register();
		if (!heap_failed())
			break;
		EQUAL(rc, -ENOMEM);
	}
	EQUAL(rc, 0);
	heap_fail(0);
	use_flow(12);
	use_flow(FAR);
	EQUAL(zoo_stats_flow_get_pkts(12), 1);
	EQUAL(zoo_stats_flow_get_pkts(FAR), 1);
	EQUAL(zoo_stats_drops(), 0);
	ctr_thread_unregister();
}

/* What the module reports of itself, as every reader gets it. */
static uint64_t
report(const char *name)
{
	const struct ctr_scope *scope = ctr_scope_find(&zoo_stats_module, CTR_HEALTH);
	uint64_t values[16] = { 0 };

	CHECK(scope != NULL && scope->value_size <= sizeof(values), "no reports");
	CHECK(ctr_item_find(scope, name) != NULL, "no report %s", name);
	EQUAL(scope->read(NULL, values), 0);
	return ctr_item_value(ctr_item_find(scope, name), values);
}

/* How many instances of both dynamic scopes exist, and how many creations were refused. */
static void
expect_occupancy(uint32_t flows, uint64_t flows_refused, uint32_t steps, uint64_t steps_refused)
{
	EQUAL(report("flow_instances"), flows);
	EQUAL(report("flow_creations_refused"), flows_refused);
	EQUAL(report("step_instances"), steps);
	EQUAL(report("step_creations_refused"), steps_refused);
	EQUAL(report("flow_instances_max"), ZOO_STATS_FLOW_MAX);
	EQUAL(report("step_instances_max"), ZOO_STATS_FLOW_MAX * ZOO_STATS_STEP_MAX);
	EQUAL(zoo_stats_flow_instances(), flows);
	EQUAL(zoo_stats_flow_creations_refused(), flows_refused);
	EQUAL(zoo_stats_step_instances(), steps);
	EQUAL(zoo_stats_step_creations_refused(), steps_refused);
}

/* Creations, ends and refusals are in the reports; what fails for another reason is not. */
TEST(occupancy)
{
	uint32_t step, i;

	EQUAL(ctr_scopes_shown(&zoo_stats_module), zoo_stats_module.num_scopes + 1);
	expect_occupancy(0, 0, 0, 0);
	EQUAL(zoo_stats_flow_alloc(&i), -ENODEV);
	EQUAL(zoo_stats_init(), 0);
	expect_occupancy(0, 0, 0, 0);
	EQUAL(zoo_stats_flow_create(5), 0);
	EQUAL(zoo_stats_flow_create(5), -EEXIST);
	EQUAL(zoo_stats_flow_create(ZOO_STATS_FLOW_MAX), -ERANGE);
	EQUAL(zoo_stats_step_create(6, 0), -ENOENT);
	EQUAL(zoo_stats_step_alloc(6, &step), -ENOENT);
	EQUAL(zoo_stats_flow_create(7), 0);
	for (i = 0; i < ZOO_STATS_STEP_MAX; i++)
		EQUAL(zoo_stats_step_alloc(7, &step), 0);
	expect_occupancy(2, 0, ZOO_STATS_STEP_MAX, 0);
	EQUAL(zoo_stats_step_alloc(7, &step), -ENOSPC);
	EQUAL(zoo_stats_step_alloc(7, &step), -ENOSPC);
	expect_occupancy(2, 0, ZOO_STATS_STEP_MAX, 2);
	heap_fail(1);
	EQUAL(zoo_stats_flow_create(FAR), -ENOMEM);
	heap_fail(0);
	expect_occupancy(2, 1, ZOO_STATS_STEP_MAX, 2);
	EQUAL(zoo_stats_step_destroy(7, 1, NULL), 0);
	expect_occupancy(2, 1, ZOO_STATS_STEP_MAX - 1, 2);
	EQUAL(zoo_stats_flow_destroy(7, NULL), -EBUSY);
	EQUAL(zoo_stats_flow_destroy_with(7, NULL, NULL, NULL), 0);
	expect_occupancy(1, 1, 0, 2);
	EQUAL(zoo_stats_flow_create(7), 0);
	expect_occupancy(2, 1, 0, 2);
	zoo_stats_fini();
	expect_occupancy(0, 0, 0, 0);
	EQUAL(heap_blocks(), 0);
}

/* Updates that are late or dropped are in the reports, modulo 2^64. */
TEST(reports_of_updates)
{
	uint64_t late = 1, dropped = 1;
	unsigned int i;

	EQUAL(zoo_stats_init(), 0);
	zoo_stats_update_flow(9, 1);
	zoo_stats_update_flow(ZOO_STATS_FLOW_MAX, 1);
	for (i = 0; i < CORNERS; i++) {
		EQUAL(report("late_updates"), late);
		EQUAL(report("dropped_updates"), dropped);
		zoo_stats_note_late(corners[i]);
		late += corners[i];
		EQUAL(report("late_updates"), late);
		zoo_stats_note_drop(corners[i]);
		dropped += corners[i];
	}
	EQUAL(report("dropped_updates"), dropped);
	zoo_stats_fini();
	EQUAL(report("late_updates"), 0);
	EQUAL(report("dropped_updates"), 0);
}
