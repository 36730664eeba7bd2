/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * A generic reader that knows the descriptor only gets what direct calls get.
 */
#include "ctr_values.h"
#include "ep_stats.h"
#include "harness.h"

static void
check_item(const struct ctr_scope *scope, const char *name, enum ctr_kind kind, const char *unit)
{
	const struct ctr_item *item = ctr_item_find(scope, name);

	EQUAL(item->kind, kind);
	EQUAL(strcmp(item->unit, unit), 0);
	CHECK(strlen(item->description) > 5, "%s is not described", name);
	if (kind == CTR_COUNTER) {
		EQUAL(item->width, 64);
		EQUAL(item->maximum, UINT64_MAX);
	}
}

/* What the lcores counted of an instance, added up, is what the instance has. */
static void
check_lcores(const struct ctr_scope *scope, const uint32_t *index, uint64_t pkts)
{
	struct ep_stats_session part;
	uint64_t sum = 0;
	unsigned int lcore;

	if (scope->lcore_read == NULL) {
		EQUAL(ep_stats_session_lcore_read(0, index[0], &part), -ENOTSUP);
		return;
	}
	for (lcore = 0; lcore <= CTR_NON_LCORE; lcore++)
		if (scope->lcore_read(lcore, index, &part) == 0)
			sum += part.pkts;
	EQUAL(sum, pkts);
	EQUAL(scope->lcore_read(CTR_NON_LCORE + 1, index, &part), -ERANGE);
}

TEST(descriptor)
{
	const struct ctr_module *module = &ep_stats_module;
	const struct ctr_scope *global = &module->scopes[0], *session = &module->scopes[1];
	struct ep_stats_session by_call, by_descriptor;
	struct ep_stats_global everything;
	uint32_t index[1];

	EQUAL(module->abi, CTR_ABI);
	EQUAL(strcmp(module->name, "ep"), 0);
	EQUAL(module->num_scopes, 2);
	EQUAL(strcmp(global->name, "global"), 0);
	EQUAL(strcmp(session->name, "session"), 0);
	EQUAL(global->num_indexes, 0);
	EQUAL(session->num_indexes, 1);
	EQUAL(strcmp(session->index_names[0], "session"), 0);
	EQUAL(session->index_maxima[0], EP_STATS_SESSION_MAX);
	EQUAL(session->storage, CTR_STATIC);
	EQUAL(session->value_size, sizeof(by_call));
	EQUAL(global->value_size, sizeof(everything));
	check_item(global, "total_pkts", CTR_COUNTER, "packets");
	check_item(global, "total_bytes", CTR_COUNTER, "bytes");
	check_item(global, "sessions", CTR_GAUGE, "sessions");
	check_item(global, "link_up", CTR_STATE, "");
	check_item(session, "pkts", CTR_COUNTER, "packets");

	EQUAL(module->init(), 0);
	EQUAL(ep_stats_init(), -EALREADY);
	for (index[0] = 0; index[0] < EP_STATS_SESSION_MAX; index[0]++)
		ep_stats_session_add_pkts(index[0], 3 + index[0]);
	ep_stats_update_packet(999, 77);
	ep_stats_set_link_up(true);
	ep_stats_add_sessions(4);
	module->flush();
	module->read_lock();
	for (index[0] = 0; index[0] < EP_STATS_SESSION_MAX; index[0]++) {
		EQUAL(session->read(index, &by_descriptor), 0);
		EQUAL(ep_stats_session_read(index[0], &by_call), 0);
		EQUAL(ctr_item_value(ctr_item_find(session, "pkts"), &by_descriptor), by_call.pkts);
		EQUAL(ctr_item_value(ctr_item_find(session, "bytes"), &by_descriptor), by_call.bytes);
		EQUAL(by_call.pkts, 3 + index[0] + (index[0] == 999));
	}
	module->read_unlock();
	index[0] = 999;
	check_lcores(session, index, 1003);
	EQUAL(module->num_views, 0);
	CHECK(session->view_read == NULL, "there are no views");
	EQUAL(global->read(NULL, &everything), 0);
	EQUAL(ctr_item_value(ctr_item_find(global, "total_bytes"), &everything), 77);
	EQUAL(ctr_item_value(ctr_item_find(global, "sessions"), &everything), 4);
	EQUAL(ctr_item_value(ctr_item_find(global, "link_up"), &everything), 1);
	index[0] = EP_STATS_SESSION_MAX;
	EQUAL(session->read(index, &by_descriptor), -ERANGE);
	index[0] = 999;
	EQUAL(session->reset(index, &by_descriptor), 0);
	EQUAL(by_descriptor.bytes, 77);
	EQUAL(ep_stats_session_get_pkts(999), 0);
	EQUAL(module->reset(), 0);
	EQUAL(ep_stats_session_get_pkts(998), 0);
	EQUAL(module->drops(), 0);
	module->fini();
	EQUAL(ep_stats_init(), 0);
	ep_stats_fini();
}
