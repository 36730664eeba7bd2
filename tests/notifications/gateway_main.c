/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * A gateway with two sessions and two peers, served: `gateway_main SOCKET`. Each command is
 * answered with a number.
 *
 *   backlog PEER N, reachable PEER N
 *   judge      wait until everything was evaluated at least once since now
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "gateway_stats_agentx.h"

#include "../agentx/serve.h"

static int
add_session(uint32_t session, const char *imsi)
{
	struct gateway_stats_session_key key;

	memset(&key, 0, sizeof(key));
	(void)snprintf(key.imsi, sizeof(key.imsi), "%s", imsi);
	return gateway_stats_session_create(session) | gateway_stats_session_key_set(session, &key);
}

static int
add_peer(uint32_t peer, int family, const char *address, uint16_t port)
{
	struct gateway_stats_peer_key key;

	memset(&key, 0, sizeof(key));
	key.address.type = family == AF_INET ? CTR_IP_V4 : CTR_IP_V6;
	key.port = port;
	if (inet_pton(family, address, key.address.octets) != 1 ||
	    gateway_stats_peer_create(peer) != 0)
		return -1;
	gateway_stats_peer_set_reachable(peer, true);
	return gateway_stats_peer_key_set(peer, &key);
}

/* Passes of the group of each scope: one of each begins and ends from now on. */
#define PASSES 6

static int
obey(const char *line)
{
	unsigned int peer = 0, value = 0;

	if (sscanf(line, "backlog %u %u", &peer, &value) == 2)
		gateway_stats_peer_set_backlog(peer, value);
	else if (sscanf(line, "reachable %u %u", &peer, &value) == 2)
		gateway_stats_peer_set_reachable(peer, value != 0);
	else if (strncmp(line, "judge", 5) == 0)
		return judge(PASSES);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc < 2 || gateway_stats_init() != 0 || add_session(7, "262019876543210") != 0 ||
	    add_session(3, "26201") != 0 || add_peer(5, AF_INET6, "2001:db8::9", 2152) != 0 ||
	    add_peer(9, AF_INET, "192.0.2.17", 2123) != 0)
		return 2;
	gateway_stats_update_uplink(7, 1500);
	gateway_stats_peer_add_sent_packets(9, 41);
	return serve(&gateway_stats_agentx, argv[1], obey, NULL);
}
