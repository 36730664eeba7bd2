/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of DPDK that loads a library with counters and unloads it, twice: `unloads LIBRARY EAL..`.
 * After each, a thread registers with DPDK, and a client asks telemetry for the counters. Prints what
 * is wrong. Ends in a callback of DPDK. With PLUGIN, that library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int begin(void);
void finish(void);

#ifdef PLUGIN
#include "one_stats.h"
#ifdef TELEMETRY
#include "ctr_telemetry.h"
#else
#define ctr_telemetry_register(module, flags) ((void)(module), (flags))
#define ctr_telemetry_unregister(module) (module)
#endif

int
begin(void)
{
	int rc = one_stats_init();

	if (rc == 0)
		rc = ctr_telemetry_register(&one_stats_module, 0);
	one_stats_burst_end();
	one_stats_inc_pkts();
	return rc == 0 && one_stats_get_pkts() == 1 ? 0 : -1;
}

void
finish(void)
{
	(void)ctr_telemetry_unregister(&one_stats_module);
	one_stats_fini();
}

#else
#include <dlfcn.h>
#include <pthread.h>
#include <rte_eal.h>
#include <rte_lcore.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void *
worker(void *unused)
{
	if (rte_thread_register() != 0)
		printf("not registered\n");
	rte_thread_unregister();
	return unused;
}

/* The reply of DPDK's telemetry. */
static void
ask(const char *command, char *reply, size_t size)
{
	const int client = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	ssize_t n = -1;

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/dpdk_telemetry.v2",
		 rte_eal_get_runtime_dir());
	if (connect(client, (struct sockaddr *)&at, sizeof(at)) == 0 &&
	    recv(client, reply, size, 0) > 0 &&
	    send(client, command, strlen(command), MSG_NOSIGNAL) > 0)
		n = recv(client, reply, size - 1, 0);
	reply[n > 0 ? n : 0] = '\0';
	(void)close(client);
}

/* With DPDK's lock of lcores. */
static int
end(unsigned int lcore, void *unused)
{
	(void)lcore;
	(void)unused;
	exit(0);
}

static void
use(const char *name, int (*call)(void))
{
	const int rc = call();

	if (rc != 0)
		printf("%s: %d\n", name, rc);
}

int
main(int argc, char **argv)
{
	const char *path = argv[1];
	char reply[2048];
	pthread_t thread;
	int round;

	argv[1] = argv[0];
	if (rte_eal_init(argc - 1, argv + 1) < 0)
		return 2;
	for (round = 0; round < 2; round++) {
		void *library = dlopen(path, RTLD_NOW);

		if (library == NULL) {
			printf("%s\n", dlerror());
			return 2;
		}
		use("begin", (int (*)(void))dlsym(library, "begin"));
		((void (*)(void))dlsym(library, "finish"))();
		(void)dlclose(library);
		(void)pthread_create(&thread, NULL, worker, NULL);
		(void)pthread_join(thread, NULL);
		ask("/one/stats", reply, sizeof(reply));
#ifdef TELEMETRY
		if (strstr(reply, "not registered") == NULL)
#else
		if (strcmp(reply, "{\"/one/stats\":null}") != 0)
#endif
			printf("telemetry: %s\n", reply);
	}
	return rte_lcore_iterate(end, NULL);
}
#endif
