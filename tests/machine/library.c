/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Statistics in a shared library that a running process loads.
 */
#include "ep_stats.h"

int library_open(void);
int library_count(unsigned int times);
uint64_t library_close(void);

int
library_open(void)
{
	return ep_stats_init();
}

/* Count on a thread of its own lcore id. */
int
library_count(unsigned int times)
{
	unsigned int i;
	int rc = ctr_thread_register();

	for (i = 0; i < times; i++)
		ep_stats_update_packet(7, 100);
	ep_stats_flush();
	ctr_thread_unregister();
	return rc;
}

uint64_t
library_close(void)
{
	uint64_t pkts = ep_stats_session_get_pkts(7);

	ep_stats_fini();
	return pkts;
}
