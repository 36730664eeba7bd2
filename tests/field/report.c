/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Stands behind rte_eal_init() of l2fwd, in a control thread: says how many packets went through
 * its ports, and resets and reads its counters meanwhile.
 *
 * Obeys lines on the socket FIELD_SOCKET (a descriptor), and answers each with a line:
 *
 *   reset N US    resets all counters N times, US apart, and keeps what was taken; how many resets
 *   drain         ports receive nothing from now on; waits until nothing moves any more
 *   devices       packets received, sent and not sent by all ports together
 *   counters      all counters by name, with what resets have taken
 *   agent PATH    from now on telemetry has the module, and managers through the snmpd of a socket
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_version.h>

#include "ctr_telemetry.h"
#include "l2fwd_stats_agentx.h"

#define QUIET_MS 100 /* nothing has moved for so long: nothing does any more */

int __real_rte_eal_init(int argc, char **argv);
int __wrap_rte_eal_init(int argc, char **argv);

static int connection;

/* ---- ports ---- */

static struct rte_eth_stats
devices(void)
{
	struct rte_eth_stats all = { 0 }, one;
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port) {
		if (rte_eth_stats_get(port, &one) != 0)
			continue;
		all.ipackets += one.ipackets;
		all.opackets += one.opackets;
		all.oerrors += one.oerrors;
	}
	return all;
}

static uint16_t
receive_nothing(void *queue, struct rte_mbuf **packets, uint16_t count)
{
	RTE_SET_USED(queue);
	RTE_SET_USED(packets);
	RTE_SET_USED(count);
	return 0;
}

/* Whoever is in the middle of a burst goes on; the waiting leaves it time. */
static void
drain(void)
{
	struct rte_eth_stats before, now = devices();
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port)
		rte_eth_fp_ops[port].rx_pkt_burst = receive_nothing;
	do {
		before = now;
		usleep(QUIET_MS * 1000);
		now = devices();
	} while (memcmp(&before, &now, sizeof(now)) != 0);
}

/* ---- counters ---- */

static struct l2fwd_stats_port taken;

/* Add the counters of all ports to @p sum, and reset them if asked to. */
static void
add_all(bool reset, struct l2fwd_stats_port *sum)
{
	struct l2fwd_stats_port last;
	uint32_t port;
	int rc;

	for (port = 0; port < L2FWD_STATS_PORT_MAX; port++) {
		rc = reset ? l2fwd_stats_port_reset(port, &last) :
			     l2fwd_stats_port_read(port, &last);
		if (rc != 0)
			rte_exit(EXIT_FAILURE, "field: port %u cannot be read\n", port);
		sum->tx += last.tx;
		sum->rx += last.rx;
		sum->dropped += last.dropped;
	}
}

static void
resets(FILE *out, unsigned int count, unsigned int us)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		add_all(true, &taken);
		usleep(us);
	}
	fprintf(out, "%u", count);
}

/* All counters, with what resets have taken. */
static void
counters(FILE *out)
{
	struct l2fwd_stats_port sum = taken;

	add_all(false, &sum);
	fprintf(out, "port.tx=%" PRIu64 " port.rx=%" PRIu64 " port.dropped=%" PRIu64, sum.tx,
		sum.rx, sum.dropped);
}

/* ---- commands ---- */

static void
obey(FILE *out, const char *line)
{
	struct rte_eth_stats all;
	unsigned int count, us;
	char path[200];

	if (sscanf(line, "reset %u %u", &count, &us) == 2) {
		resets(out, count, us);
	} else if (strcmp(line, "drain\n") == 0) {
		drain();
	} else if (strcmp(line, "devices\n") == 0) {
		all = devices();
		fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64, all.ipackets, all.opackets,
			all.oerrors);
	} else if (strcmp(line, "counters\n") == 0) {
		counters(out);
	} else if (sscanf(line, "agent %199s", path) == 1) {
		fprintf(out, "%d",
			ctr_telemetry_register(&l2fwd_stats_module, 0) | l2fwd_stats_agentx_start(path));
	} else {
		rte_exit(EXIT_FAILURE, "field: no such command: %s", line);
	}
	fputc('\n', out);
	fflush(out);
}

#if RTE_VERSION < RTE_VERSION_NUM(23, 7, 0, 0)
typedef pthread_t control_thread;
typedef void *control_result;
#define start_control(thread) rte_ctrl_thread_create(thread, "field", NULL, serve, NULL)
#else
typedef rte_thread_t control_thread;
typedef uint32_t control_result;
#define start_control(thread) rte_thread_create_control(thread, "field", serve, NULL)
#endif

static control_result
serve(void *unused)
{
	FILE *in = fdopen(connection, "r"), *out = fdopen(dup(connection), "w");
	char line[256];

	RTE_SET_USED(unused);
	if (in == NULL || out == NULL)
		rte_exit(EXIT_FAILURE, "field: no connection\n");
	while (fgets(line, sizeof(line), in) != NULL)
		obey(out, line);
	_exit(EXIT_FAILURE); /* who asked has ended */
}

int
__wrap_rte_eal_init(int argc, char **argv)
{
	const char *number = getenv("FIELD_SOCKET");
	control_thread thread;
	int used;

	used = __real_rte_eal_init(argc, argv);
	if (used < 0 || number == NULL)
		return used;
	connection = atoi(number);
	if (start_control(&thread) != 0)
		rte_exit(EXIT_FAILURE, "field: no thread\n");
	return used;
}
