/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Serves a table to AgentX: `main SOCKET ROWS generated` with the generated agent,
 * `mapped` with that and indexes of the application, two numbers each, `hand` with a
 * handler as one would write it by hand over a sorted array. Prints the return code,
 * the bytes it has allocated before it has a thing to serve, then that number for
 * every character on standard input; ends with its input.
 */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agb_stats_agentx.h"

static const oid entry[] = { 1, 3, 6, 1, 4, 1, 32473, 9, 1, 2, 1 };

struct line {
	uint32_t id;
	uint64_t pkts, octets, depth;
};

static struct line *lines;
static uint32_t num_lines;

static uint32_t
lower(uint64_t id)
{
	uint32_t low = 0, high = num_lines;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (lines[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
show(netsnmp_variable_list *vb, const struct line *line, uint32_t column)
{
	uint64_t n = column == 2 ? line->pkts : line->octets;
	struct counter64 split = { .high = (u_long)(n >> 32), .low = (u_long)(n & 0xffffffffu) };

	if (column <= 3)
		snmp_set_var_typed_value(vb, ASN_COUNTER64, &split, sizeof(split));
	else if (column == 4)
		snmp_set_var_typed_integer(vb, ASN_GAUGE, (long)line->depth);
	else
		snmp_set_var_typed_integer(vb, ASN_TIMETICKS, 0);
}

static int
by_hand(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
		netsnmp_agent_request_info *info, netsnmp_request_info *request)
{
	const size_t root = registration->rootoid_len;

	(void)handler;
	for (; request != NULL; request = request->next) {
		netsnmp_variable_list *vb = request->requestvb;
		uint32_t column = 2, at = 0;
		oid name[MAX_OID_LEN];

		if (request->processed)
			continue;
		if (info->mode == MODE_GET) {
			at = vb->name_length == root + 2 ? lower((uint32_t)vb->name[root + 1]) : num_lines;
			column = vb->name_length > root ? (uint32_t)vb->name[root] : 0;
			if (at < num_lines && lines[at].id == (uint32_t)vb->name[root + 1] &&
			    column >= 2 && column <= 5)
				show(vb, &lines[at], column);
			else
				netsnmp_set_request_error(info, request, SNMP_NOSUCHINSTANCE);
			continue;
		}
		if (vb->name_length > root && snmp_oid_compare(vb->name, root, entry, root) == 0) {
			column = (uint32_t)vb->name[root];
			if (column < 2)
				column = 2;
			else if (vb->name_length > root + 1)
				at = lower((uint64_t)(uint32_t)vb->name[root + 1] + 1);
		}
		if (at == num_lines) {
			at = 0;
			column++;
		}
		if (column > 5 || num_lines == 0)
			continue;
		memcpy(name, entry, sizeof(entry));
		name[root] = column;
		name[root + 1] = lines[at].id;
		snmp_set_var_objid(vb, name, root + 2);
		show(vb, &lines[at], column);
	}
	return SNMP_ERR_NOERROR;
}

static int
open_by_hand(const char *socket)
{
	setenv("MIBS", "", 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_ROLE, 1);
	netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, socket);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
	if (init_agent("hand") != 0 ||
	    netsnmp_register_handler(netsnmp_create_handler_registration("hand", by_hand, entry,
			OID_LENGTH(entry), HANDLER_CAN_RONLY)) != MIB_REGISTERED_OK)
		return -1;
	init_snmp("hand");
	return 0;
}

static void *
hand_loop(void *unused)
{
	(void)unused;
	for (;;)
		agent_check_and_process(1);
	return NULL;
}

static unsigned long
allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static int
row_index(const uint32_t *index, uint32_t *suffix)
{
	suffix[0] = 1 + index[0] % 100;
	suffix[1] = UINT32_MAX - index[0];
	return 2;
}

int
main(int argc, char **argv)
{
	unsigned long before;
	pthread_t thread;
	uint32_t i;
	int rc;

	mallopt(M_ARENA_MAX, 1); /* mallinfo2() looks at one arena only */
	if (argc != 4 || agb_stats_init() != 0)
		return 2;
	num_lines = (uint32_t)strtoul(argv[2], NULL, 10);
	lines = calloc(num_lines, sizeof(*lines));
	if (lines == NULL)
		return 2;
	for (i = 0; i < num_lines; i++) {
		lines[i] = (struct line){ i + 1, (uint64_t)i << 20, i, i };
		if (agb_stats_row_create(i) != 0)
			return 2;
		agb_stats_row_add_pkts(i, (uint64_t)i << 20);
		agb_stats_row_add_octets(i, i);
		agb_stats_row_set_depth(i, i);
	}
	if (strcmp(argv[3], "mapped") == 0 &&
	    ctr_agentx_map(&agb_stats_module, "row", row_index) != 0)
		return 2;
	before = allocated();
	if (strcmp(argv[3], "hand") == 0) {
		rc = open_by_hand(argv[1]);
		if (rc == 0)
			rc = pthread_create(&thread, NULL, hand_loop, NULL);
	} else {
		rc = agb_stats_agentx_start(argv[1]);
	}
	printf("%d\n%lu\n", rc, before);
	fflush(stdout);
	while (getchar() != EOF) {
		printf("%lu\n", allocated());
		fflush(stdout);
	}
	_exit(0);
}
