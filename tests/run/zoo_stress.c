/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Several threads at once on embedded scopes, on scopes of several strategies, and on states wider
 * than a word. (growth_reads.c and stress.c have dynamic scopes.)
 *
 * Option: ROUNDS of each worker.
 */
#include "harness.h"
#include "zoo_stats.h"

#define WORKERS 3
#define SIZE 64

static uint32_t stop;
static uint64_t made[WORKERS];
static struct zoo_stats_common_object_embedded object;
static struct zoo_stats_locked_embedded locked;

static void
update_objects(struct worker *me)
{
	uint64_t rounds = option("ROUNDS", 100000), i;

	for (i = 0; i < rounds; i++) {
		uint32_t r = draw(me);

		zoo_stats_update_work(r % 4, r % 8, r % 2, r % 16, r % 16, SIZE);
		zoo_stats_update_share(&object, SIZE);
		zoo_stats_update_lock(&locked, SIZE);
		if (i % 1024 == 0)
			ctr_yield();
	}
	made[me->number] = rounds;
	(void)__atomic_add_fetch(&stop, 1, __ATOMIC_RELAXED);
	if (me->stays)
		zoo_stats_flush();
}

/* Objects of the application, and instances of several strategies in one update. */
TEST(objects)
{
	struct zoo_stats_common_object of_object;
	struct zoo_stats_locked of_locked;
	struct zoo_stats_grouped group;
	struct worker workers[WORKERS];
	uint64_t work = 0, grouped = 0, atomic = 0;
	uint32_t i;

	EQUAL(zoo_stats_init(), 0);
	zoo_stats_common_object_init(&object);
	zoo_stats_locked_init(&locked);
	workers_start(workers, WORKERS, update_objects, WORKERS - 1);
	workers_go();
	for (i = 0; __atomic_load_n(&stop, __ATOMIC_RELAXED) < WORKERS; i++) {
		EQUAL(zoo_stats_locked_read(&locked, &of_locked), 0);
		EQUAL(of_locked.bytes, of_locked.pkts * SIZE);
		if (zoo_stats_grouped_read(i % 16, &group) == 0)
			EQUAL(group.bytes, group.pkts * SIZE);
	}
	workers_join(workers, WORKERS);
	for (i = 0; i < WORKERS; i++)
		work += made[i];
	for (i = 0; i < 16; i++) {
		grouped += zoo_stats_grouped_get_pkts(i);
		atomic += zoo_stats_atomic_get_pkts(i);
	}
	EQUAL(grouped, work);
	EQUAL(atomic, work);
	EQUAL(zoo_stats_common_object_reset(&object, &of_object), 0);
	EQUAL(of_object.pkts, work);
	EQUAL(of_object.bytes, work * SIZE);
	EQUAL(zoo_stats_locked_reset(&locked, &of_locked), 0);
	EQUAL(of_locked.pkts, work);
	EQUAL(zoo_stats_locked_get_bytes(&locked), 0);
	zoo_stats_fini();
}

/* Texts and addresses of one letter or number throughout; each text has its own length. */
static void
set_wide(struct worker *me)
{
	uint64_t rounds = option("ROUNDS", 100000), i;
	uint8_t octets[16];
	char text[32];

	for (i = 0; i < rounds || !is_set(&stop); i++) {
		unsigned int which = draw(me) % 26;

		memset(text, 0, sizeof(text));
		memset(text, (int)('a' + which), 3 + which);
		memset(octets, (int)which, sizeof(octets));
		EQUAL(zoo_stats_set_name(text), 0);
		EQUAL(zoo_stats_set_prefix(octets), 0);
		EQUAL(zoo_stats_set_port_id(octets), 0);
		EQUAL(zoo_stats_flow_set_label(1, text), 0);
		zoo_stats_set_celsius(which % 2 != 0 ? -1 : 1);
		/* With fewer cores than threads, others would wait for a time slice. */
		if (i % 16 == 0)
			ctr_yield();
	}
}

static void
check_text(const char *text)
{
	size_t i, length = strlen(text);

	if (length == 0)
		return;
	EQUAL(length, 3 + (size_t)(text[0] - 'a'));
	for (i = 1; i < length; i++)
		CHECK(text[i] == text[0], "torn: '%s'", text);
}

static void
check_octets(const uint8_t *octets, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		CHECK(octets[i] == octets[0], "torn: octet 0 is %u, %zu is %u", octets[0], i,
		      octets[i]);
}

/* No value wider than a word is seen half old and half new. */
TEST(wide_states)
{
	struct zoo_stats_global global;
	struct zoo_stats_flow flow;
	struct worker workers[2];
	uint64_t rounds = option("ROUNDS", 100000), reads;
	char text[32];

	EQUAL(zoo_stats_init(), 0);
	EQUAL(zoo_stats_flow_create(1), 0);
	workers_start(workers, 2, set_wide, 1);
	workers_go();
	for (reads = 0; reads < rounds; reads++) {
		EQUAL(zoo_stats_global_read(&global), 0);
		check_text(global.name);
		check_octets(global.prefix, sizeof(global.prefix));
		check_octets(global.port_id, sizeof(global.port_id));
		CHECK(global.celsius >= -1 && global.celsius <= 1, "%d", global.celsius);
		EQUAL(zoo_stats_get_name(text), 0);
		check_text(text);
		EQUAL(zoo_stats_flow_read(1, &flow), 0);
		check_text(flow.label);
		if (reads % 1024 == 0)
			ctr_yield();
	}
	set_flag(&stop, 1);
	workers_join(workers, 2);
	zoo_stats_fini();
}
