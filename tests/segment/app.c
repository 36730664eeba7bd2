/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that publishes, and obeys commands: app PATH|- [ARGUMENTS OF THE EAL]... */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "all_stats.h"
#include "ctr_segment.h"
#include "dump_module.h"
#include "../support/need.h"
#include "../support/stepped.h"
#ifdef SERVES
#include "ctr_openmetrics.h"
#endif

#ifdef CTR_PORT_DPDK
#include <rte_eal.h>
#endif

static struct ctr_segment *segment;
static bool running;
static pthread_t worker[2];

static void
make_session(uint32_t at, const char *imsi, uint32_t kind)
{
	struct all_stats_session_key key;

	NEED(all_stats_session_create(at) == 0);
	if (imsi == NULL)
		return;
	memset(&key, 0, sizeof(key));
	snprintf(key.imsi, sizeof(key.imsi), "%s", imsi);
	key.kind = (enum all_stats_session_key_kind)kind;
	NEED(all_stats_session_key_set(at, &key) == 0);
	all_stats_session_add_pkts(at, at + 1);
	all_stats_session_add_bytes(at, (at + 1) * 100u);
}

static void
make_bearer(uint32_t session, uint32_t at, const char *address)
{
	struct all_stats_bearer_key key;

	memset(&key, 0, sizeof(key));
	NEED(all_stats_bearer_create(session, at) == 0);
	key.peer.type = strchr(address, ':') != NULL ? CTR_IP_V6 : CTR_IP_V4;
	inet_pton(key.peer.type == CTR_IP_V6 ? AF_INET6 : AF_INET, address, key.peer.octets);
	memset(key.token, 0xa0 + (int)at, sizeof(key.token));
	NEED(all_stats_bearer_key_set(session, at, &key) == 0);
	all_stats_bearer_add_pkts(session, at, 7 + at);
}

static void
fill(void)
{
	uint32_t address = htonl(0xc0000201);
	uint8_t prefix[16] = { 0x20, 0x01, 0x0d, 0xb8 }, mac[6] = { 0, 0x1b, 0x21, 0x3c, 0x9d, 0xf8 };
	uint32_t i;

	all_stats_add_pkts(UINT64_C(12345678901234567890));
	all_stats_add_small(4000000000u);
	all_stats_set_level(77);
	all_stats_set_narrow(88);
	all_stats_set_up(true);
	all_stats_set_celsius(-40);
	all_stats_set_mtu(4294967295u);
	all_stats_set_mode(ALL_STATS_GLOBAL_MODE_BUSY);
	all_stats_set_since(123456);
	all_stats_set_seen(9876543210u);
	all_stats_set_address(address);
	all_stats_set_prefix(prefix);
	all_stats_set_port_id(mac);
	all_stats_set_title("\xc3\xa9t\xc3\xa9, \"=\" and so on");
	all_stats_observe_sizes(64);
	all_stats_observe_sizes(65);
	all_stats_observe_sizes(9000);
	make_session(0, "26201", 1);
	make_session(63, "262011234567890", 2);
	make_session(64, NULL, 0);
	make_session(999, "x", 1);
	make_bearer(63, 0, "192.0.2.1");
	make_bearer(63, 1, "2001:db8::1");
	for (i = 0; i < 6; i++)
		all_stats_drop_add_pkts(i / 2, i % 2, i * 10);
	all_stats_eternal_add_pkts(2, 5);
	for (i = 0; i < ALL_STATS_PAIR_MAX; i++)
		all_stats_update_pair(i, i, i * 100);
	all_stats_flush();
}

/* ---- traffic ---- */

static void *
traffic(void *argument)
{
	uint32_t n = 1;

	(void)argument;
	/* DPDK registers no thread once there was a secondary process. */
	const bool registered = ctr_thread_register() == 0;

#ifndef CTR_PORT_DPDK
	NEED(registered);
#endif
	while (__atomic_load_n(&running, __ATOMIC_RELAXED)) {
		n = n * 1664525u + 1013904223u;
		all_stats_update_pair((n >> 16) % 4, n >> 30, (n >> 30) * 100);
	}
	all_stats_flush();
	if (registered)
		ctr_thread_unregister();
	return NULL;
}

#ifdef SERVES
/* Start the server: "ADDRESS NAME=VALUE..."; prints what it returns, and the port. */
static void
serve(const char *words)
{
	static const struct ctr_module *const modules[] = { &all_stats_module };
	static const char *hosts[1];
	struct ctr_openmetrics_options options = { .modules = modules, .num_modules = 1 };
	const struct {
		const char *name;
		const char **text;
		uint32_t *number;
	} known[] = {
		{ "application", &options.application, NULL },
		{ "user", &options.user, NULL },
		{ "password", &options.password, NULL },
		{ "token", &options.token, NULL },
		{ "certificate", &options.certificate, NULL },
		{ "key", &options.key, NULL },
		{ "host", &hosts[0], NULL },
		{ "series", NULL, &options.series },
		{ "connections", NULL, &options.connections },
		{ "deadline_ms", NULL, &options.deadline_ms },
		{ "mode", NULL, &options.mode },
		{ "modules", NULL, &options.num_modules },
	};
	static char kept[4096];
	char *address, *word, *value;
	unsigned int i;

	NEED(strlen(words) < sizeof(kept));
	address = strtok(strcpy(kept, words), " ");
	while ((word = strtok(NULL, " ")) != NULL) {
		value = strchr(word, '=');
		NEED(value != NULL);
		*value++ = '\0';
		options.all = options.all || strcmp(word, "all") == 0;
		for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			if (strcmp(word, known[i].name) != 0)
				continue;
			if (known[i].text != NULL)
				*known[i].text = value;
			else
				*known[i].number = (uint32_t)strtoul(value, NULL, 0);
		}
	}
	options.hosts = hosts;
	options.num_hosts = hosts[0] != NULL;
	i = (unsigned int)-ctr_openmetrics_start(address, &options);
	printf("%d %u\n", -(int)i, ctr_openmetrics_port());
}
#endif

static int
obey(const char *command)
{
	unsigned int i;

	if (strcmp(command, "step") == 0)
		return step_clock(), 0;
	if (strcmp(command, "publish") == 0)
		return ctr_segment_publish(segment);
	if (strcmp(command, "final") == 0)
		return ctr_segment_final(segment);
	if (strcmp(command, "start") == 0)
		return ctr_segment_start(segment, 1);
	if (strcmp(command, "stop") == 0)
		return ctr_segment_stop(segment), 0;
	if (strcmp(command, "reset") == 0)
		return all_stats_session_reset(63, NULL);
	if (strcmp(command, "destroy") == 0)
		return all_stats_session_destroy_with(0, NULL, NULL, NULL);
	if (strcmp(command, "nameless") == 0)
		return make_session(65, NULL, 0), 0;
	if (strcmp(command, "rekey") == 0) {
		struct all_stats_session_key key = { .imsi = "new", .kind = 2 };

		return all_stats_session_key_set(63, &key);
	}
	if (strcmp(command, "run") == 0) {
		__atomic_store_n(&running, true, __ATOMIC_RELAXED);
		for (i = 0; i < 2; i++)
			NEED(pthread_create(&worker[i], NULL, traffic, NULL) == 0);
		return 0;
	}
	if (strcmp(command, "halt") == 0) {
		__atomic_store_n(&running, false, __ATOMIC_RELAXED);
		for (i = 0; i < 2; i++)
			NEED(pthread_join(worker[i], NULL) == 0);
		return 0;
	}
	if (strcmp(command, "spin") == 0) /* publish until this is killed */
		for (;;)
			NEED(ctr_segment_publish(segment) == 0);
	if (strcmp(command, "fork") == 0) {
		pid_t child = fork();
		int status;

		if (child == 0)
			_exit(ctr_segment_publish(segment) == -EPERM ? 0 : 1);
		/* The child has the lock of the segment as long as it runs. */
		NEED(waitpid(child, &status, 0) == child && status == 0);
		return 0;
	}
	NEED(!"a command");
	return -1;
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &all_stats_module, &all_stats_module, NULL };
	struct ctr_segment_options options = { .views = true };
#ifndef CTR_PORT_DPDK
	struct ctr_segment_former former = { .wait_ms = 60000 };
#endif
	char command[512];
	int rc;

	options.path = argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
#ifndef CTR_PORT_DPDK
	former.path = options.path;
	options.former = argc > 2 ? &former : NULL;
#endif
#ifdef CTR_PORT_DPDK
	NEED(rte_eal_init(argc - 1, argv + 1) >= 0);
#endif
	NEED(all_stats_init() == 0);
	NEED(ctr_segment_create(&segment, modules, 0, &options) == -EINVAL);
	NEED(ctr_segment_create(&segment, modules, 2, &options) == -EEXIST);
	NEED(ctr_segment_create(&segment, modules + 2, 1, &options) == -EINVAL);
	fill();
	rc = ctr_segment_create(&segment, modules, 1, &options);
	printf("%d\n", rc);
	if (rc != 0)
		return 0;
	fflush(stdout);
	while (fgets(command, sizeof(command), stdin) != NULL) {
		command[strcspn(command, "\n")] = '\0';
		if (strcmp(command, "dump") == 0)
			dump_module(&all_stats_module), printf("end\n");
		else if (strncmp(command, "count ", 6) == 0)
			all_stats_update_pair(1, (uint32_t)atoi(command + 6), 0), printf("0\n");
		else if (strcmp(command, "fd") == 0)
			printf("%d\n", ctr_segment_fd(segment));
#ifdef SERVES
		else if (strncmp(command, "serve ", 6) == 0)
			serve(command + 6);
		else if (strcmp(command, "leave") == 0)
			ctr_openmetrics_stop(), printf("0\n");
#endif
		else if (strcmp(command, "drops") == 0)
			printf("%d\n", (int)all_stats_drops());
		else
			printf("%d\n", obey(command));
		fflush(stdout);
	}
	if (running)
		(void)obey("halt");
#ifdef SERVES
	ctr_openmetrics_stop();
#endif
	ctr_segment_close(segment);
	all_stats_fini();
	return 0;
}
