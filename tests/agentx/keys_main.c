/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Counts something in rows with keys of every type and serves them: `keys_main SOCKET`. Obeys lines
 * on standard input: `many` sessions, `churn` of them until `rest`, `quit`.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "agk_stats_agentx.h"
#include "serve.h"

#define MANY 2000u
#define FIRST 1000u /* index of the first session that comes and goes */
#define CHURN 64u

static int churning;
static uint64_t churned;

static int
name_session(uint32_t session, uint32_t number)
{
	struct agk_stats_session_key key;

	(void)snprintf(key.imsi, sizeof(key.imsi), "%u", number);
	return agk_stats_session_key_set(session, &key);
}

static struct ctr_ip_address
address_of(const char *text)
{
	struct ctr_ip_address address = { .type = strchr(text, ':') != NULL ? CTR_IP_V6 : CTR_IP_V4 };

	(void)inet_pton(address.type == CTR_IP_V6 ? AF_INET6 : AF_INET, text, address.octets);
	return address;
}

static int
fill(void)
{
	const struct agk_stats_bearer_key kinds[] = { { AGK_STATS_BEARER_KEY_KIND_VOICE },
						      { AGK_STATS_BEARER_KEY_KIND_DATA } };
	const char *const peers[] = { "2001:db8::1", "192.0.2.9", "10.0.0.1" };
	struct agk_stats_host_key host = { .mac = { 2, 0, 0, 0, 0x80, 1 }, .site = 4000000000u };
	struct agk_stats_tag_key tag = { "abc" };
	uint32_t i;
	int rc = 0;

	for (i = 0; i < 2; i++) {
		rc |= agk_stats_session_create(i);
		rc |= name_session(i, 26201 - i * 26000);
		rc |= agk_stats_bearer_create(0, i);
		rc |= agk_stats_bearer_key_set(0, i, &kinds[i]);
		agk_stats_session_add_pkts(i, 100 + i);
		agk_stats_bearer_add_pkts(0, i, 10 + i);
		agk_stats_lane_add_pkts(0, i, 1, 20 + i);
	}
	rc |= agk_stats_session_create(2); /* without a key: it is not shown */
	rc |= agk_stats_bearer_create(2, 0);
	rc |= agk_stats_bearer_key_set(2, 0, &kinds[0]);
	for (i = 0; i < 3; i++) {
		struct agk_stats_peer_key key = { address_of(peers[i]), (uint16_t)(65535 - i) };

		rc |= agk_stats_peer_create(i);
		rc |= agk_stats_peer_key_set(i, &key);
		agk_stats_peer_add_pkts(i, i);
	}
	memcpy(&host.gateway, address_of("192.0.2.200").octets, sizeof(host.gateway));
	memcpy(host.prefix, address_of("2001:db8::").octets, sizeof(host.prefix));
	memcpy(host.token, "\1\2\377", sizeof(host.token));
	memcpy(host.name, "north", 6);
	rc |= agk_stats_host_key_set(5, &host);
	agk_stats_host_add_pkts(5, 55);
	rc |= agk_stats_tag_key_set(3, &tag);
	agk_stats_tag_add_pkts(3, 33);
	return rc;
}

static int
many(void)
{
	uint32_t i;
	int rc = 0;

	for (i = 0; i < MANY; i++) {
		const uint32_t number = i * 2654435761u >> 4;

		rc |= agk_stats_session_create(FIRST + i);
		rc |= name_session(FIRST + i, number);
		agk_stats_session_add_pkts(FIRST + i, number);
	}
	return rc;
}

/* Sessions end and begin again under other keys; each counts the number that it is called. */
static void *
churn(void *unused)
{
	uint32_t number = 0;

	(void)unused;
	for (; __atomic_load_n(&churning, __ATOMIC_RELAXED) != 0; churned++) {
		const uint32_t session = 3 + ++number % CHURN;

		(void)agk_stats_session_destroy(session, NULL);
		if (agk_stats_session_create(session) != 0)
			continue;
		(void)name_session(session, 1 + number % (2 * CHURN));
		agk_stats_session_add_pkts(session, 1 + number % (2 * CHURN));
		if (number % 8 == 0)
			ctr_agentx_changed();
	}
	return NULL;
}

static int
obey(const char *what)
{
	static pthread_t thread;

	if (strcmp(what, "many\n") == 0)
		return many();
	if (strcmp(what, "churn\n") == 0) {
		churning = 1;
		return pthread_create(&thread, NULL, churn, NULL);
	}
	if (strcmp(what, "rest\n") == 0) {
		__atomic_store_n(&churning, 0, __ATOMIC_RELAXED);
		(void)pthread_join(thread, NULL);
		return (int)churned;
	}
	return -1;
}

int
main(int argc, char **argv)
{
	if (argc < 2 || agk_stats_init() != 0 || fill() != 0)
		return 2;
	return serve(&agk_stats_agentx, argv[1], obey, ctr_agentx_changed);
}
