/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Sets one value of each type and serves it: `types_main SOCKET`. Ends with its standard input.
 */
#include <arpa/inet.h>

#include "agt_stats_agentx.h"
#include "serve.h"

int
main(int argc, char **argv)
{
	const uint8_t remote[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 };

	if (argc < 2 || agt_stats_init() != 0)
		return 2;
	agt_stats_set_address(htonl(0xc00002c8u));
	agt_stats_set_plain(htonl(0xc00002c8u));
	agt_stats_set_named(htonl(0xc00002c8u));
	agt_stats_set_foreign(htonl(0xc00002c8u));
	agt_stats_set_model("1.3.6.1.4.1.32473.4294967295");
	agt_stats_set_maker(".2.999.0");
	agt_stats_set_wrong("1.3.6.1.4.1.4294967296");
	agt_stats_set_beyond("2.4294967295");
	agt_stats_set_status(1);
	agt_stats_set_source("1.3.6.1.2.1.2.2.1.1.3");
	agt_stats_set_taken(7);
	agt_stats_set_delay(4000000000u);
	agt_stats_set_door(8080);
	agt_stats_set_remote(remote);
	agt_stats_touch_seen();
	agt_stats_set_cold(-300);
	agt_stats_set_warm(300);
	agt_stats_set_least(INT32_MIN);
	agt_stats_set_part(4000000000u);
	agt_stats_set_load(250);
	return serve(&agt_stats_agentx, argv[1], NULL, NULL);
}
