/* SPDX-License-Identifier: BSD-3-Clause */
/* What no patch may change: marked lines are to be listed. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "dpdk.h"

struct port_statistics {
	uint64_t tx;
	uint64_t rx;
	uint64_t dropped;
};

static struct port_statistics port_statistics[RTE_MAX_ETHPORTS];

static struct lcore_stats {
	uint64_t polls;
} lcore_stats[RTE_MAX_LCORE];

#define COUNT(port) port_statistics[port].rx++ /* LEFT */

void somebody(uint64_t *who_adds);

uint64_t
odd(unsigned int port, uint64_t n)
{
	struct port_statistics *next = &port_statistics[port + 1]; /* LEFT */
	uint64_t all = 0;

	COUNT(port);
	somebody(&port_statistics[port].dropped); /* LEFT */
	port_statistics[port].tx = n; /* LEFT */
	port_statistics[port].rx--; /* LEFT */
	port_statistics[port].rx -= n; /* LEFT */
	if (__atomic_fetch_add(&port_statistics[port].tx, n, __ATOMIC_RELAXED) > 7) /* LEFT */
		all++;
	all += port_statistics[port].tx++; /* LEFT */
	for (unsigned int i = 0; i < RTE_MAX_LCORE; i++)
		all += lcore_stats[i].polls; /* LEFT */
	lcore_stats[port].polls++; /* LEFT */
	memset(&lcore_stats[port], 0, sizeof(lcore_stats[port])); /* LEFT */
	next->rx++;
	return all;
}

void
strange(unsigned int port)
{
	EACH(port) UNTIL(4) port++;
	port_statistics[port].dropped++; /* LEFT */
}
