/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync per_core
 */
/** @file
 * Benchmark of ep_stats: the same packets counted in several ways. The code
 * that measures is in the runtime (src/bench); `ctrgen bench` builds and runs it.
 */
#include "ctr_bench.h"
#include "ep_stats_hand.h"

/* No statistics: the work, and reading the arguments of the updates. */
static void
run_none(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n, struct ctr_bench_work *work)
{
	const uint32_t *session_index = t->index[0];
	const uint16_t *u16 = t->u16;

	for (uint32_t i = at; i < at + n; i++) {
		ctr_bench_domain(work);
		__asm__ volatile("" : : "r"(session_index[i]));
		__asm__ volatile("" : : "r"(u16[i]));
	}
}

/* One call for each update. */
static void
run_single(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n, struct ctr_bench_work *work)
{
	const uint32_t *session_index = t->index[0];
	const uint16_t *u16 = t->u16;

	for (uint32_t i = at; i < at + n; i++) {
		ctr_bench_domain(work);
		ep_stats_update_packet(session_index[i], u16[i]);
	}
}

/* The updates of a burst in a batch. */
static void
run_batch(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n, struct ctr_bench_work *work)
{
	const uint32_t *session_index = t->index[0];
	const uint16_t *u16 = t->u16;
	struct ep_stats_batch batch;

	ep_stats_batch_begin(&batch);
	for (uint32_t i = at; i < at + n; i++) {
		ctr_bench_domain(work);
		ep_stats_batch_packet(&batch, session_index[i], u16[i]);
	}
	ep_stats_batch_end(&batch);
}

/* One call for a burst, for each update. */
static void
run_bulk(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n, struct ctr_bench_work *work)
{
	const uint32_t *session_index = t->index[0];
	const uint16_t *u16 = t->u16;

	for (uint32_t i = at; i < at + n; i++)
		ctr_bench_domain(work);
	ep_stats_update_packet_bulk(session_index + at, u16 + at, n);
}

/* The pattern written by hand. */
static void
run_hand(const struct ctr_bench_traffic *t, uint32_t at, uint32_t n, struct ctr_bench_work *work)
{
	const uint32_t *session_index = t->index[0];
	const uint16_t *u16 = t->u16;

	for (uint32_t i = at; i < at + n; i++) {
		ctr_bench_domain(work);
		hand_update_packet(session_index[i], u16[i]);
	}
}

/* Everything at once; into memory that is allocated once. */
static int
snapshot(void)
{
	static struct ep_stats_snapshot *snap;
	int rc = snap != NULL ? 0 : ep_stats_snapshot_create(&snap);

	return rc != 0 ? rc : ep_stats_snapshot_read(snap);
}

static const struct ctr_bench_call ways[] = {
	{ "none", run_none },
	{ "single", run_single },
	{ "batch", run_batch },
	{ "bulk", run_bulk },
	{ "hand", run_hand },
	{ NULL, NULL },
};

static const struct ctr_bench_effect effects[] = {
	{ 0, 0, 0, CTR_BENCH_CONSTANT, 1, 1 }, /* global.total_pkts */
	{ 0, 1, 0, CTR_BENCH_U16, 0, 1 }, /* global.total_bytes */
	{ 1, 0, 0, CTR_BENCH_CONSTANT, 1, 1 }, /* session.pkts */
	{ 1, 1, 0, CTR_BENCH_U16, 0, 1 }, /* session.bytes */
};

static const uint32_t limits[] = { 1000 };
static const uint32_t strides[] = { 1 };

const struct ctr_bench ctr_bench = {
	.module = &ep_stats_module, .ways = ways, .effects = effects, .num_effects = 4,
	.limits = limits, .strides = strides, .num_indexes = 1, .snapshot = snapshot,
	.hand_init = hand_init,
};
