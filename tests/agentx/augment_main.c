/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts something in tables that augment others, and serves them: `augment_main SOCKET`. Each
 * command is answered with a number.
 *
 *   peer N, key N, gone N          create a peer, give it its key, end it
 *   port N, down N, note N         create a port, end it, create a note
 *   backlog N V, depth N V, heat N V, rate N V
 *   judge                          wait until everything was evaluated since now
 */
#include <stdio.h>
#include <string.h>

#include "aga_stats_agentx.h"
#include "serve.h"

static int
name_peer(uint32_t peer)
{
	struct aga_stats_peer_key key = { { .type = CTR_IP_V4 }, (uint16_t)(4000 - peer) };

	memcpy(key.address.octets, (const uint8_t[]){ 192, 0, 2, 1 }, 4);
	return aga_stats_peer_key_set(peer, &key);
}

/* Passes of the group of each scope with notifications: one of each begins and ends from now on. */
#define PASSES 8

static int
obey(const char *line)
{
	unsigned int at = 0, value = 0;

	if (sscanf(line, "peer %u", &at) == 1)
		return aga_stats_peer_create(at);
	if (sscanf(line, "key %u", &at) == 1)
		return name_peer(at);
	if (sscanf(line, "gone %u", &at) == 1)
		return aga_stats_peer_destroy(at, NULL);
	if (sscanf(line, "port %u", &at) == 1)
		return aga_stats_port_create(at);
	if (sscanf(line, "down %u", &at) == 1)
		return aga_stats_port_destroy(at, NULL);
	if (sscanf(line, "note %u", &at) == 1)
		return aga_stats_note_create(at);
	if (sscanf(line, "backlog %u %u", &at, &value) == 2)
		aga_stats_health_set_backlog(at, value);
	else if (sscanf(line, "depth %u %u", &at, &value) == 2)
		aga_stats_band_set_depth(at, 1, value);
	else if (sscanf(line, "heat %u %u", &at, &value) == 2)
		aga_stats_optics_set_heat(at, value);
	else if (sscanf(line, "rate %u %u", &at, &value) == 2)
		aga_stats_shaper_set_rate(at, value);
	else if (strncmp(line, "judge", 5) == 0)
		return judge(PASSES);
	return 0;
}

int
main(int argc, char **argv)
{
	uint32_t i;

	if (argc < 2 || aga_stats_init() != 0)
		return 2;
	for (i = 0; i < 100; i++)
		aga_stats_health_add_probes(i, i);
	return serve(&aga_stats_agentx, argv[1], obey, ctr_agentx_changed);
}
