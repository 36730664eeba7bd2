/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Stands behind rte_eal_init() of an example, in a control thread: says how many packets went through
 * its ports, and resets and reads its counters meanwhile.
 *
 * Obeys lines on the socket FIELD_SOCKET (a descriptor), and answers each with a line:
 *
 *   reset N US    resets all counters N times, US apart, and keeps what was taken; how many resets
 *   drain         ports receive nothing from now on; waits until nothing moves any more
 *   devices       packets received, sent and not sent by all ports together
 *   counters      all counters by name, with what resets have taken, and summed up over instances
 *   agent PATH    from now on telemetry has the module, and managers through the snmpd of a socket
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_version.h>

#include "ctr_agentx.h"
#include "ctr_telemetry.h"

extern const struct ctr_module FIELD_MODULE;
extern const struct ctr_agentx_module FIELD_AGENT;

#define QUIET_MS 100 /* nothing has moved for so long: nothing does any more */
#define ITEMS 64     /* counters of a module, at most */
#define INDEXES 8    /* of a scope, at most */
#define VALUES 1024  /* bytes of a scope's values, at most */

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

static uint64_t taken[ITEMS];

/* Add the counters of all instances of a scope to @p sums, and reset it if asked to. */
static void
add_scope(const struct ctr_scope *scope, bool reset, uint64_t *sums)
{
	uint32_t index[INDEXES] = { 0 };
	_Alignas(64) char values[VALUES];
	unsigned int i, level;
	int rc;

	if (scope->num_indexes > INDEXES || scope->value_size > VALUES)
		rte_exit(EXIT_FAILURE, "field: scope %s is too large\n", scope->name);
	do {
		rc = (reset ? scope->reset : scope->read)(index, values);
		if (rc != 0 && rc != -ENOENT) /* no instance: it counts nothing */
			rte_exit(EXIT_FAILURE, "field: scope %s cannot be read\n", scope->name);
		for (i = 0; rc == 0 && i < scope->num_items; i++) {
			uint64_t value;

			memcpy(&value, values + scope->items[i].offset, sizeof(value));
			sums[i] += value;
		}
		for (level = scope->num_indexes; level > 0; level--) {
			if (++index[level - 1] < scope->index_maxima[level - 1])
				break;
			index[level - 1] = 0;
		}
	} while (level > 0);
}

/* Add all that is counted to @p sums, and reset it if asked to. */
static void
add_all(bool reset, uint64_t *sums)
{
	unsigned int s, at = 0;

	for (s = 0; s < FIELD_MODULE.num_scopes; s++) {
		const struct ctr_scope *scope = &FIELD_MODULE.scopes[s];

		if (at + scope->num_items > ITEMS)
			rte_exit(EXIT_FAILURE, "field: too many counters\n");
		if (scope->read != NULL && !(reset && scope->reset == NULL))
			add_scope(scope, reset, &sums[at]);
		at += scope->num_items;
	}
}

static void
resets(FILE *out, unsigned int count, unsigned int us)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		add_all(true, taken);
		usleep(us);
	}
	fprintf(out, "%u", count);
}

/* All counters, with what resets have taken. */
static void
counters(FILE *out)
{
	uint64_t sums[ITEMS];
	unsigned int s, i, at = 0;

	memcpy(sums, taken, sizeof(sums));
	add_all(false, sums);
	for (s = 0; s < FIELD_MODULE.num_scopes; s++) {
		const struct ctr_scope *scope = &FIELD_MODULE.scopes[s];

		for (i = 0; i < scope->num_items; i++)
			fprintf(out, "%s.%s=%" PRIu64 " ", scope->name, scope->items[i].name,
				sums[at++]);
	}
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
		const struct ctr_agentx_module *const agent = &FIELD_AGENT;

		fprintf(out, "%d",
			ctr_telemetry_register(&FIELD_MODULE, 0) | ctr_agentx_start(&agent, 1, path));
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
