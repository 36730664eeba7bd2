/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from ep.yaml by ctrgen 0.2.0. Do not edit; change the schema and run
 *   ctrgen build ep.yaml --sync shared_unsync
 */
#include "ep_stats.h"
#include "ctr_scope.h"

CTR_PORT_GUARD(ep_stats);

static struct ctr_control ep_stats_control = CTR_CONTROL_INITIALIZER;
static struct ctr_module_fork ep_stats_fork;
struct ctr_flag ep_stats_ready;
struct ctr_line64 ep_stats_dropped_updates;
struct ctr_line64 ep_stats_late_updates;

static const struct ctr_domain ep_stats_domain;

struct ep_stats_instance ep_stats_shared;

void
ep_stats_note_drop(uint64_t n)
{
	ctr_module_note(&ep_stats_dropped_updates, n);
}

void
ep_stats_note_late(uint64_t n)
{
	ctr_module_note(&ep_stats_late_updates, n);
}

void
ep_stats_read_lock(void)
{
	ctr_module_read_lock(&ep_stats_state);
}

void
ep_stats_read_unlock(void)
{
	ctr_module_read_unlock(&ep_stats_state);
}

static const struct ctr_item ep_stats_global_items[] = {
	CTR_COUNTER_ITEM(ep_stats_global, total_pkts, 64, "packets", "EP packets processed."),
	CTR_COUNTER_ITEM(ep_stats_global, total_bytes, 64, "bytes",
			"Octets in processed EP packets."),
	CTR_GAUGE_ITEM(ep_stats_global, sessions, 64, 0u, UINT64_C(9223372036854775807),
			"sessions", "Sessions now established."),
	CTR_STATE_ITEM(ep_stats_global, link_up, CTR_BOOL, "", "Whether the uplink is up."),
};

static void
ep_stats_global_adder(uint32_t at, const struct ctr_run *run, uint32_t nth, uint64_t n)
{
	(void)at;
	ep_stats_global_add64(run->data + nth * 8u, n);
}

static const struct ctr_run ep_stats_global_runs[] = {
	CTR_RUN(ep_stats_global_data, ep_stats_global, total_pkts, 0, 2, 64, 64, 0),
};

static const struct ctr_value ep_stats_global_beside[] = {
	{
		.at = offsetof(struct ep_stats_global_data, sessions),
		.value = offsetof(struct ep_stats_global, sessions),
		.form = CTR_FORM_LATCHED,
		.bits = 64,
		.size = sizeof(((struct ep_stats_global *)0)->sessions),
		.low = 0u,
		.high = UINT64_C(9223372036854775807),
	},
	{
		.at = offsetof(struct ep_stats_global_data, link_up),
		.value = offsetof(struct ep_stats_global, link_up),
		.form = CTR_FORM_BOOL,
		.bits = 32,
		.size = sizeof(((struct ep_stats_global *)0)->link_up),
	},
};

static struct ctr_table_state ep_stats_global_state;

const struct ctr_table ep_stats_global_table = {
	.name = "global",
	.domain = &ep_stats_domain,
	.state = &ep_stats_global_state,
	.runs = ep_stats_global_runs,
	.num_runs = 1,
	.beside = ep_stats_global_beside,
	.num_beside = 2,
	.value_size = sizeof(struct ep_stats_global),
	.max = 1u,
	.data = { offsetof(struct ep_stats_instance, global), 0,
			sizeof(struct ep_stats_global_data) },
	.bases = 1,
	.add = ep_stats_global_adder,
	.resets = true,
	.periodic = true,
};
CTR_SCOPE_FUNCTIONS(ep_stats_global_table)

static const struct ctr_item ep_stats_session_items[] = {
	CTR_COUNTER_ITEM(ep_stats_session, pkts, 64, "packets", "Packets of the session."),
	CTR_COUNTER_ITEM(ep_stats_session, bytes, 64, "bytes", "Octets in packets of the session."),
};

static void
ep_stats_session_adder(uint32_t at, const struct ctr_run *run, uint32_t nth, uint64_t n)
{
	ep_stats_session_add64(at, run->data + nth * 8u, n);
}

static const struct ctr_run ep_stats_session_runs[] = {
	CTR_RUN(ep_stats_session_data, ep_stats_session, pkts, 0, 2, 64, 64, 0),
};

static const uint32_t ep_stats_session_index_maxima[] = { 1000u };
static struct ctr_table_state ep_stats_session_state;

const struct ctr_table ep_stats_session_table = {
	.name = "session",
	.domain = &ep_stats_domain,
	.state = &ep_stats_session_state,
	.runs = ep_stats_session_runs,
	.num_runs = 1,
	.value_size = sizeof(struct ep_stats_session),
	.num_indexes = 1,
	.index_maxima = ep_stats_session_index_maxima,
	.max = 1000u,
	.data = { offsetof(struct ep_stats_instance, session), 0,
			sizeof(struct ep_stats_session_data) },
	.bases = 1,
	.add = ep_stats_session_adder,
	.resets = true,
	.periodic = true,
	.gathers = true,
};
CTR_SCOPE_FUNCTIONS(ep_stats_session_table)

static const struct ctr_table *const ep_stats_domain_tables[] = { &ep_stats_global_table,
		&ep_stats_session_table };

static const struct ctr_domain ep_stats_domain = {
	.strategy = &ctr_strategy_plain,
	.module = &ep_stats_state,
	.tables = ep_stats_domain_tables,
	.num_tables = 2,
	.shared = &ep_stats_shared,
	.size = sizeof(ep_stats_shared),
};

static const char *const ep_stats_session_index_names[] = { "session" };

static const struct ctr_item ep_stats_health_items[] = {
	CTR_HEALTH_ITEM(0, "late_updates", CTR_COUNTER, UINT64_MAX, "updates",
			"Updates without effect: before the start, after the end, of no instance."),
};

static int
ep_stats_health(const uint32_t *index, void *out)
{
	uint64_t *value = (uint64_t *)out;

	(void)index;
	value[0] = ep_stats_late();
	return 0;
}

static const struct ctr_scope ep_stats_scopes[] = {
	{
		.name = "global",
		.description = "Module-wide statistics.",
		.strategy = "shared_unsync",
		.storage = CTR_STATIC,
		.consistent = false,
		.items = ep_stats_global_items,
		.num_items = 4,
		.value_size = sizeof(struct ep_stats_global),
		.read = ep_stats_global_table_read,
		.reset = ep_stats_global_table_reset,
		.adopt = ep_stats_global_table_adopt,
		.discontinuity_ns = &ep_stats_global_state.discontinuity_ns,
	},
	{
		.name = "session",
		.description = "An EP session.",
		.strategy = "shared_unsync",
		.storage = CTR_STATIC,
		.consistent = false,
		.num_indexes = 1,
		.index_names = ep_stats_session_index_names,
		.index_maxima = ep_stats_session_index_maxima,
		.items = ep_stats_session_items,
		.num_items = 2,
		.value_size = sizeof(struct ep_stats_session),
		.read = ep_stats_session_table_read,
		.reset = ep_stats_session_table_reset,
		.rows = ep_stats_session_table_rows,
		.adopt = ep_stats_session_table_adopt,
		.discontinuity_ns = &ep_stats_session_state.discontinuity_ns,
	},
	CTR_HEALTH_SCOPE(ep_stats_health_items, 1, ep_stats_health),
};

const struct ctr_module ep_stats_module = {
	.abi = CTR_ABI,
	.name = "ep",
	.description = "Example Protocol statistics.",
	.scopes = ep_stats_scopes,
	.num_scopes = 2,
	.init = ep_stats_init,
	.fini = ep_stats_fini,
	.reset = ep_stats_reset,
	.flush = ep_stats_flush,
	.read_lock = ep_stats_read_lock,
	.read_unlock = ep_stats_read_unlock,
	.drops = ep_stats_drops,
	.ready = &ep_stats_ready.set,
	.began_ns = &ep_stats_ready.since_ns,
	.num_health = 1,
};
static const struct ctr_domain *const ep_stats_domains[] = { &ep_stats_domain };
static const struct ctr_table *const ep_stats_tables[] = { &ep_stats_global_table,
		&ep_stats_session_table };

const struct ctr_module_state ep_stats_state = {
	.control = &ep_stats_control,
	.ready = &ep_stats_ready,
	.dropped = &ep_stats_dropped_updates,
	.late = &ep_stats_late_updates,
	.fork = &ep_stats_fork,
	.domains = ep_stats_domains,
	.tables = ep_stats_tables,
	.num_domains = 1,
	.num_tables = 2,
	.read_unlock = ep_stats_read_unlock,
	.at_once = true,
};

static const struct ctr_snapshot_scope ep_stats_snapshot_scopes[] = {
	{
		.table = &ep_stats_global_table,
		.scope = &ep_stats_scopes[0],
		.values = offsetof(struct ep_stats_snapshot, global),
		.valid = offsetof(struct ep_stats_snapshot, global_valid),
		.valid_size = sizeof(struct ep_stats_global_valid),
	},
	{
		.table = &ep_stats_session_table,
		.scope = &ep_stats_scopes[1],
		.values = offsetof(struct ep_stats_snapshot, session),
		.valid = offsetof(struct ep_stats_snapshot, session_valid),
		.valid_size = sizeof(struct ep_stats_session_valid),
	},
};

const struct ctr_snapshots ep_stats_snapshots = {
	.module = &ep_stats_state,
	.scopes = ep_stats_snapshot_scopes,
	.num_scopes = 2,
	.size = sizeof(struct ep_stats_snapshot),
	.start_ns = offsetof(struct ep_stats_snapshot, start_ns),
	.end_ns = offsetof(struct ep_stats_snapshot, end_ns),
};
