/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Nested scopes, scopes with strategies of their own, embedded ones, and what
 * happens to an index out of range.
 */
#include <stdlib.h>

#include "harness.h"
#include "zoo_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(zoo_stats_init(), 0), zoo_stats_fini())

/* Each instance of nested scopes is one of its own. */
CASE(nested)
{
	uint32_t port, queue, tier;
	struct zoo_stats_queue value;

	for (port = 0; port < ZOO_STATS_PORT_MAX; port++)
		for (queue = 0; queue < ZOO_STATS_QUEUE_MAX; queue++) {
			zoo_stats_queue_add_pkts(port, queue, 1 + 100 * port + queue);
			for (tier = 0; tier < ZOO_STATS_TIER_MAX; tier++)
				zoo_stats_tier_add_pkts(port, queue, tier,
							1000 * port + 10 * queue + tier);
		}
	zoo_stats_flush();
	for (port = 0; port < ZOO_STATS_PORT_MAX; port++)
		for (queue = 0; queue < ZOO_STATS_QUEUE_MAX; queue++) {
			EQUAL(zoo_stats_queue_reset(port, queue, &value), 0);
			EQUAL(value.pkts, 1 + 100 * port + queue);
			EQUAL(zoo_stats_queue_get_pkts(port, queue), 0);
			for (tier = 0; tier < ZOO_STATS_TIER_MAX; tier++)
				EQUAL(zoo_stats_tier_get_pkts(port, queue, tier),
				      1000 * port + 10 * queue + tier);
		}
	EQUAL(zoo_stats_queue_read(ZOO_STATS_PORT_MAX, 0, &value), -ERANGE);
	EQUAL(zoo_stats_queue_read(0, ZOO_STATS_QUEUE_MAX, &value), -ERANGE);
}

/* As generic readers ask: an index past its end is refused at each level. */
CASE(past_the_end_of_each_level)
{
	uint32_t index[4] = { 0 };
	unsigned int s, level;

	for (s = 0; s < zoo_stats_module.num_scopes; s++) {
		const struct ctr_scope *scope = &zoo_stats_module.scopes[s];
		void *out = malloc(scope->value_size);

		for (level = 0; level < scope->num_indexes; level++) {
			index[level] = scope->index_maxima[level];
			if (scope->read != NULL)
				EQUAL(scope->read(index, out), -ERANGE);
			if (scope->reset != NULL)
				EQUAL(scope->reset(index, out), -ERANGE);
			index[level] = 0;
		}
		free(out);
	}
}

/* `reset: false`: neither the scope's nor anyone's reset touches it. */
CASE(never_reset)
{
	struct zoo_stats_snapshot *snap;

	EQUAL(zoo_stats_snapshot_create(&snap), 0);
	zoo_stats_eternal_add_pkts(1, 5);
	zoo_stats_port_inc_pkts(1);
	zoo_stats_flush();
	EQUAL(zoo_stats_snapshot_reset(snap), 0);
	EQUAL(snap->eternal[1].pkts, 5);
	EQUAL(snap->port[1].pkts, 1);
	EQUAL(zoo_stats_reset(), 0);
	EQUAL(zoo_stats_eternal_get_pkts(1), 5);
	EQUAL(zoo_stats_port_get_pkts(1), 0);
	zoo_stats_snapshot_free(snap);
}

/* Every way to update drops and counts a call with an index out of range, whole. */
static void
drop(void)
{
	const uint32_t p[3] = { 0, ZOO_STATS_PORT_MAX, 1 }, q[3] = { 0, 0, ZOO_STATS_QUEUE_MAX };
	const uint32_t one[3] = { 1, 1, 1 }, depth[3] = { 5, 6, 7 };
	struct zoo_stats_batch batch;
	uint64_t drops = 0;
	unsigned int i;

	EQUAL(zoo_stats_init(), 0);
	zoo_stats_port_inc_pkts(ZOO_STATS_PORT_MAX);
	EQUAL(zoo_stats_drops(), ++drops);
	zoo_stats_queue_set_depth(0, UINT32_MAX, 1);
	EQUAL(zoo_stats_drops(), ++drops);
	zoo_stats_tier_add_pkts(0, 0, ZOO_STATS_TIER_MAX, 9);
	EQUAL(zoo_stats_drops(), ++drops);
	/* The last index is wrong: nothing of it happens, under no strategy. */
	zoo_stats_update_work(1, 1, 1, 1, ZOO_STATS_GROUPED_MAX, 10);
	EQUAL(zoo_stats_drops(), ++drops);
	zoo_stats_update_poll(0, ZOO_STATS_QUEUE_MAX, 1, 1);
	EQUAL(zoo_stats_drops(), ++drops);
	EQUAL(zoo_stats_get_mode(), 0);
	zoo_stats_update_poll_bulk(p + 1, q + 1, one, depth, 2);
	drops += 2;
	EQUAL(zoo_stats_drops(), drops);
	CHECK(zoo_stats_get_mode() == 0, "a bulk call of which all is dropped sets the mode");
	zoo_stats_update_poll_bulk(p, q, one, depth, 3);
	drops += 2;
	EQUAL(zoo_stats_drops(), drops);
	zoo_stats_batch_begin(&batch);
	for (i = 0; i < 5; i++)
		zoo_stats_batch_poll(&batch, 0, 99, 1, 1);
	zoo_stats_batch_end(&batch);
	drops += 5;
	EQUAL(zoo_stats_drops(), drops);
	zoo_stats_flush();
	EQUAL(zoo_stats_atomic_get_pkts(1), 0);
	EQUAL(zoo_stats_port_get_pkts(1), 0);
	EQUAL(zoo_stats_queue_get_pkts(0, 0), 1);
	EQUAL(zoo_stats_queue_get_depth(0, 0), 5);
	zoo_stats_fini();
}

TEST(drops)
{
	drop();
	EQUAL(ctr_thread_register(), 0);
	drop();
	ctr_thread_unregister();
}

/* The application's own object under its own lock. */
CASE(embedded_caller)
{
	struct zoo_stats_cell_embedded cell, other, *cells[3] = { &cell, &other, &cell };
	const uint32_t now[3] = { 1, 2, 3 };
	struct zoo_stats_cell value;
	struct zoo_stats_batch batch;
	char label[11];

	memset(&cell, 0xff, sizeof(cell));
	zoo_stats_cell_init(&cell);
	zoo_stats_cell_init(&other);
	EQUAL(zoo_stats_cell_read(&cell, &value), 0);
	EQUAL(value.pkts + value.errors + value.depth + value.seen, 0);
	zoo_stats_cell_inc_pkts(&cell);
	zoo_stats_cell_add_errors(&cell, UINT32_MAX);
	zoo_stats_cell_add_errors(&cell, 3);
	zoo_stats_update_cell(&cell, 77);
	zoo_stats_update_cell_bulk(cells, now, 3);
	zoo_stats_batch_begin(&batch);
	zoo_stats_batch_cell(&batch, &cell, 9);
	zoo_stats_batch_cell(&batch, &other, 10);
	zoo_stats_batch_end(&batch);
	EQUAL(zoo_stats_cell_set_label(&cell, "a label too long"), 0);
	EQUAL(zoo_stats_cell_get_label(&cell, label), 0);
	EQUAL(strcmp(label, "a label to"), 0);
	EQUAL(zoo_stats_cell_get_pkts(&cell), 5);
	EQUAL(zoo_stats_cell_get_errors(&cell), 2);
	EQUAL(zoo_stats_cell_get_seen(&cell), 9);
	EQUAL(zoo_stats_cell_get_pkts(&other), 2);
	zoo_stats_cell_add_depth(&cell, 100);
	EQUAL(zoo_stats_cell_get_depth(&cell), 10);
	EQUAL(zoo_stats_cell_reset(&cell, &value), 0);
	EQUAL(value.pkts, 5);
	EQUAL(value.errors, 2);
	EQUAL(value.depth, 10);
	EQUAL(strcmp(value.label, "a label to"), 0);
	EQUAL(zoo_stats_cell_reset(&cell, &value), 0);
	EQUAL(value.pkts + value.errors, 0);
	EQUAL(value.seen, 9);
	EQUAL(zoo_stats_cell_reset(&other, NULL), 0);
	EQUAL(zoo_stats_cell_get_pkts(&other), 0);
	EQUAL(zoo_stats_cell_reset(NULL, &value), -EINVAL);
	EQUAL(zoo_stats_cell_read(NULL, &value), -EINVAL);
	EQUAL(zoo_stats_cell_read(&cell, NULL), -EINVAL);
	/* The module's resets do not know the application's objects. */
	zoo_stats_cell_inc_pkts(&cell);
	EQUAL(zoo_stats_reset(), 0);
	EQUAL(zoo_stats_cell_get_pkts(&cell), 1);
}
