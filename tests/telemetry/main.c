/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What the tests of telemetry ask: `main EAL-OPTIONS.. [-- reset]`. Counts something, then obeys
 * lines on standard input, and ends each answer with a line `end`.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>

#include "ctr_telemetry.h"
#include "tel_stats.h"
#include "../support/need.h"

static int churning;

static void
fill_global(void)
{
	char title[201];
	uint32_t i;

	tel_stats_add_next(7);
	tel_stats_set_depth(44);
	for (i = 0; i < 200; i++)
		title[i] = (char)(i + 1);
	title[200] = '\0';
	tel_stats_set_title(title);
}

static void
fill_rows(void)
{
	struct tel_stats_session_key session;
	struct tel_stats_peer_key peer;
	uint32_t i, j;

	for (i = 0; i < 2; i++) {
		tel_stats_port_add_frames(i, 10 + i);
		tel_stats_stats_add_pkts(i, 500 + i);
		for (j = 0; j < 3; j++)
			tel_stats_queue_add_pkts(i, j, 100 * i + j);
		for (j = 0; j < 2; j++)
			tel_stats_drop_add_pkts(i, j, 1000 + 10 * i + j);
	}
	for (i = 0; i < 3000; i += 7) {
		NEED(tel_stats_session_create(i) == 0);
		tel_stats_session_add_pkts(i, i + 1);
		memset(&session, 0, sizeof(session));
		snprintf(session.imsi, sizeof(session.imsi), i == 7 ? "a,\"b\\c %%\t\xc3\xa9" : "00101%u",
			 i);
		NEED(tel_stats_session_key_set(i, &session) == 0);
	}
	memset(&peer, 0, sizeof(peer));
	peer.address.type = CTR_IP_V4;
	NEED(inet_pton(AF_INET, "10.0.0.9", peer.address.octets) == 1);
	peer.tcp = 179;
	NEED(tel_stats_peer_create(42) == 0);
	tel_stats_peer_add_pkts(42, 4242);
	NEED(tel_stats_peer_key_set(42, &peer) == 0);
	NEED(tel_stats_peer_create(43) == 0);
}

static void *
count_elsewhere(void *unused)
{
	(void)unused;
	tel_stats_add_next(1000);
	return NULL;
}

static void *
churn(void *unused)
{
	uint32_t i;

	for (i = 1; __atomic_load_n(&churning, __ATOMIC_RELAXED) != 0; i = (i + 7) % 2996) {
		struct tel_stats_session_key key = { .imsi = "" };

		snprintf(key.imsi, sizeof(key.imsi), "x%u", i);
		if (tel_stats_session_create(i) == 0) {
			(void)tel_stats_session_key_set(i, &key);
			tel_stats_session_add_pkts(i, 1);
			while (tel_stats_session_destroy(i, NULL) == -EINPROGRESS)
				tel_stats_burst_end();
		}
	}
	return unused;
}

static void
obey(const char *line)
{
	static pthread_t thread;

	if (strcmp(line, "fini") == 0) {
		tel_stats_fini();
	} else if (strcmp(line, "init") == 0) {
		printf("%d\n", tel_stats_init());
	} else if (strcmp(line, "register") == 0) {
		printf("%d\n", ctr_telemetry_register(&tel_stats_module, 0));
	} else if (strcmp(line, "unregister") == 0) {
		printf("%d\n", ctr_telemetry_unregister(&tel_stats_module));
	} else if (strcmp(line, "churn") == 0) {
		churning = 1;
		NEED(pthread_create(&thread, NULL, churn, NULL) == 0);
	} else if (strcmp(line, "rest") == 0) {
		__atomic_store_n(&churning, 0, __ATOMIC_RELAXED);
		NEED(pthread_join(thread, NULL) == 0);
	}
	puts("end");
}

int
main(int argc, char **argv)
{
	const int used = rte_eal_init(argc, argv);
	struct ctr_module other;
	unsigned int flags = 0;
	pthread_t thread;
	char line[64];

	NEED(used >= 0);
	if (used + 1 < argc && strcmp(argv[used + 1], "reset") == 0)
		flags = CTR_TELEMETRY_RESET;
	NEED(tel_stats_init() == 0);
	fill_global();
	fill_rows();
	NEED(pthread_create(&thread, NULL, count_elsewhere, NULL) == 0);
	NEED(pthread_join(thread, NULL) == 0);

	NEED(ctr_telemetry_register(NULL, 0) == -EINVAL);
	NEED(ctr_telemetry_register(&tel_stats_module, 2) == -EINVAL);
	NEED(ctr_telemetry_unregister(&tel_stats_module) == -ENOENT);
	other = tel_stats_module;
	other.name = "ethdev";
	NEED(ctr_telemetry_register(&other, 0) == -EADDRINUSE);
	other.name = "of_forty_nine_characters_which_is_one_more_than_fit";
	NEED(ctr_telemetry_register(&other, 0) == -ENAMETOOLONG);
	NEED(ctr_telemetry_register(&tel_stats_module, flags) == 0);
	NEED(ctr_telemetry_register(&tel_stats_module, flags) == -EEXIST);

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("end");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "quit") == 0)
			break;
		obey(line);
	}
	(void)ctr_telemetry_unregister(&tel_stats_module);
	tel_stats_fini();
	return rte_eal_cleanup() == 0 ? 0 : 1;
}
