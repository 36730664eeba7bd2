/* SPDX-License-Identifier: BSD-3-Clause */
/** @file One check for each bug that was found, named by what it did. */
#include <stdio.h>

#include "reg_stats.h"

static int failures;

static void
expect(const char *what, uint64_t found, uint64_t wanted)
{
	if (found == wanted)
		return;
	printf("%s: %llu instead of %llu\n", what, (unsigned long long)found,
	       (unsigned long long)wanted);
	failures++;
}

static void
end(struct reg_stats_batch *b)
{
	reg_stats_batch_end(b);
	reg_stats_flush();
}

/* A run of a batch with a bad index was counted as one drop. */
static void
drops_count_every_call_of_a_run(void)
{
	struct reg_stats_batch b;
	unsigned int i;

	reg_stats_batch_begin(&b);
	for (i = 0; i < 7; i++)
		reg_stats_batch_rise(&b, 99);
	end(&b);
	expect("drops of a run of 7", reg_stats_drops(), 7);
}

/* Each update had a run of its own, applied in schema order at the end. */
static void
batches_keep_the_order_of_sets(void)
{
	struct reg_stats_batch b;

	reg_stats_batch_begin(&b);
	reg_stats_batch_fall(&b, 1);
	reg_stats_batch_rise(&b, 1);
	end(&b);
	expect("up after fall, rise", reg_stats_port_get_up(1), 1);
	reg_stats_batch_begin(&b);
	reg_stats_batch_rise(&b, 1);
	reg_stats_batch_fall(&b, 1);
	end(&b);
	expect("up after rise, fall", reg_stats_port_get_up(1), 0);
	reg_stats_batch_begin(&b);
	reg_stats_batch_push(&b, 2, 5);
	reg_stats_batch_idle(&b, 2);
	reg_stats_batch_push(&b, 2, 3);
	end(&b);
	expect("depth after push 5, idle, push 3", reg_stats_port_get_depth(2), 3);
}

/* A batch may be used again after its end without adding the old run once more. */
static void
an_ended_batch_is_empty(void)
{
	struct reg_stats_batch b;

	reg_stats_batch_begin(&b);
	reg_stats_batch_push(&b, 3, 5);
	end(&b);
	reg_stats_batch_push(&b, 3, 2);
	end(&b);
	expect("depth after two batches", reg_stats_port_get_depth(3), 7);
}

/* A scope without reset kept the counts of the former instance. */
static void
a_recycled_index_starts_at_zero(void)
{
	expect("create", (uint64_t)reg_stats_tunnel_create(1), 0);
	reg_stats_tunnel_add_pkts(1, 7);
	reg_stats_tunnel_set_level(1, 9);
	reg_stats_flush();
	expect("destroy", (uint64_t)reg_stats_tunnel_destroy(1, NULL), 0);
	expect("create again", (uint64_t)reg_stats_tunnel_create(1), 0);
	expect("pkts of the new tunnel", reg_stats_tunnel_get_pkts(1), 0);
	expect("level of the new tunnel", reg_stats_tunnel_get_level(1), 0);
}

/* Adds to an embedded object waited in the batch, beyond the application's lock. */
static void
batches_do_not_hold_the_applications_objects(void)
{
	struct reg_stats_flow_embedded flow;
	struct reg_stats_batch b;

	reg_stats_flow_init(&flow);
	reg_stats_batch_begin(&b);
	reg_stats_batch_pass(&b, &flow);
	expect("pkts of the flow before the batch ends", reg_stats_flow_get_pkts(&flow), 1);
	end(&b);
	expect("pkts of the flow", reg_stats_flow_get_pkts(&flow), 1);
	expect("seen", reg_stats_get_seen(), 1);
}

/* Reads of scopes of which there is one copy returned the same in all views. */
static void
views_have_baselines_of_their_own(void)
{
	struct reg_stats_queue queue;
	struct reg_stats_session session;

	expect("create", (uint64_t)reg_stats_session_create(1), 0);
	reg_stats_queue_add_pkts(1, 5);
	reg_stats_session_add_pkts(1, 6);
	reg_stats_flush();
	expect("reset", (uint64_t)reg_stats_queue_view_reset(REG_STATS_VIEW_CLI, 1, &queue), 0);
	expect("pkts that are reset", queue.pkts, 5);
	expect("reset", (uint64_t)reg_stats_session_view_reset(REG_STATS_VIEW_CLI, 1, &session), 0);
	expect("pkts that are reset", session.pkts, 6);
	reg_stats_queue_add_pkts(1, 2);
	reg_stats_session_add_pkts(1, 3);
	reg_stats_flush();
	(void)reg_stats_queue_view_read(REG_STATS_VIEW_CLI, 1, &queue);
	(void)reg_stats_session_view_read(REG_STATS_VIEW_CLI, 1, &session);
	expect("pkts of a queue since then", queue.pkts, 2);
	expect("pkts of a session since then", session.pkts, 3);
	(void)reg_stats_queue_read(1, &queue);
	(void)reg_stats_session_read(1, &session);
	expect("pkts of a queue in the default view", queue.pkts, 7);
	expect("pkts of a session in the default view", session.pkts, 9);
}

int
main(void)
{
	if (reg_stats_init() != 0 || ctr_thread_register() != 0)
		return 2;
	drops_count_every_call_of_a_run();
	batches_keep_the_order_of_sets();
	an_ended_batch_is_empty();
	a_recycled_index_starts_at_zero();
	batches_do_not_hold_the_applications_objects();
	views_have_baselines_of_their_own();
	reg_stats_fini();
	return failures != 0;
}
