/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Keys of instances: what they take, how they are found, when they vanish, and what readers see
 * while others set them.
 *
 * Options: ROUNDS of the setter.
 */
#include <arpa/inet.h>
#include <unistd.h>

#include "harness.h"
#include "heap.h"
#include "key_stats.h"

#define CASE(name) TEST_BETWEEN(name, EQUAL(key_stats_init(), 0), key_stats_fini())

#define SESSIONS 64u

static struct key_stats_session_key
session_key(const char *imsi, enum key_stats_session_key_kind kind)
{
	static int fill;
	struct key_stats_session_key key;

	memset(&key, ++fill, sizeof(key)); /* what is behind the end of a string does not matter */
	(void)snprintf(key.imsi, sizeof(key.imsi), "%s", imsi);
	key.kind = kind;
	return key;
}

static struct key_stats_host_key
host_key(uint8_t n)
{
	struct key_stats_host_key key;

	memset(&key, 0, sizeof(key));
	memset(key.mac, n, sizeof(key.mac));
	memset(key.prefix, n + 1, sizeof(key.prefix));
	memset(key.token, n + 2, sizeof(key.token));
	key.gateway = htonl(UINT32_C(0xc0000200) + n);
	key.site = UINT32_MAX;
	key.floor = INT32_MAX;
	return key;
}

static struct key_stats_peer_key
peer_key(const char *address, uint16_t port)
{
	struct key_stats_peer_key key;
	int family = strchr(address, ':') != NULL ? AF_INET6 : AF_INET;

	memset(&key, 0xff, sizeof(key));
	key.address.type = family == AF_INET ? CTR_IP_V4 : CTR_IP_V6;
	EQUAL(inet_pton(family, address, key.address.octets), 1);
	key.port = port;
	return key;
}

CASE(set_get_find)
{
	struct key_stats_session_key key = session_key("26201123456", KEY_STATS_SESSION_KEY_KIND_VOICE);
	struct key_stats_session_key other = session_key("26201", KEY_STATS_SESSION_KEY_KIND_DATA), got;
	uint32_t at = 77;

	EQUAL(key_stats_session_key_set(5, &key), -ENOENT);
	EQUAL(key_stats_session_key_set(3000, &key), -ERANGE);
	EQUAL(key_stats_session_key_find(&key, &at), -ENOENT);
	EQUAL(key_stats_session_create(5), 0);
	EQUAL(key_stats_session_create(2999), 0);
	EQUAL(key_stats_session_key_get(5, &got), -ENOENT);
	EQUAL(key_stats_session_key_set(5, &key), 0);
	EQUAL(key_stats_session_key_set(5, &key), 0);
	EQUAL(key_stats_session_key_set(2999, &key), -EEXIST);
	EQUAL(key_stats_session_key_set(2999, &other), 0);
	EQUAL(key_stats_session_key_find(&key, &at), 0);
	EQUAL(at, 5);
	key = session_key("26201123456", KEY_STATS_SESSION_KEY_KIND_VOICE);
	EQUAL(key_stats_session_key_find(&key, &at), 0);
	EQUAL(at, 5);
	EQUAL(key_stats_session_key_find(&other, &at), 0);
	EQUAL(at, 2999);
	EQUAL(key_stats_session_key_get(5, &got), 0);
	CHECK(strcmp(got.imsi, key.imsi) == 0 && got.kind == key.kind, "%s %d", got.imsi, got.kind);
	EQUAL(key_stats_session_key_get(5, NULL), -EINVAL);
	EQUAL(key_stats_session_key_get(3000, &got), -ERANGE);
	EQUAL(key_stats_session_key_find(NULL, &at), -EINVAL);
	EQUAL(key_stats_session_key_find(&key, NULL), -EINVAL);
	/* another key in place of the first: that is free */
	other.kind = KEY_STATS_SESSION_KEY_KIND_BEST_EFFORT;
	EQUAL(key_stats_session_key_set(5, &other), 0);
	EQUAL(key_stats_session_key_find(&key, &at), -ENOENT);
	EQUAL(key_stats_session_key_set(2999, &key), 0);
	EQUAL(key_stats_session_key_find(&key, &at), 0);
	EQUAL(at, 2999);
	key_stats_fini();
	EQUAL(heap_blocks(), 0);
	EQUAL(key_stats_init(), 0);
	EQUAL(key_stats_session_key_find(&key, &at), -ENOENT);
}

CASE(no_such_value)
{
	struct key_stats_session_key key = session_key("", KEY_STATS_SESSION_KEY_KIND_DATA);
	struct key_stats_host_key host = host_key(1);
	struct key_stats_peer_key peer = peer_key("192.0.2.1", 1);
	struct key_stats_bearer_key bearer = { "abc" };
	uint32_t at;

	EQUAL(key_stats_session_create(0), 0);
	EQUAL(key_stats_bearer_create(0, 1), 0);
	EQUAL(key_stats_peer_create(0), 0);
	EQUAL(key_stats_session_key_set(0, &key), -EINVAL);
	EQUAL(key_stats_session_key_find(&key, &at), -EINVAL);
	memset(key.imsi, '1', sizeof(key.imsi));
	EQUAL(key_stats_session_key_set(0, &key), -EINVAL);
	key = session_key("1", (enum key_stats_session_key_kind)3);
	EQUAL(key_stats_session_key_set(0, &key), -EINVAL);
	EQUAL(key_stats_bearer_key_set(0, 1, &bearer), -EINVAL);
	host.floor = -1;
	EQUAL(key_stats_host_key_set(0, &host), -EINVAL);
	peer.address.type = 3;
	EQUAL(key_stats_peer_key_set(0, &peer), -EINVAL);
	EQUAL(key_stats_session_key_get(0, &key), -ENOENT);
}

TEST(vanishes)
{
	struct key_stats_session_key key = session_key("1", KEY_STATS_SESSION_KEY_KIND_DATA);
	struct key_stats_host_key host = host_key(1);
	struct key_stats_session last;
	uint32_t at;

	EQUAL(key_stats_init(), 0);
	EQUAL(key_stats_session_create(7), 0);
	EQUAL(key_stats_session_key_set(7, &key), 0);
	EQUAL(key_stats_session_destroy(7, &last), 0);
	EQUAL(key_stats_session_key_find(&key, &at), -ENOENT);
	EQUAL(key_stats_session_key_get(7, &key), -ENOENT);
	EQUAL(key_stats_session_key_set(7, &key), -ENOENT);
	EQUAL(key_stats_session_create(7), 0);
	EQUAL(key_stats_session_key_get(7, &key), -ENOENT);
	EQUAL(key_stats_session_create(8), 0);
	EQUAL(key_stats_session_key_set(8, &key), 0);
	EQUAL(key_stats_session_key_set(8, NULL), 0);
	EQUAL(key_stats_session_key_set(8, NULL), 0);
	EQUAL(key_stats_session_key_find(&key, &at), -ENOENT);
	EQUAL(key_stats_session_key_set(7, &key), 0);
	EQUAL(key_stats_host_key_set(2, &host), 0);
	EQUAL(key_stats_host_key_find(&host, &at), 0);
	EQUAL(at, 2);
	EQUAL(key_stats_host_key_set(2, NULL), 0);
	EQUAL(key_stats_host_key_find(&host, &at), -ENOENT);
	key_stats_fini();
	EQUAL(heap_blocks(), 0);
}

CASE(inside_of_another)
{
	struct key_stats_bearer_key key = { "abcd" }, other = { "abce" };
	uint32_t at;

	EQUAL(key_stats_session_create(0), 0);
	EQUAL(key_stats_session_create(9), 0);
	EQUAL(key_stats_bearer_create(0, 2), 0);
	EQUAL(key_stats_bearer_create(9, 1), 0);
	EQUAL(key_stats_bearer_create(9, 2), 0);
	EQUAL(key_stats_bearer_key_set(0, 2, &key), 0);
	EQUAL(key_stats_bearer_key_set(9, 1, &key), 0);
	EQUAL(key_stats_bearer_key_set(9, 2, &key), -EEXIST);
	EQUAL(key_stats_bearer_key_set(9, 2, &other), 0);
	EQUAL(key_stats_bearer_key_find(9, &key, &at), 0);
	EQUAL(at, 1);
	EQUAL(key_stats_bearer_key_find(0, &key, &at), 0);
	EQUAL(at, 2);
	EQUAL(key_stats_bearer_key_find(0, &other, &at), -ENOENT);
	EQUAL(key_stats_bearer_key_find(3000, &other, &at), -ERANGE);
}

/* ---- in the index of a table ---- */

static void
indexed(const char *name, uint32_t first, uint32_t second, const char *wanted)
{
	const struct ctr_scope *scope = ctr_scope_find(&key_stats_module, name);
	uint32_t index[] = { first, second }, suffix[CTR_KEY_SUFFIX_MAX];
	char text[512] = "";
	size_t end = 0;
	int i, length = ctr_scope_suffix(scope, index, suffix, NULL);

	for (i = 0; i < length; i++)
		end += (size_t)snprintf(text + end, sizeof(text) - end, ".%" PRIu32, suffix[i]);
	CHECK(strcmp(text, wanted) == 0, "%s: %s, not %s", name, text, wanted);
}

CASE(in_the_index)
{
	struct key_stats_session_key session = session_key("26201", KEY_STATS_SESSION_KEY_KIND_BEST_EFFORT);
	struct key_stats_bearer_key bearer = { "abcd" };
	struct key_stats_host_key host = host_key(16);
	struct key_stats_peer_key peer = peer_key("192.0.2.255", 65535);
	struct key_stats_group_key group = { 0, "north" };
	uint32_t at;

	EQUAL(key_stats_session_create(3), 0);
	EQUAL(key_stats_bearer_create(3, 1), 0);
	EQUAL(key_stats_session_create(4), 0);
	EQUAL(key_stats_bearer_create(4, 1), 0);
	EQUAL(key_stats_peer_create(0), 0);
	EQUAL(key_stats_peer_create(1), 0);
	indexed("session", 3, 0, "");
	EQUAL(key_stats_session_key_set(3, &session), 0);
	EQUAL(key_stats_bearer_key_set(3, 1, &bearer), 0);
	EQUAL(key_stats_bearer_key_set(4, 1, &bearer), 0);
	EQUAL(key_stats_host_key_set(7, &host), 0);
	EQUAL(key_stats_peer_key_set(0, &peer), 0);
	memset(&peer.address.octets[4], 4, 12); /* octets behind an address of IPv4 do not matter */
	EQUAL(key_stats_peer_key_find(&peer, &at), 0);
	peer = peer_key("2001:db8::1", 1);
	EQUAL(key_stats_peer_key_set(1, &peer), 0);
	EQUAL(key_stats_group_key_set(3, &group), 0);
	indexed("session", 3, 0, ".5.50.54.50.48.49.7");
	indexed("bearer", 3, 1, ".5.50.54.50.48.49.7.97.98.99.100");
	indexed("bearer", 4, 1, "");
	indexed("lane", 3, 1, ".5.50.54.50.48.49.7.2");
	indexed("lane", 4, 1, "");
	indexed("host", 7, 0,
		".16.16.16.16.16.16.1.4.192.0.2.16.2.16.17.17.17.17.17.17.17.17.17.17.17.17.17.17.17.17"
		".18.18.18.4294967295.2147483647");
	indexed("peer", 0, 0, ".1.4.192.0.2.255.65535");
	indexed("peer", 1, 0, ".2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1.1");
	indexed("group", 3, 0, ".0.110.111.114.116.104");
}

static void
shown(const struct ctr_scope *scope, const void *key, unsigned int part, const char *wanted)
{
	const struct ctr_key_part *parts = scope->keys[scope->num_indexes - 1]->parts;
	char text[64], little[4];
	int length = ctr_key_text(&parts[part], key, text, sizeof(text));

	CHECK(strcmp(text, wanted) == 0, "%s: %s, not %s", parts[part].name, text, wanted);
	EQUAL(length, strlen(wanted));
	EQUAL(ctr_key_text(&parts[part], key, little, sizeof(little)), length);
	EQUAL(memcmp(little, wanted, length < 3 ? (size_t)length + 1 : 3), 0);
}

TEST(as_text)
{
	const struct ctr_module *module = &key_stats_module;
	struct key_stats_session_key session = session_key("26201", KEY_STATS_SESSION_KEY_KIND_BEST_EFFORT);
	struct key_stats_host_key host = host_key(16);
	struct key_stats_peer_key peer = peer_key("192.0.2.255", 65535);

	shown(ctr_scope_find(module, "session"), &session, 0, "26201");
	shown(ctr_scope_find(module, "session"), &session, 1, "best_effort");
	shown(ctr_scope_find(module, "host"), &host, 0, "10:10:10:10:10:10");
	shown(ctr_scope_find(module, "host"), &host, 1, "192.0.2.16");
	shown(ctr_scope_find(module, "host"), &host, 2, "1111:1111:1111:1111:1111:1111:1111:1111");
	shown(ctr_scope_find(module, "host"), &host, 3, "121212");
	shown(ctr_scope_find(module, "host"), &host, 4, "4294967295");
	shown(ctr_scope_find(module, "peer"), &peer, 0, "192.0.2.255");
	shown(ctr_scope_find(module, "peer"), &peer, 1, "65535");
	peer = peer_key("2001:db8::1", 0);
	shown(ctr_scope_find(module, "peer"), &peer, 0, "2001:db8::1");
	EQUAL(ctr_scope_find(module, "host")->keys[0]->num_parts, 6);
	CHECK(ctr_scope_find(module, "lane")->keys[1] == NULL, "a lane has no key of its own");
}

/* ---- many of them ---- */

#define MANY 1100u
#define NAMES 4096u

/* Keys come and go at random; what is found is what a plain list says. */
TEST(many)
{
	static uint32_t owner[NAMES], name[MANY]; /* index + 1 of each name, name + 1 of each index */
	struct worker me = { .random = 1 };
	uint64_t round, rounds = option("ROUNDS", 40000);
	struct key_stats_peer_key key = peer_key("10.0.0.0", 7);
	uint32_t at, n, found;
	int rc;

	memset(owner, 0, sizeof(owner));
	memset(name, 0, sizeof(name));
	EQUAL(key_stats_init(), 0);
	for (at = 0; at < MANY; at++)
		EQUAL(key_stats_peer_create(at), 0);
	for (round = 0; round < rounds; round++) {
		at = draw(&me) % MANY;
		n = draw(&me) % NAMES;
		key.address.octets[2] = (uint8_t)(n >> 8);
		key.address.octets[3] = (uint8_t)n;
		rc = key_stats_peer_key_find(&key, &found);
		EQUAL(rc, owner[n] != 0 ? 0 : -ENOENT);
		if (rc == 0)
			EQUAL(found + 1, owner[n]);
		if (draw(&me) % 4 == 0) {
			EQUAL(key_stats_peer_key_set(at, NULL), 0);
			if (name[at] != 0)
				owner[name[at] - 1] = 0;
			name[at] = 0;
			continue;
		}
		rc = key_stats_peer_key_set(at, &key);
		EQUAL(rc, owner[n] != 0 && owner[n] != at + 1 ? -EEXIST : 0);
		if (rc == 0) {
			if (name[at] != 0)
				owner[name[at] - 1] = 0;
			name[at] = n + 1;
			owner[n] = at + 1;
		}
	}
	key_stats_fini();
	EQUAL(heap_blocks(), 0);
}

TEST(without_memory)
{
	struct key_stats_host_key key = host_key(1);
	unsigned int nth;
	uint32_t at;

	for (nth = 1; nth <= 2; nth++) { /* the table, records */
		EQUAL(key_stats_init(), 0);
		heap_fail(nth);
		EQUAL(key_stats_host_key_set(1, &key), -ENOMEM);
		heap_fail(0);
		EQUAL(key_stats_host_key_find(&key, &at), -ENOENT);
		EQUAL(key_stats_host_key_set(1, &key), 0);
		EQUAL(key_stats_host_key_find(&key, &at), 0);
		key_stats_fini();
		EQUAL(heap_blocks(), 0);
	}
}

/* What the table of sessions takes: with the first key, and with all. */
CASE(bytes)
{
	char imsi[16];
	uint64_t before;
	uint32_t at;

	for (at = 0; at < KEY_STATS_SESSION_MAX; at++)
		EQUAL(key_stats_session_create(at), 0);
	before = heap_bytes();
	for (at = 0; at < KEY_STATS_SESSION_MAX; at++) {
		struct key_stats_session_key key;

		(void)snprintf(imsi, sizeof(imsi), "%" PRIu32, at + 1);
		key = session_key(imsi, KEY_STATS_SESSION_KEY_KIND_DATA);
		EQUAL(key_stats_session_key_set(at, &key), 0);
		if (at == 0)
			EQUAL(heap_bytes() - before, option("ONE", 0));
	}
	EQUAL(heap_bytes() - before, option("ALL", 0));
}

/* A child of fork() has the keys that its parent had, or begins anew where memory is shared. */
CASE(forked)
{
	struct key_stats_host_key key = host_key(1), other = host_key(2);
	uint32_t at;
	pid_t child;

	EQUAL(key_stats_host_key_set(3, &key), 0);
	child = fork_off();
	if (child == 0) {
#if CTR_FORK_COPIES
		EQUAL(key_stats_host_key_find(&key, &at), 0);
		EQUAL(at, 3);
#else
		EQUAL(key_stats_host_key_find(&key, &at), -ENOENT);
#endif
		EQUAL(key_stats_host_key_set(4, &other), 0);
		EQUAL(key_stats_host_key_find(&other, &at), 0);
		_exit(0);
	}
	ended_well(child);
	EQUAL(key_stats_host_key_find(&other, &at), -ENOENT);
	EQUAL(key_stats_host_key_find(&key, &at), 0);
}

/* ---- threads ---- */

static uint32_t over;

/* A key whose octets are all made from one number. */
static struct key_stats_host_key
made_of(uint32_t n)
{
	struct key_stats_host_key key = host_key((uint8_t)(n % 251));

	key.site = n;
	key.floor = (int32_t)n;
	key.gateway = n;
	return key;
}

static void
whole(const struct key_stats_host_key *key)
{
	struct key_stats_host_key wanted = made_of(key->site);

	CHECK(memcmp(key, &wanted, sizeof(wanted)) == 0, "a torn key: %u and %d of %u", key->gateway,
	      key->floor, key->site);
}

/* Finds what may be there, and looks at what it found. */
static void
finder(struct worker *me)
{
	const struct ctr_scope *scope = ctr_scope_find(&key_stats_module, "host");
	uint32_t suffix[CTR_KEY_SUFFIX_MAX], at;
	struct key_stats_host_key key;
	uint64_t life;
	int rc, length, i;

	while (!is_set(&over)) {
		key = made_of(draw(me) % SESSIONS);
		rc = key_stats_host_key_find(&key, &at);
		CHECK(rc == 0 || rc == -ENOENT, "%d", rc);
		CHECK(rc != 0 || at < 8, "%u", at);
		for (i = 0; i < 64; i++) {
			at = (uint32_t)i % 8;
			if (key_stats_host_key_get(at, &key) == 0)
				whole(&key);
		}
		length = ctr_scope_suffix(scope, &at, suffix, &life);
		CHECK(length < 0 || suffix[31] == suffix[32], "a torn index: %u and %u", suffix[31],
		      suffix[32]);
	}
}

/* Instance 0 always has the same key: it is found whatever else is set. */
static void
seeker(struct worker *me)
{
	struct key_stats_host_key key = made_of(1000);
	uint32_t at;

	(void)me;
	while (!is_set(&over)) {
		EQUAL(key_stats_host_key_find(&key, &at), 0);
		EQUAL(at, 0);
	}
}

CASE(setters_and_finders)
{
	struct worker workers[3] = { { .random = 1 }, { .random = 2 }, { .random = 3 } };
	struct worker me = { .random = 9 };
	struct key_stats_host_key key = made_of(1000);
	uint64_t round, rounds = option("ROUNDS", 40000);
	uint32_t at;
	int rc;

	EQUAL(key_stats_host_key_set(0, &key), 0);
	set_flag(&over, 0);
	worker_start(&workers[0], finder, false);
	worker_start(&workers[1], finder, false);
	worker_start(&workers[2], seeker, false);
	workers_go();
	for (round = 0; round < rounds; round++) {
		at = 1 + draw(&me) % 7;
		key = made_of(draw(&me) % SESSIONS);
		rc = key_stats_host_key_set(at, draw(&me) % 8 != 0 ? &key : NULL);
		CHECK(rc == 0 || rc == -EEXIST, "%d", rc);
	}
	set_flag(&over, 1);
	workers_join(workers, 3);
}
