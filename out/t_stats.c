/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from t.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build t.yaml
 */
#include "t_stats.h"
#include "ctr_fork.h"
#include "ctr_item.h"
#include "ctr_table.h"

CTR_PORT_GUARD(t_stats);
CTR_STATIC_ASSERT(sizeof(struct t_stats_global_data) == 16, "layout of t_stats_global_data");

static struct ctr_control t_stats_control = CTR_CONTROL_INITIALIZER;
static struct ctr_module_fork t_stats_fork;
struct ctr_flag t_stats_ready;
struct ctr_line64 t_stats_dropped_updates, t_stats_late_updates;
static const struct ctr_domain t_stats_domain;

struct t_stats_instance t_stats_shared;

void t_stats_note_drop(uint64_t n) { ctr_module_note(&t_stats_dropped_updates, n); }
void t_stats_note_late(uint64_t n) { ctr_module_note(&t_stats_late_updates, n); }
void t_stats_read_lock(void) { ctr_module_read_lock(&t_stats_state); }
void t_stats_read_unlock(void) { ctr_module_read_unlock(&t_stats_state); }

static const struct ctr_item t_stats_global_items[] CTR_OPTIONAL(items_global) = {
	CTR_COUNTER_ITEM(t_stats_global, a, 64, "packets", "A."),
	CTR_GAUGE_ITEM(t_stats_global, g, 64, 0u, UINT64_C(9223372036854775807), "packets", "G."),
};

static const struct ctr_run t_stats_global_runs[] = {
	CTR_RUN(t_stats_global_data, t_stats_global, a, 0, 1, 64, 64, 0),
};
static const struct ctr_value t_stats_global_beside[] = {
	CTR_VALUE(t_stats_global_data, t_stats_global, g, g, CTR_FORM_LATCHED, 64, 0,
			9223372036854775807u),
};
static struct ctr_table_state t_stats_global_state;
const struct ctr_table t_stats_global_table = {
	.domain = &t_stats_domain, .state = &t_stats_global_state, .runs = t_stats_global_runs,
	.num_runs = 1, .beside = t_stats_global_beside, .num_beside = 1,
	.value_ops = &ctr_value_ops, .value_size = sizeof(struct t_stats_global),
	.data = { offsetof(struct t_stats_instance, global), 0,
			sizeof(struct t_stats_global_data) },
	.max = 1u, .bases = 1,
	.resets = true, .periodic = true,
	.read = ctr_read_slowly, .get = ctr_get_any, .sum = ctr_sum_any,
	.collect = ctr_collect_take,
};
static int t_stats_global_table_read(const uint32_t *index, void *values)
{ return ctr_index_read(&t_stats_global_table, 0, index, values); }
static int t_stats_global_table_reset(const uint32_t *index, void *last)
{ return ctr_index_reset(&t_stats_global_table, 0, index, last); }
static int t_stats_global_table_restore(const uint32_t *index, const void *values)
{ return ctr_index_restore(&t_stats_global_table, index, values); }

static const struct ctr_table *const t_stats_domain_tables[] = { &t_stats_global_table };
static const struct ctr_domain t_stats_domain = {
	.strategy = &ctr_strategy_plain, .module = &t_stats_state, .tables = t_stats_domain_tables,
	.num_tables = 1, .shared = &t_stats_shared, .size = sizeof(t_stats_shared),
};

static const struct ctr_item t_stats_health_items[] CTR_OPTIONAL(health) = {
	CTR_HEALTH_ITEM(0, "late_updates", CTR_COUNTER, UINT64_MAX, "updates",
			"Updates without effect: before the start, after the end, of no instance."),
};

static int t_stats_health(const uint32_t *index, void *out)
{
	uint64_t *value = (uint64_t *)out;

	(void)index;
	value[0] = t_stats_late();
	return 0;
}

static const struct ctr_scope t_stats_scopes[] CTR_OPTIONAL(scopes) = {
	{
		.name = "global", .description = "Module-wide statistics.",
		.strategy = "shared_unsync", .storage = CTR_STATIC, .items = t_stats_global_items,
		.num_items = 2, .value_size = sizeof(struct t_stats_global),
		.read = t_stats_global_table_read, .reset = t_stats_global_table_reset,
		.adopt = t_stats_global_table_restore,
		.discontinuity_ns = &t_stats_global_state.discontinuity_ns,
	},
	CTR_HEALTH_SCOPE(t_stats_health_items, 1, t_stats_health),
};

const struct ctr_module t_stats_module CTR_OPTIONAL(module) = {
	.abi = CTR_ABI, .name = "t", .description = "T.",
	.scopes = t_stats_scopes, .num_scopes = 1, .num_health = 1, .init = t_stats_init,
	.fini = t_stats_fini, .reset = t_stats_reset, .flush = t_stats_flush,
	.read_lock = t_stats_read_lock, .read_unlock = t_stats_read_unlock, .drops = t_stats_drops,
	.ready = &t_stats_ready.set, .began_ns = &t_stats_ready.since_ns,
};

static const struct ctr_domain *const t_stats_domains[] = { &t_stats_domain };
const struct ctr_module_state t_stats_state = {
	.control = &t_stats_control, .ready = &t_stats_ready, .dropped = &t_stats_dropped_updates,
	.late = &t_stats_late_updates, .fork = &t_stats_fork, .domains = t_stats_domains,
	.num_domains = 1, .tables = t_stats_domain_tables, .num_tables = 1,
	.read_unlock = t_stats_read_unlock, .at_once = true,
};

static const struct ctr_snapshot_scope t_stats_snapshot_scopes[] CTR_OPTIONAL(members) = {
	CTR_SNAPSHOT_SCOPE(&t_stats_global_table, &t_stats_scopes[0], t_stats_snapshot, global,
			global_valid, t_stats_global_valid, 0, 0, 0),
};
const struct ctr_snapshots t_stats_snapshots CTR_OPTIONAL(snapshots) = {
	.module = &t_stats_state, .scopes = t_stats_snapshot_scopes, .num_scopes = 1,
	.size = sizeof(struct t_stats_snapshot),
	.start_ns = offsetof(struct t_stats_snapshot, start_ns),
	.end_ns = offsetof(struct t_stats_snapshot, end_ns),
};
