/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * An application that calls everything the reference schema generates. It has to
 * compile unchanged as C and C++, under every strategy, on both ports.
 */
#include <stdio.h>

#include "ep_stats.h"

static int
count(void)
{
	static const uint32_t session[4] = { 1, 2, 2, 3 };
	static const uint16_t size[4] = { 64, 128, 256, 512 };
	struct ep_stats_batch b;

	ep_stats_inc_total_pkts();
	ep_stats_add_total_bytes(64);
	ep_stats_session_inc_pkts(1);
	ep_stats_session_add_bytes(1, 64);
	ep_stats_inc_sessions();
	ep_stats_add_sessions(2);
	ep_stats_sub_sessions(1);
	ep_stats_set_sessions(5);
	ep_stats_set_link_up(true);
	ep_stats_session_prefetch(1);
	ep_stats_update_packet(1, 64);
	ep_stats_update_packet_bulk(session, size, 4);
	ep_stats_batch_begin(&b);
	ep_stats_batch_packet(&b, 1, 64);
	ep_stats_batch_packet(&b, 1, 64);
	ep_stats_batch_end(&b);
	ep_stats_burst_end();
	ep_stats_hint_flush(); /* synonyms of 0.2 */
	ep_stats_quiescent();
	ep_stats_try_flush();
	ep_stats_flush();
	return ep_stats_get_total_pkts() == 8 && ep_stats_session_get_pkts(1) == 5 ? 0 : 1;
}

static int
read_all(void)
{
	struct ep_stats_snapshot *snap = NULL;
	struct ep_stats_session session;
	struct ep_stats_global global;
	int rc = 0;

	ep_stats_read_lock();
	rc |= ep_stats_global_read(&global);
	rc |= ep_stats_session_read(1, &session);
	ep_stats_read_unlock();
	rc |= global.sessions != 5 || !global.link_up || ep_stats_get_sessions() != 5;
	rc |= !ep_stats_get_link_up() || session.bytes != ep_stats_session_get_bytes(1);
	(void)ep_stats_global_lcore_read(ctr_lcore_id(), &global);
	(void)ep_stats_session_lcore_read(ctr_lcore_id(), 1, &session);
	(void)ep_stats_lcore_get_total_pkts(ctr_lcore_id());
	(void)ep_stats_session_lcore_get_pkts(ctr_lcore_id(), 1);
	rc |= ep_stats_snapshot_create(&snap);
	rc |= ep_stats_snapshot_read(snap);
	rc |= (snap->session_valid[1].pkts & CTR_VALID) == 0 || snap->start_ns > snap->end_ns;
	rc |= ep_stats_snapshot_reset(snap);
	rc |= ep_stats_get_total_pkts() != 0;
	ep_stats_snapshot_free(snap);
	return rc;
}

static int
reset_all(void)
{
	static struct ep_stats_session sessions[EP_STATS_SESSION_MAX];
	struct ep_stats_session session;
	struct ep_stats_global global;
	int rc = 0;

	ep_stats_update_packet(1, 64);
	ep_stats_flush();
	rc |= ep_stats_session_reset(1, &session);
	rc |= session.pkts != 1 || ep_stats_get_total_pkts() != 1;
	rc |= ep_stats_global_reset(&global);
	rc |= ep_stats_session_reset_all(sessions);
	rc |= ep_stats_reset();
	rc |= ep_stats_session_read(EP_STATS_SESSION_MAX, &session) != -ERANGE;
	return rc;
}

static void
describe(const struct ctr_module *module)
{
	unsigned int s, i;

	for (s = 0; s < module->num_scopes; s++)
		for (i = 0; i < module->scopes[s].num_items; i++)
			printf("%s.%s.%s: %s\n", module->name, module->scopes[s].name,
			       module->scopes[s].items[i].name,
			       module->scopes[s].items[i].description);
}

int
main(void)
{
	int rc;

	if (ep_stats_init() != 0)
		return 1;
#ifdef CTR_PORT_POSIX
	if (ctr_thread_register() != 0)
		return 1;
#endif
	rc = count() | read_all() | reset_all();
	describe(&ep_stats_module);
	ctr_thread_unregister();
	rc |= ep_stats_drops() != 0;
	ep_stats_fini();
	return rc;
}
