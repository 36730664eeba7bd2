/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync shared_unsync
 */
#include "ep_stats.h"
#include "ctr_fork.h"
#include "ctr_item.h"
#include "ctr_table.h"

CTR_PORT_GUARD(ep_stats);
CTR_STATIC_ASSERT(sizeof(struct ep_stats_global_data) == 32, "layout of ep_stats_global_data");
CTR_STATIC_ASSERT(sizeof(struct ep_stats_session_data) == 16, "layout of ep_stats_session_data");

static struct ctr_control ep_stats_control = CTR_CONTROL_INITIALIZER;
static struct ctr_module_fork ep_stats_fork;
struct ctr_flag ep_stats_ready;
struct ctr_padded64 ep_stats_dropped_updates, ep_stats_late_updates;
static const struct ctr_domain ep_stats_domain;

struct ep_stats_instance ep_stats_shared;

void ep_stats_note_drop(uint64_t n) { ctr_module_note(&ep_stats_dropped_updates, n); }
void ep_stats_note_late(uint64_t n) { ctr_module_note(&ep_stats_late_updates, n); }
void ep_stats_read_lock(void) { ctr_module_read_lock(&ep_stats_state); }
void ep_stats_read_unlock(void) { ctr_module_read_unlock(&ep_stats_state); }

static const struct ctr_item ep_stats_global_items[] CTR_OPTIONAL(items_global) = {
	CTR_COUNTER_ITEM(ep_stats_global, total_pkts, 64, "packets", "EP packets processed."),
	CTR_COUNTER_ITEM(ep_stats_global, total_bytes, 64, "bytes",
			"Octets in processed EP packets."),
	CTR_GAUGE_ITEM(ep_stats_global, sessions, 64, 0u, UINT64_C(9223372036854775807),
			"sessions", "Sessions now established."),
	CTR_STATE_ITEM(ep_stats_global, link_up, CTR_BOOL, "", "Whether the uplink is up."),
};

static const struct ctr_run ep_stats_global_runs[] = {
	CTR_RUN(ep_stats_global_data, ep_stats_global, total_pkts, 0, 2, 64, 64, 0),
};
static const struct ctr_value ep_stats_global_beside[] = {
	CTR_VALUE(ep_stats_global_data, ep_stats_global, sessions, sessions, CTR_FORM_LATCHED, 64,
			0, 9223372036854775807u),
	CTR_VALUE(ep_stats_global_data, ep_stats_global, link_up, link_up, CTR_FORM_BOOL, 32, 0, 0),
};
static struct ctr_table_state ep_stats_global_state;
const struct ctr_table ep_stats_global_table = {
	.domain = &ep_stats_domain, .state = &ep_stats_global_state, .runs = ep_stats_global_runs,
	.num_runs = 1, .beside = ep_stats_global_beside, .num_beside = 2,
	.value_ops = &ctr_value_ops, .value_size = sizeof(struct ep_stats_global),
	.data = { offsetof(struct ep_stats_instance, global), 0,
			sizeof(struct ep_stats_global_data) },
	.max = 1u, .bases = 1,
	.resets = true, .periodic = true, .padded = true,
	.read = ctr_read_slowly, .get = ctr_get_any, .sum = ctr_sum_any,
	.collect = ctr_collect_take,
};
static int ep_stats_global_table_read(const uint32_t *index, void *values)
{ return ctr_index_read(&ep_stats_global_table, 0, index, values); }
static int ep_stats_global_table_reset(const uint32_t *index, void *last)
{ return ctr_index_reset(&ep_stats_global_table, 0, index, last); }
static int ep_stats_global_table_restore(const uint32_t *index, const void *values)
{ return ctr_index_restore(&ep_stats_global_table, index, values); }

static const struct ctr_item ep_stats_session_items[] CTR_OPTIONAL(items_session) = {
	CTR_COUNTER_ITEM(ep_stats_session, pkts, 64, "packets", "Packets of the session."),
	CTR_COUNTER_ITEM(ep_stats_session, bytes, 64, "bytes", "Octets in packets of the session."),
};

static const struct ctr_run ep_stats_session_runs[] = {
	CTR_RUN(ep_stats_session_data, ep_stats_session, pkts, 0, 2, 64, 64, 0),
};
static const uint32_t ep_stats_session_index_maxima[] = { 1000u };
static struct ctr_table_state ep_stats_session_state;
const struct ctr_table ep_stats_session_table = {
	.domain = &ep_stats_domain, .state = &ep_stats_session_state, .runs = ep_stats_session_runs,
	.num_runs = 1, .value_size = sizeof(struct ep_stats_session),
	.data = { offsetof(struct ep_stats_instance, session), 0,
			sizeof(struct ep_stats_session_data) },
	.num_indexes = 1, .index_maxima = ep_stats_session_index_maxima, .max = 1000u, .bases = 1,
	.resets = true, .periodic = true, .gathers = true, .words = true,
	.read = ctr_read_2, .get = ctr_get_any, .sum = ctr_sum_any, .collect = ctr_collect_take,
};
static int ep_stats_session_table_read(const uint32_t *index, void *values)
{ return ctr_table_read(&ep_stats_session_table, 0, *index, values); }
static int ep_stats_session_table_reset(const uint32_t *index, void *last)
{ return ctr_index_reset(&ep_stats_session_table, 0, index, last); }
static void ep_stats_session_table_rows(uint32_t at, uint32_t count, void *values, int *rc)
{ ctr_table_rows(&ep_stats_session_table, at, count, values, rc); }
static int ep_stats_session_table_restore(const uint32_t *index, const void *values)
{ return ctr_index_restore(&ep_stats_session_table, index, values); }

static const struct ctr_table *const ep_stats_domain_tables[] = { &ep_stats_global_table,
		&ep_stats_session_table };
static const struct ctr_domain ep_stats_domain = {
	.strategy = &ctr_strategy_plain, .module = &ep_stats_state,
	.tables = ep_stats_domain_tables, .num_tables = 2, .shared = &ep_stats_shared,
	.size = sizeof(ep_stats_shared),
};

static const char *const ep_stats_session_index_names[] = { "session" };
static const struct ctr_item ep_stats_health_items[] CTR_OPTIONAL(health) = {
	CTR_HEALTH_ITEM(0, "late_updates", CTR_COUNTER, UINT64_MAX, "updates",
			"Updates without effect: before the start, after the end, of no instance."),
};

static int ep_stats_health(const uint32_t *index, void *out)
{
	uint64_t *value = (uint64_t *)out;

	(void)index;
	value[0] = ep_stats_late();
	return 0;
}

static const struct ctr_scope ep_stats_scopes[] CTR_OPTIONAL(scopes) = {
	{
		.name = "global", .description = "Module-wide statistics.",
		.strategy = "shared_unsync", .storage = CTR_STATIC, .items = ep_stats_global_items,
		.num_items = 4, .value_size = sizeof(struct ep_stats_global),
		.read = ep_stats_global_table_read, .reset = ep_stats_global_table_reset,
		.adopt = ep_stats_global_table_restore,
		.discontinuity_ns = &ep_stats_global_state.discontinuity_ns,
	},
	{
		.name = "session", .description = "An EP session.",
		.strategy = "shared_unsync", .storage = CTR_STATIC, .items = ep_stats_session_items,
		.num_items = 2, .value_size = sizeof(struct ep_stats_session),
		.num_indexes = 1, .index_names = ep_stats_session_index_names,
		.index_maxima = ep_stats_session_index_maxima, .read = ep_stats_session_table_read,
		.reset = ep_stats_session_table_reset, .adopt = ep_stats_session_table_restore,
		.rows = ep_stats_session_table_rows,
		.discontinuity_ns = &ep_stats_session_state.discontinuity_ns,
	},
	CTR_HEALTH_SCOPE(ep_stats_health_items, 1, ep_stats_health),
};

const struct ctr_module ep_stats_module CTR_OPTIONAL(module) = {
	.abi = CTR_ABI, .name = "ep", .description = "Example Protocol statistics.",
	.scopes = ep_stats_scopes, .num_scopes = 2, .num_health = 1, .init = ep_stats_init,
	.fini = ep_stats_fini, .reset = ep_stats_reset, .flush = ep_stats_flush,
	.read_lock = ep_stats_read_lock, .read_unlock = ep_stats_read_unlock,
	.drops = ep_stats_drops, .ready = &ep_stats_ready.set, .began_ns = &ep_stats_ready.since_ns,
};

static const struct ctr_domain *const ep_stats_domains[] = { &ep_stats_domain };
const struct ctr_module_state ep_stats_state = {
	.control = &ep_stats_control, .ready = &ep_stats_ready,
	.dropped = &ep_stats_dropped_updates, .late = &ep_stats_late_updates,
	.fork = &ep_stats_fork, .domains = ep_stats_domains, .num_domains = 1,
	.tables = ep_stats_domain_tables, .num_tables = 2, .read_unlock = ep_stats_read_unlock,
	.at_once = true, .alone = CTR_PORT_ALONE,
};

static const struct ctr_snapshot_scope ep_stats_snapshot_scopes[] CTR_OPTIONAL(members) = {
	CTR_SNAPSHOT_SCOPE(&ep_stats_global_table, &ep_stats_scopes[0], ep_stats_snapshot, global,
			global_valid, ep_stats_global_valid, 0, 0, 0),
	CTR_SNAPSHOT_SCOPE(&ep_stats_session_table, &ep_stats_scopes[1], ep_stats_snapshot,
			session, session_valid, ep_stats_session_valid, 0, 0, 0),
};
const struct ctr_snapshots ep_stats_snapshots CTR_OPTIONAL(snapshots) = {
	.module = &ep_stats_state, .scopes = ep_stats_snapshot_scopes, .num_scopes = 2,
	.size = sizeof(struct ep_stats_snapshot),
	.start_ns = offsetof(struct ep_stats_snapshot, start_ns),
	.end_ns = offsetof(struct ep_stats_snapshot, end_ns),
};
