/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What the tests of the agent talk to: obeys lines on standard input, answers
 * each with one line. `main SOCKET` has the agent in a thread of its own,
 * `main SOCKET poll` runs it in this one.
 */
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agx_stats_agentx.h"

static uint64_t worked;
static int working;
static uint64_t churned;
static int churning;

/* Instances that come and go while the application is told to. */
#define CHURN_FLOW 3000
#define CHURN_PEER 200
#define CHURN 32

/* Indexes of peers: one or three sub-identifiers, many of them over 2^31, in no order. */
static int
peer_index(const uint32_t *index, uint32_t *suffix)
{
	const uint32_t mixed = index[0] * UINT32_C(2654435761);

	suffix[0] = mixed;
	if (index[0] % 3 != 0)
		return 1;
	suffix[0] = UINT32_C(3000000000) + index[0] % 4;
	suffix[1] = index[0];
	suffix[2] = UINT32_MAX - index[0];
	return 3;
}

static void *
work(void *unused)
{
	(void)unused;
	if (ctr_thread_register() != 0)
		return NULL;
	while (__atomic_load_n(&working, __ATOMIC_RELAXED) != 0) {
		agx_stats_queue_inc_pkts(1, 1);
		worked++;
	}
	ctr_thread_unregister();
	return NULL;
}

static void *
churn(void *unused)
{
	(void)unused;
	for (; __atomic_load_n(&churning, __ATOMIC_RELAXED) != 0; churned++) {
		const uint32_t mixed = (uint32_t)churned * UINT32_C(2654435761) >> 8;
		const uint32_t flow = CHURN_FLOW + mixed % CHURN;
		const uint32_t peer = CHURN_PEER + mixed / CHURN % CHURN;

		if (agx_stats_flow_create(flow) != 0)
			(void)agx_stats_flow_destroy(flow, NULL);
		if (agx_stats_peer_create(peer) != 0)
			(void)agx_stats_peer_destroy(peer, NULL);
		ctr_agentx_changed();
	}
	return NULL;
}

static void
fill(void)
{
	const uint8_t remote[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 0xff };
	const uint8_t station[6] = { 2, 0, 0, 0, 0x80, 1 };
	uint32_t address = 0;
	const uint8_t octets[4] = { 192, 0, 2, 200 };
	unsigned int port, queue;

	memcpy(&address, octets, sizeof(address));
	agx_stats_add_wide(UINT64_C(0xfedcba9876543210));
	agx_stats_add_narrow(UINT32_C(4000000000));
	agx_stats_add_narrow(UINT32_C(1000000000));
	agx_stats_set_depth(UINT32_MAX);
	agx_stats_set_fill(UINT64_C(1) << 40);
	agx_stats_set_up(true);
	agx_stats_set_level(-5);
	agx_stats_set_mode(AGX_STATS_GLOBAL_MODE_BUSY);
	agx_stats_set_since(12345);
	agx_stats_set_address(address);
	agx_stats_set_remote(remote);
	agx_stats_set_station(station);
	agx_stats_set_title("A \"title\"");
	for (port = 0; port < AGX_STATS_PORT_MAX; port++) {
		agx_stats_port_add_frames(port, port * 10);
		for (queue = 0; queue < AGX_STATS_QUEUE_MAX; queue++) {
			agx_stats_queue_add_pkts(port, queue, port * 100 + queue);
			agx_stats_queue_add_drops(port, queue, UINT32_MAX - port);
		}
	}
}

/* Threads that go on until they are told to stop. */
static int
obey_thread(const char *what)
{
	static pthread_t worker, churner;

	if (strcmp(what, "work") == 0) {
		working = 1;
		return pthread_create(&worker, NULL, work, NULL);
	}
	if (strcmp(what, "rest") == 0) {
		__atomic_store_n(&working, 0, __ATOMIC_RELAXED);
		pthread_join(worker, NULL);
		printf("%" PRIu64 " ", worked);
		return 0;
	}
	if (strcmp(what, "churn") == 0) {
		churning = 1;
		return pthread_create(&churner, NULL, churn, NULL);
	}
	if (strcmp(what, "calm") == 0) {
		__atomic_store_n(&churning, 0, __ATOMIC_RELAXED);
		pthread_join(churner, NULL);
		printf("%" PRIu64 " ", churned);
		return 0;
	}
	return -EINVAL;
}

static int
obey(char *line)
{
	char what[32], scope[32];
	unsigned int a = 0;
	uint64_t n = 0;
	int rc = 0;

	if (sscanf(line, "%31s %31s %u %" SCNu64, what, scope, &a, &n) < 1)
		return -EINVAL;
	if (strcmp(what, "create") == 0)
		rc = strcmp(scope, "flow") == 0 ? agx_stats_flow_create(a) :
				strcmp(scope, "few") == 0 ? agx_stats_few_create(a) :
				agx_stats_peer_create(a);
	else if (strcmp(what, "destroy") == 0)
		rc = strcmp(scope, "flow") == 0 ? agx_stats_flow_destroy(a, NULL) :
				strcmp(scope, "few") == 0 ? agx_stats_few_destroy(a, NULL) :
				agx_stats_peer_destroy(a, NULL);
	else if (strcmp(what, "add") == 0 && strcmp(scope, "flow") == 0)
		agx_stats_flow_add_hits(a, n);
	else if (strcmp(what, "add") == 0)
		agx_stats_peer_add_msgs(a, n);
	else if (strcmp(what, "reset") == 0)
		rc = agx_stats_port_reset(a, NULL);
	else if (strcmp(what, "changed") == 0)
		ctr_agentx_changed();
	else if (strcmp(what, "busy") == 0)
		rc = agx_stats_agentx_start(NULL);
	else if (strcmp(what, "quit") == 0)
		return 1;
	else
		rc = obey_thread(what);
	return rc;
}

int
main(int argc, char **argv)
{
	const int polling = argc > 2 && strcmp(argv[2], "poll") == 0;
	char line[128];
	int rc;

	setvbuf(stdin, NULL, _IONBF, 0);
	if (argc < 2 || agx_stats_init() != 0)
		return 2;
	fill();
	rc = ctr_agentx_map(&agx_stats_module, "peer", peer_index);
	if (rc == 0)
		rc = polling ? agx_stats_agentx_open(argv[1]) : agx_stats_agentx_start(argv[1]);
	printf("%d\n", rc);
	fflush(stdout);
	while (rc == 0) {
		struct pollfd in = { 0, POLLIN, 0 };

		if (polling && poll(&in, 1, 0) == 0) {
			(void)agx_stats_agentx_poll(2);
			continue;
		}
		if (fgets(line, sizeof(line), stdin) == NULL)
			break;
		rc = obey(line);
		if (rc == 1)
			break;
		printf("%d\n", rc);
		fflush(stdout);
		rc = 0;
	}
	if (polling)
		agx_stats_agentx_close();
	else
		agx_stats_agentx_stop();
	agx_stats_fini();
	printf("end\n");
	return rc == 1 ? 0 : 1;
}
